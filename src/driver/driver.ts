/**
 * Driver: how one kind of object is made to come true, and how one sees that it did.
 *
 * In: an object that is ready to be written. Out: `DriverReport`, what became of it. Never: waits, retries, counts time or decides what
 * follows; deletes or replaces what it did not write.
 */
import type { ClusterObject } from '../cluster/cluster.ts';

/**
 * What became of an object. `done` and `failed` are ends; `stuck` can never be done without a person, although the cluster
 * would go on trying: an image that is not there, a volume that nobody brings.
 */
export type DriverState = 'absent' | 'progressing' | 'done' | 'failed' | 'stuck';

/** What a driver saw. The same world gives the same report. */
export interface DriverReport {
  readonly state: DriverState;
  /** One word for programs: `Complete`, `DeadlineExceeded`, `ImagePullBackOff`. */
  readonly reason: string;
  /** A sentence for people: what failed and why, or what is waited for. No times, so that it stays the same while nothing changes. */
  readonly message: string;
  /** The end of the log of the container that failed, where there is one. */
  readonly log?: string;
  /** What the task left as its termination message, where it is done and left one. */
  readonly result?: string;
}

/** Writes in the name of Afloat. */
export const fieldManager = 'afloat';

/**
 * One kind of task or workload. Every verb may be called again at any time, also after an answer that was lost. A verb throws a
 * `ClusterError` where the cluster cannot be reached or says no; the caller tells a passing fault from a refusal by its reason.
 */
export interface Driver {
  /** What became of the object of this name; `absent` where there is none. */
  observe(object: ClusterObject): Promise<DriverReport>;
  /** Writes the object: creates it, or brings it to this content. What ran once (a Job, a Pod) and is there is left as it is. */
  apply(object: ClusterObject): Promise<void>;
  /** Takes it away with everything it started; `going` until all of that is gone. */
  remove(object: ClusterObject): Promise<'gone' | 'going'>;
}

/** Where drivers read the end of a log. */
export interface PodLogs {
  /** At most so many last lines, or nothing where there is no log (any more). */
  tail(
    of: { readonly namespace: string; readonly pod: string; readonly container: string },
    lines: number,
  ): Promise<string | undefined>;
}

/** The driver of a kind. Every kind has one: what is not known by name is judged by its conditions. */
export interface Drivers {
  for(object: { readonly apiVersion: string; readonly kind: string }): Driver;
}
