import type { InventoryItem, ServiceRevision } from '../api/service-revision.ts';
import { compareText, sameJson } from '../base/json.ts';

/** One object that is not the same on both sides. */
export interface ObjectDifference {
  /** Kind and name. */
  readonly object: string;
  readonly change: 'add' | 'change' | 'scale' | 'remove' | 'missing';
  readonly detail?: string;
}

/** What differs between two revisions of a service, from the first to the second, by inventory. Kept objects belong to neither. */
export function compareRevisions(from: ServiceRevision, to: ServiceRevision): ObjectDifference[] {
  const before = itemsOf(from);
  const after = itemsOf(to);
  const keys = [...new Set([...before.keys(), ...after.keys()])].sort(compareText);
  return keys.flatMap(object => {
    const [old, now] = [before.get(object), after.get(object)];
    if (!old) return [{ object, change: 'add' as const }];
    if (!now) return [{ object, change: 'remove' as const }];
    return compareItems(object, old, now);
  });
}

function compareItems(object: string, old: InventoryItem, now: InventoryItem): ObjectDifference[] {
  const isChanged = old.digest !== now.digest || !sameJson(old.images ?? [], now.images ?? []);
  if (!isChanged && old.replicas === now.replicas) return [];
  const images = sameJson(old.images ?? [], now.images ?? [])
    ? []
    : [`${(old.images ?? []).join(', ')} -> ${(now.images ?? []).join(', ')}`];
  const replicas =
    old.replicas === now.replicas ? [] : [`replicas ${old.replicas ?? 'none'} -> ${now.replicas ?? 'none'}`];
  const detail = [...images, ...replicas].join('; ');
  return [{ object, change: isChanged ? 'change' : 'scale', ...(detail === '' ? {} : { detail }) }];
}

function itemsOf({ spec }: ServiceRevision): Map<string, InventoryItem> {
  const items = spec.parts.flatMap(({ inventory }) => inventory).filter(({ role }) => role !== 'kept');
  return new Map(items.map(item => [`${item.kind}/${item.name}`, item]));
}
