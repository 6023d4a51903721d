import type { ObjectChange } from '../api/lifecycle-plan.ts';
import type { InventoryItem } from '../api/service-revision.ts';
import { compareText, sameJson } from '../base/json.ts';

/** The objects that differ between what runs and what shall be. */
export interface InventoryDifference {
  /** What serves or supports, in the order of kind and name; tasks only where nothing else differs. */
  readonly changes: readonly ObjectChange[];
  /** True when there are changes and none of them stops or replaces anything that serves. */
  readonly inPlace: boolean;
}

/** Compares two inventories object by object, in the order of kind and name. What belongs to no revision is left out. */
export function differenceOf(
  running: readonly InventoryItem[],
  wanted: readonly InventoryItem[],
): InventoryDifference {
  const before = byIdentity(running);
  const after = byIdentity(wanted);
  const names = [...new Set([...before.keys(), ...after.keys()])].sort(compareText);
  const served: ObjectChange[] = [];
  const tasks: ObjectChange[] = [];
  for (const name of names) {
    const change = changeOf(before.get(name), after.get(name));
    const role = (after.get(name) ?? before.get(name))?.role;
    if (change) (role === 'task' ? tasks : served).push({ object: name, ...change });
  }
  const changes = served.length > 0 ? served : tasks;
  // A task runs when its phase comes; having another one at hand disturbs nobody.
  const inPlace = changes.length > 0 && served.every(change => change.change === 'scale');
  return { changes, inPlace };
}

function byIdentity(items: readonly InventoryItem[]): Map<string, InventoryItem> {
  return new Map(items.filter(item => item.role !== 'kept').map(item => [identity(item), item]));
}

function identity({ kind, name, namespace }: InventoryItem): string {
  return namespace === undefined ? `${kind}/${name}` : `${kind}/${namespace}/${name}`;
}

function changeOf(
  before: InventoryItem | undefined,
  after: InventoryItem | undefined,
): Omit<ObjectChange, 'object'> | undefined {
  if (!before) return { change: 'add' };
  if (!after) return { change: 'remove' };
  if (!sameJson(before.images, after.images)) {
    return { change: 'change', detail: `image ${list(before.images)} -> ${list(after.images)}` };
  }
  if (before.digest !== after.digest || before.apiVersion !== after.apiVersion) return { change: 'change' };
  if (before.replicas !== after.replicas) {
    return { change: 'scale', detail: `replicas ${before.replicas ?? 1} -> ${after.replicas ?? 1}` };
  }
  return undefined;
}

function list(images: readonly string[] | undefined): string {
  return images && images.length > 0 ? images.join(', ') : 'none';
}
