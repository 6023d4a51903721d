import { setMaxListeners } from 'node:events';
import type { Clock } from '../../cluster/clock.ts';
import type { Cluster, StoredObject } from '../../cluster/cluster.ts';
import { follow } from '../../cluster/follow.ts';
import { viewOf } from '../../status/status.ts';
import type { Snapshot } from '../operator-verbs.ts';
import { cloudOf, cloudTypes, readCloud } from './read-cloud.ts';

/** Changes that come together are shown together. */
const gatherMilliseconds = 100;

/** Bars and times go on also when nothing changes. */
const tickMilliseconds = 1000;

/**
 * The cloud now, then again whenever it changed and every second. The first look throws where nothing answers; after that an
 * outage only means that nothing changes until it is over. Ends with the signal.
 */
export async function* followCloud(
  cluster: Cluster,
  namespace: string,
  signal: AbortSignal,
  clock: Clock,
): AsyncGenerator<Snapshot> {
  const now = () => new Date(clock.wall()).toISOString();
  const first = await readCloud(cluster, namespace, now());
  yield { objects: first, view: viewOf(first) };
  const ends = new AbortController();
  const both = AbortSignal.any([signal, ends.signal]);
  setMaxListeners(0, both); // one for each kind, and each wait
  const known = new Map<string, StoredObject>();
  const synced = new Set<string>();
  let wake = makeBell();
  const listeners = cloudTypes.map(async type => {
    for await (const event of follow(cluster, type, { namespace, signal: both, clock })) {
      if (event.type === 'SYNCED') synced.add(type.kind);
      else {
        const key = `${type.kind}/${event.object.metadata.name}`;
        if (event.type === 'DELETED') known.delete(key);
        else known.set(key, event.object);
      }
      wake.ring();
    }
  });
  try {
    while (!both.aborted) {
      await Promise.race([wake.rung, clock.sleep(tickMilliseconds, both)]);
      await clock.sleep(gatherMilliseconds, both);
      wake = makeBell();
      if (both.aborted || synced.size < cloudTypes.length) continue;
      const objects = cloudOf([...known.values()], now());
      yield { objects, view: viewOf(objects) };
    }
  } finally {
    ends.abort();
    await Promise.all(listeners);
  }
}

/** A promise that somebody else keeps. */
function makeBell(): { readonly rung: Promise<void>; readonly ring: () => void } {
  let ring = () => {};
  const rung = new Promise<void>(resolve => {
    ring = resolve;
  });
  return { rung, ring };
}
