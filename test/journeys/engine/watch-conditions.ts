import { setMaxListeners } from 'node:events';
import type { Cluster } from '../../../src/cluster/cluster.ts';
import { follow } from '../../../src/cluster/follow.ts';
import {
  flowType,
  phaseTypes,
  planType,
  recordType,
  revisionType,
} from '../../../src/controller/our-objects.ts';
import { type Conditioned, checkConditions } from '../../../src/status/check-conditions.ts';

/**
 * Looks at every state of every object of ours as it is written, until the signal; the answer gives every contradiction that was seen,
 * none twice.
 */
export function watchConditions(
  cluster: Cluster,
  namespace: string,
  signal: AbortSignal,
): () => readonly string[] {
  const found = new Set<string>();
  setMaxListeners(0, signal); // one a kind
  for (const type of [recordType, planType, flowType, revisionType, ...phaseTypes]) {
    void (async () => {
      for await (const event of follow(cluster, type, { namespace, signal })) {
        if (event.type === 'SYNCED' || event.type === 'DELETED') continue;
        for (const text of checkConditions(event.object as Conditioned)) found.add(`${type.kind} ${text}`);
      }
    })();
  }
  return () => [...found];
}
