import type { PlanStep } from '../api/lifecycle-plan.ts';
import { bluegreenPaths } from './bluegreen.ts';
import type { Replacing } from './data-moves.ts';
import { inplacePaths } from './inplace.ts';
import type { Path } from './move.ts';
import { recreatePaths } from './recreate.ts';
import { rollingPaths } from './rolling.ts';

/** One version takes the place of another, in one of the three ways; or nothing is replaced at all. */
export function replaceFlow(step: PlanStep, replacing: Replacing): Readonly<Record<string, Path>> {
  switch (step.strategy) {
    case 'bluegreen':
      return bluegreenPaths(step, replacing);
    case 'rolling':
      return rollingPaths(step, replacing);
    case 'inplace':
      return inplacePaths(step);
    case 'recreate':
      return recreatePaths(step, replacing);
  }
}
