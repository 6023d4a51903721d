import type { FlowEnd } from '../api/flow-kinds.ts';
import { type CloudObjects, planIsOver } from './cloud-objects.ts';
import type { Outcome } from './outcome.ts';

/** What brings a service back: a plan of its own, or the flows that soak and were told to go back. By name. */
export type LedTo = { readonly plan: string } | { readonly flows: readonly string[] };

/** Ends of a flow after which the former version serves. */
const isBack: ReadonlySet<FlowEnd> = new Set(['operational', 'rolledback', 'undone', 'takenback']);

/** Where a way back that a person asked for stands. Done: the former version serves; that it is held against the record is meant so. */
export function outcomeOfReturn(objects: CloudObjects, ledTo: LedTo): Outcome {
  return 'plan' in ledTo ? ofPlan(objects, ledTo.plan) : ofFlows(objects, ledTo.flows);
}

function ofPlan({ plans, flows }: CloudObjects, name: string): Outcome {
  const plan = plans.find(({ metadata }) => metadata.name === name);
  if (!plan) return 'running'; // what was written is not seen yet
  const own = flows.filter(({ spec }) => spec.planned?.plan === name);
  if (own.some(({ status }) => status?.end === undefined && status?.question)) return 'waiting';
  if (planIsOver(plan)) return plan.status?.state === 'Done' ? 'done' : 'undone';
  const { state } = plan.status ?? {};
  return state === 'WaitingForApproval' || state === 'WaitingForStage' || state === 'Paused'
    ? 'waiting'
    : 'running';
}

function ofFlows({ flows }: CloudObjects, names: readonly string[]): Outcome {
  const own = flows.filter(({ metadata }) => names.includes(metadata.name));
  if (own.some(({ status }) => status?.end === undefined && status?.question)) return 'waiting';
  if (own.length < names.length || own.some(({ status }) => status?.end === undefined)) return 'running';
  return own.every(({ status }) => status?.end !== undefined && isBack.has(status.end)) ? 'done' : 'undone';
}
