import { setMaxListeners } from 'node:events';
import type { Clock } from '../../cluster/clock.ts';
import type { Cluster, StoredObject } from '../../cluster/cluster.ts';
import { follow } from '../../cluster/follow.ts';
import type { OperatorPresence } from '../../status/cloud-objects.ts';
import { viewOf } from '../../status/status.ts';
import type { Snapshot } from '../operator-verbs.ts';
import { cloudOf, cloudTypes, readCloud } from './read-cloud.ts';

/** Changes that come together are shown together. */
const gatherMilliseconds = 100;

/** How often it is asked whether an operator is at work: it says so itself no more often. */
const operatorMilliseconds = 10_000;

/** Bars and times go on also when nothing changes. */
const tickMilliseconds = 1000;

/** What following needs beside the objects. */
export interface FollowPorts {
  readonly clock: Clock;
  /** Whether an operator is at work, where that can be told. */
  readonly findOperator: () => Promise<OperatorPresence | undefined>;
}

/**
 * The cloud now, then again whenever it changed and every second. The first look throws where nothing answers; after that an
 * outage only means that nothing changes until it is over. Ends with the signal.
 */
export async function* followCloud(
  cluster: Cluster,
  namespace: string,
  signal: AbortSignal,
  { clock, findOperator }: FollowPorts,
): AsyncGenerator<Snapshot> {
  const now = () => new Date(clock.wall()).toISOString();
  let operator = await findOperator();
  let askedAt = clock.monotonic();
  const moment = () => ({ now: now(), ...(operator === undefined ? {} : { operator }) });
  const first = await readCloud(cluster, namespace, moment());
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
      if (clock.monotonic() - askedAt >= operatorMilliseconds) {
        askedAt = clock.monotonic();
        // An outage only means that nothing new is known.
        operator = await findOperator().catch(() => operator);
      }
      const objects = cloudOf([...known.values()], moment());
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
