import type { PlanStep } from '../api/lifecycle-plan.ts';

/** What the parts of a step are called in a plan: `keystone`, `nova.api`, `nova.compute@zone-a`. */
export function partsCovered(step: Pick<PlanStep, 'id' | 'parts'>): ReadonlySet<string> {
  return new Set(step.parts ?? [step.id.slice(0, step.id.lastIndexOf('/'))]);
}
