import type { InventoryItem } from '../api/service-revision.ts';
import { digestJson } from '../base/digest.ts';
import { compareText, isObject, type Json, type JsonObject } from '../base/json.ts';
import { identityOf } from './object-kinds.ts';
import type { RenderedObject } from './package.ts';
import { isUnrouted } from './unrouted.ts';

/**
 * The list of objects that a plan compares, sorted by kind, name and phase. A digest leaves out the replica count and
 * the images, which are listed beside it: a change of those alone is told apart from a change of the object.
 * `namespace` is that of the record, `routes` are the Services through which clients reach the part, where that is to be told.
 */
export function makeInventory(
  objects: readonly RenderedObject[],
  namespace: string,
  routes?: readonly string[],
): InventoryItem[] {
  return objects
    .map(object => ({
      ...inventoryItem(object, namespace),
      ...(routes && isUnrouted(object, objects, routes) ? { unrouted: true } : {}),
    }))
    .sort(compareItems);
}

function inventoryItem({ object, role, phases }: RenderedObject, home: string): InventoryItem {
  const { apiVersion, kind, name, namespace } = identityOf(object);
  const images = new Set<string>();
  const { rest, replicas } = withoutReplicas(object);
  const digest = digestJson(withoutImages(rest, images));
  return {
    ...{ apiVersion, kind, name },
    ...(namespace === '' || namespace === home ? {} : { namespace }),
    ...{ role, phases, digest },
    ...(replicas === undefined ? {} : { replicas }),
    ...(images.size === 0 ? {} : { images: [...images].sort(compareText) }),
  };
}

function withoutReplicas(object: JsonObject): { rest: JsonObject; replicas?: number } {
  const { spec } = object;
  if (!isObject(spec) || !Object.hasOwn(spec, 'replicas')) return { rest: object };
  const { replicas, ...others } = spec;
  const rest = { ...object, spec: others };
  return typeof replicas === 'number' && Number.isInteger(replicas) ? { rest, replicas } : { rest };
}

const containerLists = new Set(['containers', 'initContainers', 'ephemeralContainers']);

/** Containers stand at different depths in a Pod, a Deployment, a CronJob; their lists are called the same in all. */
function withoutImages(value: Json, images: Set<string>): Json {
  if (isList(value)) return value.map(item => withoutImages(item, images));
  if (!isObject(value)) return value;
  const fields = Object.entries(value).map(([key, item]) => {
    const bare = containerLists.has(key) && isList(item) ? item.map(one => withoutImage(one, images)) : item;
    return [key, withoutImages(bare, images)] as const;
  });
  return Object.fromEntries(fields);
}

function withoutImage(container: Json, images: Set<string>): Json {
  if (!isObject(container) || typeof container['image'] !== 'string') return container;
  const { image, ...rest } = container;
  images.add(image);
  return rest;
}

function compareItems(a: InventoryItem, b: InventoryItem): number {
  return (
    compareText(a.kind, b.kind) ||
    compareText(a.name, b.name) ||
    compareText(a.namespace ?? '', b.namespace ?? '') ||
    compareText(a.apiVersion, b.apiVersion) ||
    compareText(a.phases.join(), b.phases.join()) ||
    compareText(a.digest, b.digest)
  );
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
