import type { Finding } from '../api/finding.ts';
import type { Refusal } from '../package/read-packages.ts';
import { type PlanInput, type PlanResult, planWithout } from './plan.ts';
import { findingsOf } from './refusal.ts';

/**
 * The plan of everything in the record that can be done. A service whose wish is impossible stays as it is, is named with the reason, and
 * holds back only what stands on it or what it stands on. `refused`: services whose packages could not be read. Where nothing at all is
 * left to do, or what is wrong is about no single service, the findings are the answer, as they are for the record as a whole.
 */
export function planTheRest(input: PlanInput, refused: readonly Refusal[]): PlanResult {
  let known = refused;
  for (;;) {
    const made = planWithout(input, known);
    if ('plan' in made)
      return known.length > 0 && made.plan.steps.length === 0 ? { findings: findingsOf(known) } : made;
    const names = new Set(known.map(({ service }) => service));
    const more = made.refused.filter(({ service }) => !names.has(service));
    const isStuck = more.length === 0;
    if (isStuck) return { findings: allOf(known, made.refused) };
    known = [...known, ...more];
  }
}

function allOf(known: readonly Refusal[], more: readonly Refusal[]): readonly Finding[] {
  return findingsOf([...known, ...more]);
}
