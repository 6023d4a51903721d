import type { Cluster, StoredObject } from '../../../src/cluster/cluster.ts';
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
  for (const type of [recordType, planType, flowType, revisionType, ...phaseTypes]) {
    void (async () => {
      for await (const event of cluster.watch(type, { namespace, signal })) {
        if (event.type === 'BOOKMARK' || event.type === 'DELETED') continue;
        for (const text of checkConditions(event.object as StoredObject as Conditioned))
          found.add(`${type.kind} ${text}`);
      }
    })().catch((error: unknown) => {
      if (!signal.aborted) found.add(`the watch of ${type.kind} broke: ${String(error)}`);
    });
  }
  return () => [...found];
}
