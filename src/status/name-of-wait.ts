import type { FlowEnd, Question } from '../api/flow-kinds.ts';
import { type LifecyclePlan, type PlanState, planStates } from '../api/lifecycle-plan.ts';
import type { Oslc } from '../api/oslc.ts';
import type { WayStatus } from '../api/phase-kinds.ts';
import { type CloudObjects, newestPlan, planIsOver, type Seen } from './cloud-objects.ts';
import { endFacts } from './end-facts.ts';
import { flowView } from './flow-view.ts';
import { holds } from './leading-flows.ts';
import { leftOf } from './left-of.ts';
import { sayMoment } from './moments.ts';
import { sayMoveId } from './move-words.ts';
import type { FlowView, Wait } from './view.ts';
import { isDead, isWeak, sayWay, waysOf } from './ways.ts';

/** The questions as a person is asked them. */
export const questionWords: Record<Question, string> = {
  rollback: 'shall the software go back?',
  restore: 'shall the data be restored?',
  purge: 'shall the data be removed for good?',
  contract: 'shall the point of no return be passed?',
  unclean: 'shall it be removed without its clean-up?',
};

type Heard = NonNullable<FlowView['heard']>;

/** Every reason why a service does not go on, each with what a person can do. Empty where nothing waits. */
export function waitsOf(objects: CloudObjects, service: string, flow: Seen<Oslc> | undefined): Wait[] {
  const view = flow === undefined ? undefined : flowView(flow, objects);
  return [
    ...waysOf(objects, service)
      .filter(way => isDead(way) || isWeak(way))
      .map(wayWait),
    ...(view ? flowWaits(view, objects.now) : []),
    ...(flow && holds(flow, objects) ? [holdWait(flow)] : []),
    ...planWaits(objects, service, view),
  ];
}

/** What serves is not well by itself. */
function wayWait(way: WayStatus): Wait {
  return { reason: isDead(way) ? 'NotReady' : 'Degraded', message: sayWay(way) };
}

function flowWaits(flow: FlowView, now: string): Wait[] {
  if (flow.question) {
    const { question, because } = flow.question;
    const advice = `Answer: afloat approve --answer ${flow.service}:${question}=yes|no`;
    return [{ reason: 'Asks', message: `it asks: ${questionWords[question]} ${because}`, advice }];
  }
  if (flow.state === 'ended') return [];
  if (flow.heard) return [windowWait(flow, flow.heard, now)];
  if (flow.state === 'soaking') return [soakWait(flow, now)];
  const move = flow.moves.at(-1);
  if (move?.state !== 'running') return [];
  const things = move.things.filter(({ state, message }) => state !== 'done' && message !== undefined);
  const said =
    move.message === undefined ? things.map(({ name, message }) => `${name}: ${message}`) : [move.message];
  return said.map(message => ({ reason: 'PhaseRunning', message }));
}

function windowWait({ service }: FlowView, { question, until }: Heard, now: string): Wait {
  const opens = until === undefined ? '' : `, which opens at ${sayMoment(until, now)}`;
  return {
    reason: 'WaitingForWindow',
    message: `the yes to "${questionWords[question]}" is heard and waits for a maintenance window${opens}`,
    advice: `Until then it can be taken back: afloat approve --answer ${service}:${question}=no`,
  };
}

function soakWait(flow: FlowView, now: string): Wait {
  const until = flow.soakUntil === undefined ? '' : ` until ${sayMoment(flow.soakUntil, now)}`;
  return {
    reason: 'Soaking',
    message: `${flow.from ?? 'the former version'} is kept beside ${flow.to ?? 'the new one'}${until}`,
    advice:
      flow.kind === 'rollback'
        ? `To try ${flow.from ?? 'the version before'} again: afloat retry ${flow.service}`
        : `If something is wrong with ${flow.to ?? 'the new version'}, move traffic back: afloat rollback ${flow.service}`,
  };
}

/** A hold in words, with the two ways out of it. */
function holdWait(flow: Oslc): Wait {
  const { status } = flow;
  const end = status?.end ?? 'held';
  const { reason, says } = endFacts[end];
  const why = sayBecause(flow);
  const because = why === undefined ? '' : `: ${why}`;
  const isAsked = !endFacts[end].held;
  return {
    reason: isAsked ? 'HeldAfterRollback' : reason,
    message: isAsked
      ? 'a person asked for it beside the record; the record is not followed'
      : `${says}${because}`,
    advice: adviceFor(flow, end),
  };
}

/** Ends after which a person must look first. */
const needsLook: ReadonlySet<FlowEnd> = new Set(['irreconcilable', 'withdrawn', 'held']);

