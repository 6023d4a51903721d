import { setMaxListeners } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import type { Cluster } from '../../../src/cluster/cluster.ts';
import { follow } from '../../../src/cluster/follow.ts';
import { type PhaseObject, phaseTypes } from '../../../src/controller/our-objects.ts';

/** What a manager wrote about a phase. */
export interface Written {
  readonly phase: string;
  readonly moment: number;
  readonly epoch: number;
}

/** Sees who carries out phases, by the epoch of the manager, until the signal; the answer gives it in the order of the writes. */
export function followEpochs(
  cluster: Cluster,
  namespace: string,
  signal: AbortSignal,
): () => readonly Written[] {
  const seen: Written[] = [];
  setMaxListeners(0, signal); // one a kind
  for (const type of phaseTypes) {
    void (async () => {
      const last = new Map<string, PhaseObject['status']>();
      for await (const event of follow(cluster, type, { namespace, signal })) {
        if (event.type === 'SYNCED') continue;
        const { kind, metadata, status } = event.object as PhaseObject;
        const before = last.get(metadata.uid);
        last.set(metadata.uid, status);
        // One that is over keeps the epoch it ended with, whoever keeps its service in order.
        const isOver = before?.finishedAt !== undefined;
        if (event.type !== 'MODIFIED' || isOver || isDeepStrictEqual(status, before)) continue;
        if (status?.epoch === undefined) continue;
        const moment = Number(metadata.resourceVersion);
        seen.push({ phase: `${kind} ${metadata.name}`, moment, epoch: status.epoch });
      }
    })();
  }
  return () => seen.toSorted((a, b) => a.moment - b.moment);
}
