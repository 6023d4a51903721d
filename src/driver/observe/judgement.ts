import type { ClusterObject, StoredObject } from '../../cluster/cluster.ts';
import type { DriverReport, DriverState } from '../driver.ts';

/** A report before the log is read: what is known from objects alone. */
export interface Judgement extends Omit<DriverReport, 'log'> {
  /** Whose log tells more. */
  readonly culprit?: { readonly pod: string; readonly container: string };
}

/** A judgement without more to it. */
export function judged(state: DriverState, reason: string, message: string): Judgement {
  return { state, reason, message };
}

/** What is said of an object that is not there. */
export function absent({ kind, metadata }: ClusterObject): Judgement {
  return judged('absent', 'NotFound', `${kind} ${metadata.name ?? ''} is not there`);
}

/** What is said of an object that is on its way out, whatever its status says: it will not come true any more, and is not gone. */
export function terminating({ kind, metadata }: StoredObject): Judgement | undefined {
  if (metadata.deletionTimestamp === undefined) return undefined;
  return judged('progressing', 'Terminating', `${kind} ${metadata.name} is being deleted`);
}

/**
 * What is said while the status is about an earlier content of the object: nothing else in it counts.
 * A status without `observedGeneration` says nothing yet where the kind always writes one.
 */
export function notObserved(object: StoredObject, observedGeneration: unknown): Judgement | undefined {
  const { kind, metadata } = object;
  if (observedGeneration !== undefined && Number(observedGeneration) >= (metadata.generation ?? 0))
    return undefined;
  const message = `${kind} ${metadata.name}: its controller has not seen the newest content yet`;
  return judged('progressing', 'NotObserved', message);
}
