import type { PlanStep } from '../api/lifecycle-plan.ts';
import type { Gate, Path } from './move.ts';
import { atEnd, backupMoves, check, databasesTo, dataMove, type MoveDraft, pathOf, via } from './moves.ts';

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
        { phase: 'delete', task: 'clean-up', side: 'old', onFailure: via('unclean') },
        ...removal(step, []),
      ],
      atEnd('removed'),
      atEnd('irreconcilable'),
    ),
    // A service that is dead cannot clean up: whether it goes all the same, a person says.
    unclean: pathOf(
      'unclean',
      removal(step, [{ kind: 'unclean', otherwise: 'keep' }]),
      atEnd('removed'),
      atEnd('irreconcilable'),
    ),
    keep: pathOf('keep', serveAgain, atEnd('kept'), atEnd('irreconcilable')),
    resume: pathOf('resume', serveAgain, atEnd('undone'), atEnd('irreconcilable')),
  };
}

function removal(step: PlanStep, gates: readonly Gate[]): (MoveDraft | undefined)[] {
  return [
    dataMove(databasesTo(step, 'purge'), {
      phase: 'delete',
      task: 'purge-data',
      side: 'old',
      gates: [...gates, { kind: 'consent', question: 'purge' }],
    }),
    { phase: 'delete', task: 'remove', side: 'old', gates },
  ];
}

const serveAgain: readonly MoveDraft[] = [
  { phase: 'trafficrollout', task: 'give-traffic', side: 'old' },
  { phase: 'operational', task: 'settle', side: 'old' },
];
