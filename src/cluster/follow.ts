import { type Clock, systemClock } from './clock.ts';
import type { Cluster, ObjectType, Selection, StoredObject } from './cluster.ts';
import { isReason } from './cluster-error.ts';
import { type BackOffOptions, backOff } from './follow/back-off.ts';
import { FollowedObjects } from './follow/followed-objects.ts';
import { listAll } from './follow/list-all.ts';
import { watchUntilIdle } from './follow/watch-until-idle.ts';

export interface FollowOptions extends Selection, BackOffOptions {
  /** Ends it. */
  readonly signal?: AbortSignal;
  /** Objects a page of the list. */
  readonly pageSize?: number;
  /** How long nothing, not even a bookmark, may be heard before the watch is begun anew. Servers send one every minute. */
  readonly idleSeconds?: number;
  readonly clock?: Clock;
  /** Told of everything that went wrong and was got over, with how long is waited before the next try. */
  readonly onTrouble?: (error: unknown, waitSeconds: number) => void;
}

/** What became of an object, or that everything up to a moment was told. */
export type Followed =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: StoredObject }
  | { readonly type: 'SYNCED'; readonly resourceVersion: string };

/** A watch that ends sooner than that is trouble, whatever it told: begun anew at once it would be a storm. */
const shortestWatchMilliseconds = 1000;

/**
 * Everything that happens to the selected objects, for as long as it is wanted, whatever happens to the server.
 *
 * First every object that is there, as `ADDED`, then `SYNCED`; then what happens. After any error it goes on from the last
 * moment it knows. Where that is too long ago it lists again and tells what changed meanwhile, deletions with the
 * last state it knew, then `SYNCED` again. Of several changes in such a gap only the last state is told. An object
 * that was made anew meanwhile is `DELETED` and `ADDED`. Ends only when the signal says so; never throws.
 */
export async function* follow(
  cluster: Cluster,
  type: ObjectType,
  options: FollowOptions = {},
): AsyncGenerator<Followed> {
  const { signal, clock = systemClock } = options;
  const patience = backOff(options, clock);
  const state: State = { objects: new FollowedObjects(), moment: undefined, alive: patience.reset };
  while (!signal?.aborted) {
    let trouble: unknown;
    try {
      yield* listAndWatch(cluster, type, { ...options, clock }, state);
    } catch (error) {
      if (isTooOld(error)) state.moment = undefined;
      trouble = error;
    }
    if (signal?.aborted) return;
    const wait = patience.next(trouble);
    if (trouble !== undefined) options.onTrouble?.(trouble, wait);
    if (wait > 0) await clock.sleep(wait * 1000, signal);
  }
}

interface State {
  readonly objects: FollowedObjects;
  /** Up to where everything was told; undefined where only a list can tell. */
  moment: string | undefined;
  /** To be called when the watch has shown that it works. A list, or an event before the end, proves little. */
  readonly alive: () => void;
}

/** One watch, and the list before it where it needs one. */
async function* listAndWatch(
  cluster: Cluster,
  type: ObjectType,
  options: FollowOptions & { readonly clock: Clock },
  state: State,
): AsyncGenerator<Followed> {
  const { signal, clock, idleSeconds = 90 } = options;
  const selection = selectionOf(options);
  if (state.moment === undefined) {
    const list = await listAll(cluster, type, selection, options.pageSize);
    yield* state.objects.replace(list.items);
    state.moment = list.resourceVersion;
    yield { type: 'SYNCED', resourceVersion: list.resourceVersion };
  }
  const began = clock.monotonic();
  let moment: string = state.moment;
  const from = { ...selection, resourceVersion: moment };
  try {
    for await (const event of watchUntilIdle(cluster, type, from, { signal, clock, idleSeconds })) {
      const { resourceVersion = moment } = event.object.metadata;
      if (isBefore(resourceVersion, moment)) {
        state.moment = undefined; // the cluster was put back to an earlier state: nothing we know is sure
        return;
      }
      if (event.type !== 'BOOKMARK') yield* state.objects.change(event.type, event.object as StoredObject);
      moment = resourceVersion;
      state.moment = moment;
    }
  } finally {
    if (clock.monotonic() - began >= shortestWatchMilliseconds) state.alive();
  }
}

/** The moment is too long ago, or has not been yet: only a list helps. */
function isTooOld(error: unknown): boolean {
  if (isReason(error, 'Expired')) return true;
  return isReason(error, 'Timeout') && error.causes.some(cause => cause.reason === 'ResourceVersionTooLarge');
}

/** Versions of one server are whole numbers without leading zeros. */
function isBefore(a: string, b: string): boolean {
  return a.length === b.length ? a < b : a.length < b.length;
}

function selectionOf({ namespace, labelSelector, fieldSelector }: Selection): Selection {
  return {
    ...(namespace === undefined ? {} : { namespace }),
    ...(labelSelector === undefined ? {} : { labelSelector }),
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
  };
}
