import { sayDuration } from '../base/duration.ts';
import { type CloudObjects, newestPlan, operatorIsMissing } from './cloud-objects.ts';
import { sayMoment, secondsOf } from './moments.ts';
import { nameOfPlanWait, nameOfRecordWait } from './name-of-wait.ts';
import type { FiveFacts, FlowView, ServiceView } from './view.ts';

/** What happens next without anybody doing anything, and when. */
export function nextFact(objects: CloudObjects, services: readonly ServiceView[]): FiveFacts['next'] {
  if (operatorIsMissing(objects)) return { text: [sayMissing(objects)] };
  const flows = services.flatMap(({ flow }) => (flow === undefined || flow.state === 'ended' ? [] : [flow]));
  const lines = [...flows.map(flow => sayNext(flow, objects.now)), ...planNext(objects)];
  const at = flows
    .flatMap(({ soakUntil, state, heard }) => (state === 'soaking' ? [soakUntil] : [heard?.until]))
    .filter(moment => moment !== undefined)
    .sort((a, b) => (secondsOf(a) ?? 0) - (secondsOf(b) ?? 0))[0];
  return {
    text: lines.length > 0 ? lines : [nothing(objects)],
    ...(at === undefined ? {} : { at }),
  };
}

function sayMissing({ operator, now }: CloudObjects): string {
  const since = operator?.lastSeenAt === undefined ? '' : ` since ${sayMoment(operator.lastSeenAt, now)}`;
  return `nothing: no operator is running${since}; what serves goes on serving`;
}

function sayNext(flow: FlowView, now: string): string {
  if (flow.question) return `${flow.service}: nothing until a person answers`;
  if (flow.heard) {
    const { until } = flow.heard;
    const when = until === undefined ? 'in a maintenance window' : `at ${sayMoment(until, now)}`;
    return `${flow.service}: ${when} the ${flow.kind} goes on, unless the yes to it is taken back`;
  }
  if (flow.state === 'soaking') {
    const when =
      flow.soakUntil === undefined ? 'when the soak is over' : `at ${sayMoment(flow.soakUntil, now)}`;
    return `${flow.service}: ${when} ${flow.from ?? 'the former version'} is removed`;
  }
  const move = flow.moves.at(-1);
  const doing = move === undefined ? 'begins' : move.says;
  const left = flow.leftSeconds;
  const when =
    left === undefined ? '' : left > 0 ? `, about ${sayDuration(left)} to go` : ', over its estimate already';
  return `${flow.service}: the ${flow.kind} goes on (${doing})${when}`;
}

function planNext(objects: CloudObjects): string[] {
  const plan = newestPlan(objects);
  if (!plan) return [];
  const { name } = plan.metadata;
  const wait = nameOfPlanWait(plan);
  if (wait?.reason === 'WaitingForWindow') return [`${wait.message}, then it starts by itself`];
  if (wait)
    return [
      `nothing of plan ${name} until a person acts${expiry(plan.spec.approval?.expiresAt, objects.now)}`,
    ];
  if (plan.status?.state !== 'Running') return [];
  const begun = new Set(
    (plan.status.steps ?? []).flatMap(({ id, flow }) => (flow === undefined ? [] : [id])),
  );
  const waiting = plan.spec.plan.steps.filter(({ id }) => !begun.has(id));
  return waiting.length === 0 ? [] : [`then ${listed(waiting.map(({ id }) => id))} of plan ${name}`];
}

function expiry(at: string | undefined, now: string): string {
  return at === undefined ? '' : `; its approval ends at ${sayMoment(at, now)}`;
}

function listed(ids: readonly string[]): string {
  return ids.length <= 3 ? ids.join(', ') : `${ids.slice(0, 3).join(', ')} and ${ids.length - 3} more`;
}

function nothing(objects: CloudObjects): string {
  const { record } = objects;
  if (!record) return 'nothing: there is no record';
  if (nameOfRecordWait(objects)) return 'nothing: the record is not carried out as it is';
  return record.status?.observedGeneration === record.metadata.generation &&
    record.status?.observedGeneration !== undefined
    ? 'nothing: no change is under way'
    : 'a plan is made from the record, as soon as an operator looks at it';
}