/** The ways out of a hold. Where nothing that can be started from is left, changing the record is not one of them. */
function adviceFor(flow: Oslc, end: FlowEnd): string {
  const { serviceName: name } = flow.spec;
  const left = needsLook.has(end) ? leftOf(flow) : 'before';
  if (left === 'withdrawn')
    return `Look at it as it stands, then change the record, or mend what failed and say: afloat retry ${name}`;
  if (left === 'between')
    return `Mend what failed, then say: afloat retry ${name}; or go back: afloat rollback ${name}`;
  return end === 'irreconcilable'
    ? `Change the record, or mend what failed and say: afloat retry ${name}`
    : `Change the record, or say: afloat retry ${name}`;
}

/** Why a flow ended, for people: of a move that failed, what it was doing and what it said. */
export function sayBecause({ spec, status }: Pick<Oslc, 'spec' | 'status'>): string | undefined {
  const { because, moves = [] } = status ?? {};
  const failed = moves.find(({ id }) => because === `${id} failed` || because?.startsWith(`${id}: `));
  if (!failed || because === undefined) return because;
  const said = failed.message ?? because.slice(failed.id.length).replace(/^: /, '').trim();
  return `while it ${sayMoveId(failed.id, spec.planned?.step.flow)}: ${said}`;
}

/** What the plan says of a service that no flow of it has begun to change. */
function planWaits(objects: CloudObjects, service: string, flow: FlowView | undefined): Wait[] {
  const plan = newestPlan(objects);
  if (!plan || planIsOver(plan)) return [];
  const own = plan.spec.plan.steps.filter(step => step.service === service);
  const pending = own.filter(({ id }) => {
    const state = plan.status?.steps?.find(step => step.id === id);
    return state?.flow === undefined && state?.end === undefined;
  });
  const listed = plan.spec.plan.waiting
    .filter(wait => wait.service === service && !(flow && wait.reason.startsWith('Held')))
    .map(({ reason, message, advice }) => ({ reason, message, advice }));
  // While another part of it is at work, that says more.
  const isAtWork = flow !== undefined && flow.state !== 'ended';
  const waits = pending.length > 0 && !isAtWork ? planWait(plan, pending[0]?.waitsFor ?? []) : [];
  return [...waits, ...listed];
}

function planWait(plan: LifecyclePlan, waitsFor: readonly string[]): Wait[] {
  const wait = nameOfPlanWait(plan);
  if (wait) return [wait];
  const open = waitsFor.filter(
    id => plan.status?.steps?.find(step => step.id === id)?.finishedAt === undefined,
  );
  if (open.length === 0) return [];
  return [{ reason: 'StepWaits', message: `its step waits for ${open.join(', ')}` }];
}

/** Where a plan is; one that nobody has looked at yet is about to wait for approval, or to begin. */
export function planState({ spec, status }: LifecyclePlan): PlanState {
  const isApproved = spec.plan.approval === 'automatic' || spec.approval !== undefined;
  return status?.state ?? (isApproved ? 'Running' : 'WaitingForApproval');
}

/** Why a plan as a whole does not go on; undefined where it does, or has ended. */
export function nameOfPlanWait(plan: LifecyclePlan): Wait | undefined {
  const { name } = plan.metadata;
  const said = plan.status?.conditions?.find(({ type }) => type === 'Ready')?.message;
  switch (planState(plan)) {
    case 'WaitingForApproval':
      return {
        reason: 'WaitingForApproval',
        message: `plan ${name} waits for a person's approval`,
        advice: `Read it and approve: afloat approve ${name}`,
      };
    case 'WaitingForWindow':
      return { reason: 'WaitingForWindow', message: said ?? `plan ${name} waits for a maintenance window` };
    case 'WaitingForStage': {
      const closed = closedStages(plan).at(0);
      return {
        reason: 'WaitingForStage',
        message: `plan ${name} waits for a person before stage ${closed ?? 'next'}`,
        advice: `Let it begin: afloat approve ${name} --stage ${closed ?? '<stage>'}`,
      };
    }
    case 'Paused':
      return {
        reason: 'Paused',
        message: `plan ${name} is paused: no further step starts`,
        advice: 'Let it go on: afloat resume',
      };
    default:
      return undefined;
  }
}

/** Stages with a gate that no person opened yet, in order. */
export function closedStages({ spec }: LifecyclePlan): string[] {
  return spec.plan.stages
    .filter(({ name, gate }) => gate === 'manual' && !spec.openedStages.includes(name))
    .map(({ name }) => name);
}

/** Reasons of a record that are said with the plan or the service they are about. */
const saidElsewhere: readonly (string | undefined)[] = [...planStates, 'HeldAfterRollback', 'Irreconcilable'];

/** Why nothing can be made of the record as it is: it is refused, or what it wishes is not done. Undefined where it is carried out. */
export function nameOfRecordWait({ record }: CloudObjects): Wait | undefined {
  const stalled = record?.status?.conditions?.find(({ type }) => type === 'Stalled');
  if (stalled?.status !== 'True' || saidElsewhere.includes(stalled.reason)) return undefined;
  return { reason: stalled.reason ?? 'Stalled', message: stalled.message ?? 'the record is not carried out' };
}
