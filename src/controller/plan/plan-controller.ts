import { type PlanState, planStates } from '../../api/lifecycle-plan.ts';
import { partsOf, placeOf } from '../../reconcile/informer.ts';
import { isMoreThanStatus } from '../../reconcile/more-than-status.ts';
import type { Controller } from '../../reconcile/reconcile.ts';
import type { Again } from '../../reconcile/work-queue.ts';
import type { EngineWorld } from '../engine-world.ts';
import { flowTurns } from '../flow-turns.ts';
import { byRecord } from '../indexes.ts';
import {
  type FlowObject,
  flowType,
  one,
  type PlanObject,
  planType,
  recordType,
  summarySeconds,
  under,
} from '../our-objects.ts';
import { finish } from '../runtime/finish.ts';
import { done, type StepOutcome } from '../runtime/outcome.ts';
import { mayStart } from './may-start.ts';
import {
  lostSteps,
  type PlanScope,
  type PlanStatus,
  planScope,
  readySteps,
  stepHasFailed,
  stepIsDone,
} from './plan-scope.ts';
import { startSteps } from './start-steps.ts';

/** States in which a plan does nothing more. */
const ended: ReadonlySet<PlanState> = new Set(planStates.slice(planStates.indexOf('Done')));

/** Whether a plan has ended. */
export function planHasEnded({ status }: PlanObject): boolean {
  return status?.state !== undefined && ended.has(status.state);
}

/** Carries out plans: begins each step when its turn has come. */
export function planController(world: EngineWorld): Controller {
  const ofFlow = ({ metadata, spec }: FlowObject) =>
    spec.planned ? [placeOf(metadata.namespace, spec.planned.plan)] : [];
  return {
    name: 'plan',
    workers: 16,
    pass: place => pass(world, place),
    watches: [
      {
        type: planType,
        keysOf: ({ metadata }) => [placeOf(metadata.namespace, metadata.name)],
        isNews: isMoreThanStatus,
      },
      { type: flowType, keysOf: object => ofFlow(object as FlowObject), isNews: flowTurns },
      { type: flowType, keysOf: object => ofFlow(object as FlowObject), gatherSeconds: () => summarySeconds },
      {
        type: recordType,
        keysOf: ({ metadata }) =>
          under<PlanObject>(world.plans, byRecord, `${metadata.namespace}/${metadata.name}`).map(plan =>
            placeOf(plan.metadata.namespace, plan.metadata.name),
          ),
        isNews: isMoreThanStatus,
      },
    ],
  };
}

async function pass(world: EngineWorld, place: string): Promise<Again> {
  const { namespace, name } = partsOf(place);
  const object = one<PlanObject>(world.plans, namespace, name);
  if (!object || object.metadata.deletionTimestamp !== undefined || planHasEnded(object)) return undefined;
  const scope = planScope(world, object);
  const { state, outcome } = await goOn(scope);
  return finish({
    reconciling: world.reconciling,
    object,
    status: { ...statusOf(planScope(world, object), state) },
    outcome,
    well: { reason: state, message: 'Every step is done.' },
    now: scope.now,
  });
}

interface PlanPass {
  readonly state: PlanState;
  readonly outcome: StepOutcome;
}

async function goOn(scope: PlanScope): Promise<PlanPass> {
  const { object } = scope;
  const { aborted } = object.spec;
  const isOutdated = isSuperseded(scope);
  if (aborted) await abortFlows(scope);
  if (aborted || isOutdated) return ending(scope, aborted ? 'Aborted' : 'Superseded');
  const isBegun = scope.flows.size > 0;
  if (isBegun && !hasOpenStep(scope)) return atEnd(scope);
  // Where nothing can begin now, nobody has to let it; but who paused it sees that at once, and not only when its turn comes.
  const held = isBegun && readySteps(scope).length === 0 ? pausedPass(scope) : heldBack(scope);
  return held ?? startMore(scope);
}

/** Why no further step may begin now: nobody approved, no window is open, a person paused it. */
function heldBack(scope: PlanScope): PlanPass | undefined {
  const permission = mayStart(scope);
  if (!permission.may) {
    const { state, message, afterSeconds } = permission;
    if (state === 'Expired') return { state, outcome: { kind: 'failed', reason: state, message } };
    return afterSeconds === undefined
      ? { state, outcome: { kind: 'blocked', reason: state, message } }
      : { state, outcome: { kind: 'wait', reason: state, message, afterSeconds } };
  }
  return pausedPass(scope);
}

