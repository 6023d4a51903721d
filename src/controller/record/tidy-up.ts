import type { StoredObject } from '../../cluster/cluster.ts';
import { isReason } from '../../cluster/cluster-error.ts';
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
  const limit = object.spec.revisionHistoryLimit;
  const open = new Set(plans.filter(plan => !planHasEnded(plan)).map(({ metadata }) => metadata.name));
  const inUse = new Set(open);
  for (const { revisions, flows, current, running, hold } of services) {
    if (running) continue;
    const kept = new Set(
      [...revisions.slice(0, limit), ...(current ? [current] : [])].flatMap(({ spec }) =>
        spec.parts.flatMap(part => part.manifests),
      ),
    );
    for (const revision of revisions.slice(limit)) await forget(world, revision);
    const old = flows.filter(({ status }) => status?.end !== undefined).slice(limit);
    for (const flow of old) {
      const plan = flow.spec.planned?.plan;
      // A plan that goes on would begin a step again whose flow it does not find; a hold that is forgotten is no hold.
      const counts = flow === hold || (plan !== undefined && open.has(plan));
      const keeps = flow.status?.manifests?.some(name => kept.has(name));
      if (!keeps && !counts) await forget(world, flow);
      else if (plan !== undefined) inUse.add(plan);
    }
  }
  const ended = plans.filter(planHasEnded).slice(endedPlansKept);
  for (const plan of ended) if (!inUse.has(plan.metadata.name)) await forget(world, plan);
}

async function forget(
  { reconciling }: RecordScope['world'],
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
