import type { LifecyclePlan, PlanStep } from '../../api/lifecycle-plan.ts';
import type { EngineWorld } from '../engine-world.ts';
import { byPlan } from '../indexes.ts';
import { type FlowObject, one, type PlanObject, type RecordObject, under } from '../our-objects.ts';

export type PlanStatus = NonNullable<LifecyclePlan['status']>;
export type StepStatus = NonNullable<PlanStatus['steps']>[number];

/** What one pass over a plan knows. */
export interface PlanScope {
  readonly world: EngineWorld;
  readonly object: PlanObject;
  readonly namespace: string;
  readonly record: RecordObject | undefined;
  /** The flows that carry out its steps, by step. */
  readonly flows: ReadonlyMap<string, FlowObject>;
  readonly now: number;
}

/** Gathers what a pass goes by. */
export function planScope(world: EngineWorld, object: PlanObject): PlanScope {
  const { namespace = '', name } = object.metadata;
  const flows = under<FlowObject>(world.flows, byPlan, `${namespace}/${name}`);
  return {
    world,
    object,
    namespace,
    record: one<RecordObject>(world.records, namespace, object.spec.deployment),
    flows: new Map(flows.map(flow => [flow.spec.planned?.step.id ?? '', flow])),
    now: world.clock.wall(),
  };
}

/** Whether a step has done what it was asked for; what follows it need not wait for a soak. */
export function stepIsDone(flow: FlowObject | undefined): boolean {
  const { end, settledAt } = flow?.status ?? {};
  return end === 'operational' || end === 'removed' || (end === undefined && settledAt !== undefined);
}

/** Whether a step came to another end than it was asked for. */
export function stepHasFailed(flow: FlowObject | undefined): boolean {
  const { end } = flow?.status ?? {};
  return end !== undefined && end !== 'operational' && end !== 'removed';
}

/** Steps that can begin now: all they wait for are done, and so are the stages before theirs. */
export function readySteps({ object, flows }: PlanScope): readonly PlanStep[] {
  const { steps } = object.spec.plan;
  const placeOf = stagePlaces(object);
  const open = steps.filter(({ id }) => !stepIsDone(flows.get(id)));
  const first = open.reduce((least, step) => Math.min(least, placeOf(step)), Number.POSITIVE_INFINITY);
  return steps.filter(
    step =>
      !flows.has(step.id) &&
      placeOf(step) <= first &&
      step.waitsFor.every(before => stepIsDone(flows.get(before))),
  );
}

/** Steps that can no longer begin, because one they wait for, or one of a stage before theirs, failed or can no longer begin either. */
export function lostSteps({ object, flows }: PlanScope): ReadonlySet<string> {
  const lost = new Set<string>();
  const placeOf = stagePlaces(object);
  let brokenStage = Number.POSITIVE_INFINITY;
  // Steps are listed in an order in which what is waited for comes first.
  for (const step of object.spec.plan.steps) {
    const isOut =
      stepHasFailed(flows.get(step.id)) ||
      (!flows.has(step.id) &&
        (placeOf(step) > brokenStage ||
          step.waitsFor.some(before => lost.has(before) || stepHasFailed(flows.get(before)))));
    if (!isOut) continue;
    brokenStage = Math.min(brokenStage, placeOf(step));
    if (!flows.has(step.id)) lost.add(step.id);
  }
  return lost;
}

/** Which of the stages of a plan a step is in, counted from 0. */
function stagePlaces({ spec }: PlanObject): (step: PlanStep) => number {
  const places = new Map(spec.plan.stages.map(({ name }, index) => [name, index]));
  return ({ stage }) => places.get(stage) ?? spec.plan.stages.length;
}
