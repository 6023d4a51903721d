import type { Selection } from '../cluster.ts';

/** Parameters of a request; what is undefined is not sent. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export function selectionQuery({ labelSelector, fieldSelector }: Selection): Query {
  return { labelSelector, fieldSelector };
}

/** The path with its query. */
export function withQuery(path: string, query: Query): string {
  const words = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return words.length === 0 ? path : `${path}?${words.join('&')}`;
}
