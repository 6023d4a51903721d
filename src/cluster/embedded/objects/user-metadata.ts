import type { Metadata } from '../../cluster.ts';

/** Metadata that is being put together, before anybody else sees it. */
export type Writable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * Puts the part of the metadata that is the caller's to write into `target`, which has none of it yet, and returns it. Maps and
 * lists that are empty are left out: a server does not keep those.
 */
export function takeUserMetadata<T extends Writable<Metadata>>(target: T, from: Metadata): T {
  const { labels, annotations, finalizers, ownerReferences } = from;
  if (labels && !isEmpty(labels)) target.labels = labels;
  if (annotations && !isEmpty(annotations)) target.annotations = annotations;
  if (finalizers && !isEmpty(finalizers)) target.finalizers = finalizers;
  if (ownerReferences && !isEmpty(ownerReferences)) target.ownerReferences = ownerReferences;
  return target;
}

function isEmpty(value: object): boolean {
  for (const _ in value) return false;
  return true;
}