/** A person paused it, and there is a step that this holds back, now or later. */
function pausedPass(scope: PlanScope): PlanPass | undefined {
  const { spec, metadata } = scope.object;
  const lost = lostSteps(scope);
  const isLeft = spec.plan.steps.some(({ id }) => !scope.flows.has(id) && !lost.has(id));
  if (!spec.paused || !isLeft) return undefined;
  const message = `Paused: no further step starts. To go on: afloat resume ${metadata.name}`;
  return { state: 'Paused', outcome: { kind: 'blocked', reason: 'Paused', message } };
}

/** Begins what can begin. */
async function startMore(scope: PlanScope): Promise<PlanPass> {
  const { object } = scope;
  const held = await startSteps(scope);
  const after = planScope(scope.world, object);
  if (!hasOpenStep(after)) return atEnd(after);
  const goes = [...after.flows.values()].some(flow => !stepIsDone(flow) && !stepHasFailed(flow));
  if (held?.reason === 'stage' && !goes)
    return {
      state: 'WaitingForStage',
      outcome: { kind: 'blocked', reason: 'WaitingForStage', message: held.message },
    };
  const message = `${[...after.flows.values()].filter(stepIsDone).length} of ${object.spec.plan.steps.length} steps are done.`;
  return { state: 'Running', outcome: { kind: 'wait', reason: 'Running', message } };
}

function hasOpenStep(scope: PlanScope): boolean {
  return scope.object.spec.plan.steps.some(({ id }) => isStillOpen(scope, id));
}

/** A step that has not come to an end and still can. */
function isStillOpen(scope: PlanScope, id: string): boolean {
  const flow = scope.flows.get(id);
  if (flow) return !stepIsDone(flow) && !stepHasFailed(flow);
  return !lostSteps(scope).has(id);
}

function atEnd({ object, flows }: PlanScope): PlanPass {
  const failed = object.spec.plan.steps.filter(({ id }) => stepHasFailed(flows.get(id)));
  const [first] = failed;
  if (!first) return { state: 'Done', outcome: done };
  const because = flows.get(first.id)?.status?.because ?? '';
  return {
    state: 'Failed',
    outcome: { kind: 'failed', reason: 'Failed', message: `${first.id}: ${because}`.slice(0, 1024) },
  };
}

/** No further step begins; those that run come to their own end. */
function ending({ flows }: PlanScope, state: 'Aborted' | 'Superseded'): PlanPass {
  const open = [...flows.values()].filter(flow => !stepIsDone(flow) && !stepHasFailed(flow));
  const [first] = open;
  if (first)
    return {
      state: 'Running',
      outcome: {
        kind: 'wait',
        reason: state,
        message: `No further step starts; waits for ${first.metadata.name} to come to its end.`,
      },
    };
  const message =
    state === 'Aborted' ? 'A person broke the plan off.' : 'The record changed; a new plan takes over.';
  return { state, outcome: { kind: 'failed', reason: state, message } };
}

/** The record changed since the plan was made from it. What a person asked for beside the record is not the record's. */
function isSuperseded({ object, record }: PlanScope): boolean {
  if (object.spec.superseded) return true;
  if (object.spec.holds) return false;
  return !record || record.metadata.generation !== object.spec.recordGeneration;
}

async function abortFlows({ world, flows, namespace }: PlanScope): Promise<void> {
  for (const { apiVersion, kind, metadata, spec, status } of flows.values()) {
    if (status?.end !== undefined || spec.aborted || status?.settledAt !== undefined) continue;
    const ref = { apiVersion, kind, name: metadata.name, namespace };
    await world.reconciling.patch(ref, { type: 'merge', value: { spec: { aborted: true } } });
  }
}

function statusOf({ object, flows, now }: PlanScope, state: PlanState): PlanStatus {
  const { startedAt, finishedAt } = object.status ?? {};
  const at = new Date(now).toISOString();
  const steps = object.spec.plan.steps.flatMap(({ id }) => {
    const flow = flows.get(id);
    if (!flow) return [];
    const { actualState, reason, startedAt: began, finishedAt: over, end } = flow.status ?? {};
    // What a flow does after it has settled is no longer the plan's: the last word a plan heard of it would stand for ever.
    const isSettled = end === undefined && stepIsDone(flow);
    return [
      {
        id,
        flow: flow.metadata.name,
        ...(actualState === undefined ? {} : { state: actualState }),
        ...(end === undefined ? {} : { end }),
        ...(reason === undefined || reason === '' || isSettled ? {} : { message: reason.slice(0, 1024) }),
        ...(began === undefined ? {} : { startedAt: began }),
        ...(over === undefined ? {} : { finishedAt: over }),
      },
    ];
  });
  return {
    state,
    steps,
    ...(startedAt !== undefined ? { startedAt } : flows.size > 0 ? { startedAt: at } : {}),
    ...(ended.has(state) ? { finishedAt: finishedAt ?? at } : {}),
  };
}
