import type { PlanStep } from '../api/lifecycle-plan.ts';
import type { Path } from './move.ts';
import { atEnd, backupMoves, check, databasesTo, dataMove, pathOf, via } from './moves.ts';

/** The removal branch of the brownfield chart. Data stays unless purging it was asked for and agreed to apart. */
export function uninstallFlow(step: PlanStep): Readonly<Record<string, Path>> {
  return {
    main: pathOf(
      'main',
      [
        check('old'),
        { phase: 'trafficdrain', task: 'take-traffic', side: 'old', onFailure: via('resume') },
        ...backupMoves(step, 'delete', 'old', via('resume')),
        // What it made elsewhere goes while software and data are there: they can still be kept when that fails.
        { phase: 'delete', task: 'clean-up', side: 'old', onFailure: via('resume') },
        dataMove(databasesTo(step, 'purge'), {
          phase: 'delete',
          task: 'purge-data',
          side: 'old',
          gates: [{ kind: 'consent', question: 'purge' }],
        }),
        { phase: 'delete', task: 'remove', side: 'old' },
      ],
      atEnd('removed'),
      atEnd('irreconcilable'),
    ),
    resume: pathOf(
      'resume',
      [
        { phase: 'trafficrollout', task: 'give-traffic', side: 'old' },
        { phase: 'operational', task: 'settle', side: 'old' },
      ],
      atEnd('undone'),
      atEnd('irreconcilable'),
    ),
  };
}
