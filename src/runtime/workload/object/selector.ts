import type { StoredObject } from '../../../cluster/cluster.ts';

/** A selector as it stands in the spec of a workload. */
export interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

/** Whether the labels of an object meet a selector. One that is missing or says nothing selects nothing. */
export function selects(selector: Selector | undefined, { metadata }: StoredObject): boolean {
  const labels = metadata.labels ?? {};
  const { matchLabels = {}, matchExpressions = [] } = selector ?? {};
  const wanted = Object.entries(matchLabels);
  if (wanted.length === 0 && matchExpressions.length === 0) return false;
  return (
    wanted.every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => meets(labels[key], operator, values))
  );
}

function meets(value: string | undefined, operator: string, values: readonly string[]): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    default:
      return value === undefined;
  }
}
