import { type CloudObjects, newestPlan } from './cloud-objects.ts';
import type { View } from './view.ts';

/** Where following a change stands: it goes on, is done, waits for a person, or failed and was taken back. */
export type Outcome = 'running' | 'done' | 'waiting' | 'undone';

/**
 * Where the change to the record as it is now stands. Done: everything is as the record says; old versions may still be kept
 * beside the new ones for their soak, for which nobody waits.
 */
export function outcomeOf(objects: CloudObjects, view: View): Outcome {
  const { record } = objects;
  if (!record) return 'done';
  const seen = record.status?.observedGeneration;
  if (seen === undefined || seen < (record.metadata.generation ?? 0)) return 'running';
  if (view.services.some(({ state }) => state === 'Asking')) return 'waiting';
  const plan = newestPlan(objects);
  switch (plan?.status?.state) {
    case 'WaitingForApproval':
    case 'WaitingForStage':
    case 'Paused':
    case 'Expired':
      return 'waiting';
    case 'WaitingForWindow':
      return 'running';
    case 'Failed':
    case 'Aborted':
      return 'undone';
    case 'Running':
      return onlySoaks(objects, view) ? 'done' : 'running';
    default:
      return afterPlan(view);
  }
}

/** Every step began, and of those that have not ended only the soak is left. */
function onlySoaks(objects: CloudObjects, { services }: View): boolean {
  const plan = newestPlan(objects);
  const begun = new Set(
    (plan?.status?.steps ?? []).flatMap(({ id, flow }) => (flow === undefined ? [] : [id])),
  );
  const all = plan?.spec.plan.steps.every(({ id }) => begun.has(id)) ?? true;
  const open = services.flatMap(({ flow }) => (flow === undefined || flow.state === 'ended' ? [] : [flow]));
  return all && open.length > 0 && open.every(({ state }) => state === 'soaking') && !hasFailed(services);
}

function afterPlan({ services }: View): Outcome {
  if (hasFailed(services)) return 'undone';
  return services.some(({ state }) => state === 'InFlow' || state === 'GoingBack') ? 'running' : 'done';
}

function hasFailed(services: View['services']): boolean {
  return services.some(({ hold }) => hold !== undefined);
}
