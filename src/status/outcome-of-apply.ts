import { type CloudObjects, newestPlan } from './cloud-objects.ts';
import { type Outcome, outcomeOf } from './outcome.ts';
import type { View } from './view.ts';

/** A record as it was applied. */
export interface AppliedRecord {
  readonly generation: number;
  /** Plans that were over before: how they ended says nothing of this apply. By name. */
  readonly formerPlans: readonly string[];
}

/**
 * Where what was applied stands, or what took its place since. Undone: a plan for it failed or was broken off. What is held from before is
 * not tried by applying it again: then it waits for a person.
 */
export function outcomeOfApply(objects: CloudObjects, view: View, applied: AppliedRecord): Outcome {
  // A watch may tell of the record later than it was written.
  if ((objects.record?.metadata.generation ?? applied.generation) < applied.generation) return 'running';
  const outcome = outcomeOf(objects, view);
  if (outcome !== 'undone') return outcome;
  const { state } = planOfApply(objects, applied)?.status ?? {};
  return state === 'Failed' || state === 'Aborted' ? 'undone' : 'waiting';
}

/** The plan that counts, where it came of this apply or of a later one. */
export function planOfApply(
  objects: CloudObjects,
  { generation, formerPlans }: AppliedRecord,
): ReturnType<typeof newestPlan> {
  const plan = newestPlan(objects);
  if (!plan || plan.spec.recordGeneration < generation) return undefined;
  return formerPlans.includes(plan.metadata.name) ? undefined : plan;
}
