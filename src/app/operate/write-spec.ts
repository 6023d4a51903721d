import { apiVersion } from '../../api/group.ts';
import { CodedError } from '../../base/coded-error.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import type { Snapshot } from '../operator-verbs.ts';
import { fieldManager } from './apply-record.ts';

/** What a verb works with: the world, where the cloud is, what was seen of it and when. */
export interface Desk {
  readonly cluster: Cluster;
  readonly namespace: string;
  readonly snapshot: Snapshot;
  readonly now: string;
}

/** The same for a verb that writes down whose word it is. */
export interface SignedDesk extends Desk {
  readonly user: string;
}

/** Writes fields of the spec of one plan or flow, and nothing else of it. */
export async function writeSpec(
  { cluster, namespace }: Desk,
  kind: 'LifecyclePlan' | 'Oslc',
  name: string,
  spec: JsonObject,
): Promise<void> {
  await cluster.patch(
    { apiVersion, kind, namespace, name },
    { type: 'merge', value: { spec } },
    { fieldManager },
  );
}

/** What a person asked for cannot be meant as things are. */
export function notSo(message: string): CodedError {
  return new CodedError('NotNow', message);
}
