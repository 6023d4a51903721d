import { requirementsOf, upgradeAfter } from './check-limits.ts';
import type { DraftStep } from './make-steps.ts';
import type { StepGraph } from './order.ts';
import type { Stages } from './stages.ts';
import { isInside } from './version-facts.ts';
import type { ServiceWish } from './wish.ts';

/** Flows that take a version, or the whole service, away. What stands on it must go first. */
const goesDown: ReadonlySet<string> = new Set(['rollback', 'uninstall']);

/** The steps of a service by number, in the order they run. */
export interface ServiceSteps {
  readonly wish: ServiceWish;
  readonly steps: readonly number[];
}

/**
 * What each step waits for: the step of the same service before it (a service has one flow at a time), and the steps
 * of what its service requires, or may only be upgraded after.
 */
export function stepGraph(
  drafts: readonly DraftStep[],
  services: readonly ServiceSteps[],
  stages: Stages,
): StepGraph {
  const waitsFor: number[][] = drafts.map(() => []);
  const byName = new Map(services.map(entry => [entry.wish.service, entry]));
  for (const entry of services) {
    for (const [place, step] of entry.steps.entries()) {
      const before = entry.steps[place - 1];
      if (before !== undefined) waitsFor[step]?.push(before);
    }
    for (const needed of requirementsOf(entry.wish))
      link(drafts, waitsFor, byName.get(needed.service), entry);
    for (const first of upgradesAfter(entry, byName)) link(drafts, waitsFor, first, entry);
  }
  return { waitsFor, stage: drafts.map(draft => stages.stageOf(draft)) };
}

/** `upper` stands on `lower`: up it comes after it, down it goes before it. */
function link(
  drafts: readonly DraftStep[],
  waitsFor: number[][],
  lower: ServiceSteps | undefined,
  upper: ServiceSteps,
): void {
  if (!lower || lower === upper || lower.steps.length === 0 || upper.steps.length === 0) return;
  const down = lower.steps.every(step => goesDown.has(drafts[step]?.flow ?? ''));
  const upperGoes = upper.steps.every(step => drafts[step]?.flow === 'uninstall');
  const [first, second] = down || upperGoes ? [upper, lower] : [lower, upper];
  const last = lastThatCounts(drafts, first.steps);
  const start = second.steps[0];
  if (last === undefined || start === undefined || waitsFor[start]?.includes(last)) return;
  waitsFor[start]?.push(last);
}

/** Nobody waits for the last compute host: a service counts as changed when its control plane is. */
function lastThatCounts(drafts: readonly DraftStep[], steps: readonly number[]): number | undefined {
  return steps.findLast(step => drafts[step]?.tier !== 'dataplane') ?? steps.at(-1);
}

/** Services that must have reached a version before this one is upgraded, and have not yet. */
function upgradesAfter({ wish }: ServiceSteps, byName: ReadonlyMap<string, ServiceSteps>): ServiceSteps[] {
  return upgradeAfter(wish).flatMap(after => {
    const other = byName.get(after.service);
    const now = other?.wish.running?.version;
    const reached = now !== undefined && isInside(now, after.version, other?.wish.running?.lifecycle);
    return other && !reached ? [other] : [];
  });
}
