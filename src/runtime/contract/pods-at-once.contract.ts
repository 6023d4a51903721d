import type { StoredObject } from '../../cluster/cluster.ts';
import type { Seen } from './seen-objects.contract.ts';
import { podView, statusOf } from './views.contract.ts';

/** The most Pods that were there at once and had not ended. */
export function mostAtOnce(all: readonly Seen[]): number {
  const alive = new Set<string>();
  let most = 0;
  for (const { object, gone } of all) {
    const over = gone || ['Succeeded', 'Failed'].includes(statusOf(object).phase ?? '');
    if (over) alive.delete(object.metadata.name);
    else alive.add(object.metadata.name);
    most = Math.max(most, alive.size);
  }
  return most;
}

/** From that state on: the most Pods that were there and not being deleted, and the fewest that were ready. */
export function extremes(all: readonly Seen[], from: number): { most: number; least: number } {
  const there = new Map<string, StoredObject>();
  let most = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const [index, { object, gone }] of all.entries()) {
    if (gone) there.delete(object.metadata.name);
    else there.set(object.metadata.name, object);
    if (index < from) continue;
    const pods = [...there.values()].filter(pod => pod.metadata.deletionTimestamp === undefined);
    most = Math.max(most, pods.length);
    least = Math.min(least, pods.filter(isReady).length);
  }
  return { most, least };
}

function isReady(pod: StoredObject): boolean {
  const { Ready } = podView(pod)['conditions'] as { Ready?: string };
  return Ready === 'True' && pod.metadata.deletionTimestamp === undefined;
}
