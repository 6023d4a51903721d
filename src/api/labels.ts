/**
 * The names of the labels Afloat writes and reads, in one place.
 *
 * A label says whose an object is and which part of which work it belongs to. They are read again after a restart, so a name, once
 * released, is never changed.
 */
import { group } from './group.ts';

/** The service of the record an object belongs to. */
export const serviceLabel = `${group}/service`;

/** The component of the service. */
export const componentLabel = `${group}/component`;

/** The slice of the service: which of two sets of objects that stand side by side. */
export const sliceLabel = `${group}/slice`;

/** What `sliceLabel` says on pods that ran before Afloat knew of them. */
export const foundSlice = 'found';

/**
 * On pods of one slice of several, for each of the others: a selector can only ask for what is there, and this is how one that cannot
 * weigh asks for all slices but one.
 */
export function besideLabel(slice: string): string {
  return `${group}/beside-${slice}`;
}

/** The slice that a label says its pod stands beside; undefined for any other label. */
export function besideOf(label: string): string | undefined {
  const prefix = besideLabel('');
  return label.startsWith(prefix) ? label.slice(prefix.length) : undefined;
}

/** The phase that wrote the object. */
export const phaseLabel = `${group}/phase`;

/** The flow whose phase wrote the object. */
export const flowLabel = `${group}/flow`;

/** The package the object was rendered from. */
export const packageLabel = `${group}/package`;

/** The task of the phase that wrote the object. */
export const taskLabel = `${group}/task`;

/** Which attempt of the task wrote the object. */
export const attemptLabel = `${group}/attempt`;

/** Who looks after an object; the name is Kubernetes'. */
export const managedByLabel = 'app.kubernetes.io/managed-by';

/** What `managedByLabel` says on everything Afloat wrote: only that is ever removed. */
export const managedBy = 'afloat';

/** On a manifest of any kind: when it is done, as `condition=Name`, `condition=Name=Status` or `jsonpath={.status.phase}=Text`. */
export const readyWhenAnnotation = `${group}/ready-when`;

/** On a manifest of any kind: when it has failed for good, in the same words. */
export const failedWhenAnnotation = `${group}/failed-when`;
