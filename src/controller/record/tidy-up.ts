import type { StoredObject } from '../../cluster/cluster.ts';
import { isReason } from '../../cluster/cluster-error.ts';
import type { EngineWorld } from '../engine-world.ts';
import { forgetStored } from '../forget-stored.ts';
import type { ServiceState } from '../observe/service-state.ts';
import { planHasEnded } from '../plan/plan-controller.ts';
import type { RecordScope } from './record-scope.ts';

/** Plans and flows that have ended are kept as long as people look at them; beside those that still matter. */
const endedPlansKept = 20;

/**
 * Forgets what nobody needs any more: revisions beyond the limit of the record, and the oldest of the flows and plans that have ended.
 * Never what runs, what a running flow comes from, the flow that keeps what runs in order, one that holds its target, or one of a plan
 * that goes on.
 */
export async function tidyUp(scope: RecordScope): Promise<void> {
  const { world, object, plans, services } = scope;
  const open = new Set(plans.filter(plan => !planHasEnded(plan)).map(({ metadata }) => metadata.name));
  const inUse = new Set(open);
  const unneeded: StoredObject[] = [];
  for (const state of services) {
    if (state.running) continue;
    const { forgotten, keptPlans } = tidyService(state, object.spec.revisionHistoryLimit, open);
    unneeded.push(...forgotten);
    for (const plan of keptPlans) inUse.add(plan);
  }
  const ended = plans.filter(planHasEnded).slice(endedPlansKept);
  unneeded.push(...ended.filter(({ metadata }) => !inUse.has(metadata.name)));
  for (const one of unneeded) await forget(world, one);
  // Rendered manifests and packages go when the last that needs them has gone.
  if (unneeded.length > 0 && scope.record) await forgetStored(world, scope.namespace, new Set(unneeded));
}

/** What of one service may go, and the plans that must not. */
export function tidyService(
  { revisions, flows, current, hold }: ServiceState,
  limit: number,
  open: ReadonlySet<string>,
): { forgotten: StoredObject[]; keptPlans: string[] } {
  const kept = new Set(
    [...revisions.slice(0, limit), ...(current ? [current] : [])].flatMap(({ spec }) =>
      spec.parts.flatMap(part => part.manifests),
    ),
  );
  const forgotten: StoredObject[] = [...revisions.slice(limit)];
  const keptPlans: string[] = [];
  for (const flow of flows.filter(({ status }) => status?.end !== undefined).slice(limit)) {
    const plan = flow.spec.planned?.plan;
    // A plan that goes on would begin a step again whose flow it does not find; a hold that is forgotten is no hold.
    const counts = flow === hold || (plan !== undefined && open.has(plan));
    const keeps = flow.status?.manifests?.some(name => kept.has(name));
    if (!keeps && !counts) forgotten.push(flow);
    else if (plan !== undefined) keptPlans.push(plan);
  }
  return { forgotten, keptPlans };
}

/** Deletes one of our objects, unless it is another by now. */
export async function forget(
  { reconciling }: Pick<EngineWorld, 'reconciling'>,
  { apiVersion, kind, metadata }: StoredObject,
): Promise<void> {
  const { name, namespace, uid } = metadata;
  try {
    await reconciling.delete(
      { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }) },
      { preconditions: { uid }, propagation: 'Background' },
    );
  } catch (error) {
    if (!isReason(error, 'NotFound', 'Conflict')) throw error;
  }
}
