import { apiVersion } from '../../api/group.ts';
import type { PlanStep } from '../../api/lifecycle-plan.ts';
import { phaseKinds } from '../../api/phase-kinds.ts';
import { CodedError } from '../../base/coded-error.ts';
import type { Cluster, ObjectType, StoredObject } from '../../cluster/cluster.ts';
import { isReason } from '../../cluster/cluster-error.ts';
import { listAll } from '../../cluster/follow/list-all.ts';
import { makeFlow } from '../../flow/flow.ts';
import type { CloudObjects, OperatorPresence } from '../../status/cloud-objects.ts';
import type { NamespaceWish } from '../in-namespace.ts';

const recordType: ObjectType = { apiVersion, kind: 'OpenstackDeployment' };

/** Every kind a view is computed from. */
export const cloudTypes: readonly ObjectType[] = [
  recordType,
  { apiVersion, kind: 'LifecyclePlan' },
  { apiVersion, kind: 'Oslc' },
  { apiVersion, kind: 'ServiceRevision' },
  ...phaseKinds.map(({ kind }) => ({ apiVersion, kind })),
];

/** The namespace that is meant: the one that was named, else that of the only record there is, else the usual one. */
export async function chooseNamespace(
  cluster: Cluster,
  { named, usual = 'default' }: NamespaceWish,
): Promise<string> {
  if (named !== undefined) return named;
  const found = await namespacesWithRecord(cluster);
  if (found.length <= 1) return found[0] ?? usual;
  const message = `there are records in several namespaces: ${found.join(', ')}; say which with --namespace`;
  throw new CodedError('UsageInvalid', message);
}

async function namespacesWithRecord(cluster: Cluster): Promise<string[]> {
  try {
    const { items } = await listAll(cluster, recordType, {});
    return [...new Set(items.map(({ metadata }) => metadata.namespace ?? 'default'))].sort();
  } catch (error) {
    if (isReason(error, 'Forbidden', 'NotFound')) return []; // one namespace is all this person may see
    throw error;
  }
}

/** The ids of the moves of a step when all goes well, for bars. */
export function movesOf(step: PlanStep): readonly string[] {
  return makeFlow(step).paths['main']?.moves.map(({ id }) => id) ?? [];
}

/** Everything of one cloud, read now. */
export async function readCloud(
  cluster: Cluster,
  namespace: string,
  moment: Parameters<typeof cloudOf>[1],
): Promise<CloudObjects> {
  const lists = await Promise.all(cloudTypes.map(type => listAll(cluster, type, { namespace })));
  return cloudOf(
    lists.flatMap(({ items }) => items),
    moment,
  );
}

/** Sorts objects into what a view is computed from. They were validated and given their defaults at the door. */
export function cloudOf(
  objects: readonly StoredObject[],
  moment: { readonly now: string; readonly operator?: OperatorPresence },
): CloudObjects {
  const of = <T>(...kinds: readonly string[]) =>
    objects.filter(({ kind }) => kinds.includes(kind)) as unknown as readonly T[];
  const [record] = of<NonNullable<CloudObjects['record']>>('OpenstackDeployment');
  return {
    ...(record === undefined ? {} : { record }),
    plans: of<CloudObjects['plans'][number]>('LifecyclePlan'),
    flows: of<CloudObjects['flows'][number]>('Oslc'),
    revisions: of<CloudObjects['revisions'][number]>('ServiceRevision'),
    phases: of<CloudObjects['phases'][number]>(...phaseKinds.map(({ kind }) => kind)),
    ...moment,
    movesOf,
  };
}
