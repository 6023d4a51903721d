import { type LifecyclePlan, planStates } from '../api/lifecycle-plan.ts';
import type { OpenstackDeployment } from '../api/openstack-deployment.ts';
import { type CloudObjects, newestPlan, planIsOver } from './cloud-objects.ts';
import type { View } from './view.ts';

/** Where following a change stands: it goes on, is done, waits for a person, failed and was taken back, or was refused as it is. */
export type Outcome = 'running' | 'done' | 'waiting' | 'undone' | 'refused';

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
  const plan = planOfNow(objects, record);
  if (plan && isYoung(plan, record)) return 'running';
  if (!plan && lagsBehind(objects, record)) return 'running';
  // What a person takes back after its plan has ended goes on without a plan.
  if ((!plan || planIsOver(plan)) && isUnderWay(objects, view)) return 'running';
  if (view.waits.length > 0 && (!plan || planIsOver(plan))) return 'refused';
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

/** A plan that nobody has looked at yet, or one for a record that has changed since and is about to be replaced. */
function isYoung(plan: LifecyclePlan, record: OpenstackDeployment): boolean {
  if (plan.status?.state === undefined) return true;
  const isOutdated = !plan.spec.holds && plan.spec.recordGeneration !== record.metadata.generation;
  return isOutdated && !planIsOver(plan);
}

/** The plan that counts, unless it is the end of one for a record that has changed since: that says nothing of the record as it is now. */
function planOfNow(objects: CloudObjects, { metadata }: OpenstackDeployment): LifecyclePlan | undefined {
  const plan = newestPlan(objects);
  if (!plan || !planIsOver(plan) || plan.spec.holds) return plan;
  return plan.spec.recordGeneration === metadata.generation ? plan : undefined;
}

/** A record says of itself that a plan is under way, and none is: the one it speaks of has just ended, and what comes next is not decided yet. */
function lagsBehind({ plans }: CloudObjects, { status }: OpenstackDeployment): boolean {
  const speaksOfPlan = (status?.conditions ?? []).some(
    ({ type, status: holds, reason }) =>
      (type === 'Progressing' || type === 'Stalled') && holds === 'True' && ofPlans.has(reason ?? ''),
  );
  return speaksOfPlan && plans.every(planIsOver);
}

const ofPlans: ReadonlySet<string> = new Set([...planStates, 'Planned']);

function isUnderWay({ flows }: CloudObjects, { services }: View): boolean {
  const goesBack = flows.some(({ spec, status }) => spec.aborted === true && status?.end === undefined);
  return goesBack || services.some(({ state }) => state === 'InFlow' || state === 'GoingBack');
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
  return hasFailed(services) ? 'undone' : 'done';
}

function hasFailed(services: View['services']): boolean {
  return services.some(({ hold }) => hold !== undefined);
}
