import type { StoredObject } from '../../../cluster/cluster.ts';
import { matchLabels } from '../../../cluster/embedded/select/match-labels.ts';

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
  const { matchLabels: wanted = {}, matchExpressions = [] } = selector ?? {};
  if (Object.keys(wanted).length === 0 && matchExpressions.length === 0) return false;
  return matchLabels(selector, metadata.labels);
}
