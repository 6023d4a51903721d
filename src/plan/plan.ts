/**
 * Plan: what is against what shall be.
 *
 * In: `ResolvedRecord`, the `ServiceTarget`s of its packages, `ObservedState`. Out: `Plan`, or findings that say why
 * there is none. Never: reads a clock, a file or a cluster; the same input gives the same bytes.
 */

import { type Finding, finding } from '../api/finding.ts';
import type { Plan, PlanStep, Waiting } from '../api/lifecycle-plan.ts';
import { type Digest, digestJson } from '../base/digest.ts';
import type { ServiceTarget } from '../package/package.ts';
import type { Refusal } from '../package/read-packages.ts';
import type { ResolvedRecord } from '../record/record.ts';
import { checkLimits } from './check-limits.ts';
import { checkMachine, type Machine } from './check-machine.ts';
import { checkRouters } from './check-routers.ts';
import { decideData } from './data-steps.ts';
import { totalSeconds } from './estimate.ts';
import { wayBack } from './going-back.ts';
import { worstImpact } from './impact.ts';
import { type DraftStep, makeSteps } from './make-steps.ts';
import { makeWishes } from './make-wishes.ts';
import { mergeParts } from './merge-parts.ts';
import type { ObservedState } from './observed-state.ts';
import { offersFor } from './offers.ts';
import { orderSteps } from './order.ts';
import { placeOf } from './place.ts';
import { against, findingsOf } from './refusal.ts';
import { settleWishes } from './settle-wishes.ts';
import { stagesOf } from './stages.ts';
import { type ServiceSteps, stepGraph } from './step-graph.ts';
import type { ServiceWish } from './wish.ts';

/** Everything a plan is made from. */
export interface PlanInput {
  readonly record: ResolvedRecord;
  readonly targets: readonly ServiceTarget[];
  readonly observed: ObservedState;
  /** The machine it is to run on, where that is one without a container engine. */
  readonly machine?: Machine;
  /** The routers that it was told of who carries it out; left out where that is not known. */
  readonly routers?: readonly string[];
}

/** A plan, or all the reasons why there is none. */
export type PlanResult = { readonly plan: Plan } | { readonly findings: readonly Finding[] };

/** Makes the plan that brings the cloud from what is observed to what the record says, all of it. */
export function makePlan(input: PlanInput): PlanResult {
  const made = planWithout(input, []);
  return 'plan' in made ? made : { findings: findingsOf(made.refused) };
}

/**
 * The same, with services left as they are whose wish was refused before: they wait, and with them what stands on them, or what would
 * leave them without what they stand on. Or what is refused beside, service by service.
 */
export function planWithout(
  { record, targets, observed, machine, routers }: PlanInput,
  refused: readonly Refusal[],
): { readonly plan: Plan } | { readonly refused: readonly Refusal[] } {
  const wanted = makeWishes(record, targets, observed, refused);
  const { wishes, drafts, services, problems } = draftAll(
    record,
    settleWishes(withContracts(record, wanted.wishes)),
  );
  const unfit = machine
    ? wishes.flatMap(wish => against(wish.service, checkMachine(record, wish, machine)))
    : [];
  const unrouted = routers
    ? wishes.flatMap(wish => against(wish.service, checkRouters(record, wish, routers)))
    : [];
  const all = [...wanted.refused, ...checkLimits(record, wishes), ...unfit, ...unrouted, ...problems];
  if (all.length > 0) return { refused: all };
  const placed = placeSteps(record, drafts, services);
  if (!('cycle' in placed)) return { plan: assemble(record, wishes, placed) };
  const found = cycleFinding(record, placed.cycle, wishes);
  const names = [...new Set(placed.cycle.map(step => step.service))];
  return { refused: names.map(service => ({ service, finding: found })) };
}

/** The digest a person approves: over every byte of the plan. */
export function planDigest(plan: Plan): Digest {
  return digestJson(plan);
}

interface Drafted {
  readonly wishes: ServiceWish[];
  readonly drafts: DraftStep[];
  readonly services: ServiceSteps[];
  readonly problems: Refusal[];
}

/** A schema change that comes too early makes its service wait. */
function withContracts(record: ResolvedRecord, wishes: readonly ServiceWish[]): ServiceWish[] {
  return wishes.map(wish => {
    const waiting = wish.parts.length > 0 ? decideData(record, wish).waiting : undefined;
    return waiting ? { ...wish, parts: [], waiting } : wish;
  });
}

