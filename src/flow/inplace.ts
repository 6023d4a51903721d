import type { PlanStep } from '../api/lifecycle-plan.ts';
import type { Path } from './move.ts';
import { atEnd, pathOf, via } from './moves.ts';

/** What is changed in place, such as a replica count: no traffic phase, no data, no test of a version that already serves. */
export function inplacePaths(_step: PlanStep): Readonly<Record<string, Path>> {
  return {
    main: pathOf(
      'main',
      [{ phase: 'operational', task: 'adjust', side: 'new' }],
      atEnd('operational'),
      via('back'),
    ),
    back: pathOf(
      'back',
      [{ phase: 'operational', task: 'adjust', side: 'old', gates: [{ kind: 'rollback' }] }],
      atEnd('rolledback'),
      atEnd('irreconcilable'),
    ),
  };
}
