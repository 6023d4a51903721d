import type { JsonObject } from '../../../base/json.ts';
import type { ClusterObject, StoredObject } from '../../../cluster/cluster.ts';

/** What is told about an object to whoever asks what happened to it. */
export interface Note {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** One write. What it tells is told when it is done, or when it failed; the name is that of the object written. */
export type Write = (
  | { readonly verb: 'create'; readonly object: ClusterObject }
  /** Of this very object; that it is gone already is as good. */
  | {
      readonly verb: 'delete';
      readonly object: StoredObject;
      readonly propagation?: 'Background' | 'Foreground';
    }
  /** A merge patch of this very version: whoever was quicker makes the pass run again. */
  | { readonly verb: 'patch'; readonly object: StoredObject; readonly patch: JsonObject }
  /** Takes a finalizer away, whatever else has changed; that it is gone already is as good. */
  | { readonly verb: 'release'; readonly object: StoredObject; readonly finalizer: string }
) & {
  readonly tell?: (name: string) => Note;
  readonly tellFailure?: (name: string, why: string) => Note;
};

/** What a pass is to do, in this order. Any part of it may be all that happens; the next pass goes on from there. */
export interface Decision {
  /** Neighbours of one verb and kind are done side by side, the others one after the other. */
  readonly writes?: readonly Write[];
  /** The status that is right once the writes are done. Left out: it stays. */
  readonly status?: object;
  /** The status when one of the writes failed. */
  readonly statusAfterFailure?: (why: string) => object;
  /** What may be done only when the status is on disk. */
  readonly writesAfterStatus?: readonly Write[];
  /** What is told when all is done. */
  readonly notes?: readonly Note[];
  /** To be looked at again after that time, whatever happens until then. */
  readonly afterSeconds?: number | undefined;
}

export function normal(reason: string, message: string): Note {
  return { type: 'Normal', reason, message };
}

export function warning(reason: string, message: string): Note {
  return { type: 'Warning', reason, message };
}

/** Makes a Pod, in the words of Kubernetes. */
export function createPod(object: ClusterObject): Write {
  return {
    verb: 'create',
    object,
    tell: name => normal('SuccessfulCreate', `Created pod: ${name}`),
    tellFailure: (_, why) => warning('FailedCreate', `Error creating: ${why}`),
  };
}

/** Removes a Pod, in the words of Kubernetes. */
export function deletePod(object: StoredObject): Write {
  return {
    verb: 'delete',
    object,
    tell: name => normal('SuccessfulDelete', `Deleted pod: ${name}`),
    tellFailure: (_, why) => warning('FailedDelete', `Error deleting: ${why}`),
  };
}

/** The sooner of two waits. */
export function soonest(...seconds: readonly (number | undefined)[]): number | undefined {
  const waits = seconds.filter(wait => wait !== undefined);
  return waits.length > 0 ? Math.min(...waits) : undefined;
}