function draftAll(record: ResolvedRecord, wanted: readonly ServiceWish[]): Drafted {
  const drafted: Drafted = { wishes: [], drafts: [], services: [], problems: [] };
  for (const wish of wanted) {
    const data = wish.parts.length > 0 ? decideData(record, wish) : { steps: [], findings: [] };
    const merged = mergeParts(record, wish, data.steps);
    const { steps, findings } = makeSteps(record, merged.wish, data.steps);
    drafted.wishes.push(merged.wish);
    drafted.services.push({
      wish: merged.wish,
      steps: steps.map((_, index) => drafted.drafts.length + index),
    });
    drafted.drafts.push(...steps);
    drafted.problems.push(...against(wish.service, [...data.findings, ...merged.findings, ...findings]));
  }
  return drafted;
}

interface Placed {
  readonly stages: Plan['stages'];
  readonly steps: readonly PlanStep[];
}

/** Gives the steps their stage, wave and order; or names the steps of a circle. */
export function placeSteps(
  record: ResolvedRecord,
  drafts: readonly DraftStep[],
  services: readonly ServiceSteps[],
): Placed | { readonly cycle: readonly DraftStep[] } {
  const stages = stagesOf(record.spec.stages);
  const graph = stepGraph(drafts, services, stages);
  const order = orderSteps(graph, record.spec.maxParallel);
  const at = (index: number) => drafts[index] as DraftStep;
  if ('cycle' in order) return { cycle: order.cycle.map(at) };
  const shown = shownChanges(drafts.length);
  const steps = order.sequence.map(index => {
    const { tier: _tier, ...step } = at(index);
    return {
      ...step,
      changes: step.changes.slice(0, shown),
      moreChanges: Math.max(0, step.changes.length - shown),
      stage: stages.stages[order.stage[index] ?? 0]?.name ?? 'rest',
      wave: order.wave[index] ?? 0,
      waitsFor: (graph.waitsFor[index] ?? []).map(before => at(before).id).sort(),
    };
  });
  const used = new Set(steps.map(step => step.stage));
  return { stages: stages.stages.filter(stage => used.has(stage.name)), steps };
}

/**
 * How many changed objects a step names; of the rest only the number is said. A plan is one object, and an object of a
 * cluster has its limit of 1.5 MB also when it has a thousand steps.
 */
function shownChanges(steps: number): number {
  return Math.min(12, Math.max(1, Math.floor(1500 / steps)));
}

function cycleFinding(
  record: ResolvedRecord,
  cycle: readonly DraftStep[],
  wishes: readonly ServiceWish[],
): Finding {
  const names = [...new Set(cycle.map(step => step.service))];
  const first = wishes.find(wish => wish.service === names[0]);
  const circle = [...names, names[0]].join(' -> ');
  return finding(
    'DependencyCycle',
    `services wait for each other in a circle: ${circle}`,
    placeOf(record, first?.wanted),
  );
}

/** Puts a plan together from steps that have their place. */
export function assemble(
  record: ResolvedRecord,
  wishes: readonly ServiceWish[],
  { stages, steps }: Placed,
): Plan {
  const noReturn = steps.find(step => step.pointOfNoReturn);
  return {
    cloud: record.name,
    recordDigest: record.digest,
    approval: approvalFor(record, steps),
    stages,
    steps,
    back: wayBack(steps),
    waiting: wishes.flatMap<Waiting>(wish => (wish.waiting ? [wish.waiting] : [])),
    offers: offersFor(wishes),
    notes: wishes.flatMap(wish => (wish.waiting ? [] : wish.notes)),
    impact: worstImpact(steps.map(step => step.impact)),
    estimateSeconds: totalSeconds(steps),
    ...(noReturn ? { pointOfNoReturn: noReturn.id } : {}),
  };
}

/** A person is asked where the record or a touched service says so, and always where something cannot be undone. */
function approvalFor(record: ResolvedRecord, steps: readonly PlanStep[]): Plan['approval'] {
  const own = new Map(record.services.map(service => [service.name, service.approval]));
  const asks = (step: PlanStep) =>
    step.consents.length > 0 || (own.get(step.service) ?? record.spec.approval) === 'manual';
  return steps.some(asks) ? 'manual' : 'automatic';
}
