import { isObject } from '../../base/json.ts';
import type {
  Cluster,
  ClusterObject,
  ObjectType,
  OwnerReference,
  StoredObject,
} from '../../cluster/cluster.ts';

export const podType = { apiVersion: 'v1', kind: 'Pod' } as const;
export const replicaSetType = { apiVersion: 'apps/v1', kind: 'ReplicaSet' } as const;
export const jobType = { apiVersion: 'batch/v1', kind: 'Job' } as const;

/** Who controls an object. */
export function controllerOf({ metadata }: ClusterObject): OwnerReference | undefined {
  return metadata.ownerReferences?.find(owner => owner.controller === true);
}

/**
 * The objects of a kind in a namespace whose controller is the one meant. The selector only keeps the answer small; without it all objects of
 * the namespace are read.
 */
export async function controlledBy(
  cluster: Cluster,
  type: ObjectType,
  of: { readonly namespace: string | undefined; readonly selector?: string | undefined },
  isMeant: (controller: OwnerReference) => boolean,
): Promise<readonly StoredObject[]> {
  const found: StoredObject[] = [];
  let page: string | undefined;
  do {
    const list = await cluster.list(type, {
      limit: 500,
      ...(of.namespace === undefined ? {} : { namespace: of.namespace }),
      ...(of.selector === undefined ? {} : { labelSelector: of.selector }),
      ...(page === undefined ? {} : { continue: page }),
    });
    found.push(...list.items);
    page = list.continue;
  } while (page);
  return found.filter(object => {
    const controller = controllerOf(object);
    return controller !== undefined && isMeant(controller);
  });
}

/** The labels by which a workload selects its Pods, as a list is asked for; undefined where they cannot be said so. */
export function selectorOf(workload: ClusterObject): string | undefined {
  const spec = workload['spec'];
  const selector = isObject(spec) ? spec['selector'] : undefined;
  const labels = isObject(selector) && isObject(selector['matchLabels']) ? selector['matchLabels'] : {};
  const pairs = Object.entries(labels).map(([name, value]) => `${name}=${String(value)}`);
  return pairs.length > 0 ? pairs.join(',') : undefined;
}
