import { sameJson } from '../base/json.ts';
import type { Change } from './informer.ts';

/**
 * Whether a change is more than a new status: it came or went, its spec is another, or what others write into its metadata. A
 * controller that alone writes a status, and sums up in it, learns nothing from it.
 */
export function isMoreThanStatus({ object, before }: Change): boolean {
  if (!object || !before) return true;
  const [now, then] = [object.metadata, before.metadata];
  return (
    now.uid !== then.uid ||
    now.generation !== then.generation ||
    now.deletionTimestamp !== then.deletionTimestamp ||
    !sameJson(now.annotations, then.annotations) ||
    !sameJson(now.labels, then.labels) ||
    !sameJson(now.finalizers, then.finalizers) ||
    !sameJson(now.ownerReferences, then.ownerReferences)
  );
}
