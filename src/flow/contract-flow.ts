import type { PlanStep } from '../api/lifecycle-plan.ts';
import type { Path } from './move.ts';
import { atEnd, backupMoves, check, databasesTo, dataMove, pathOf } from './moves.ts';

/**
 * The second half of a split migration, and the point of no return. Traffic stays on: new code works on both schemas.
 * Nothing here goes back by itself; a restore would cost what clients wrote.
 */
export function contractFlow(step: PlanStep): Readonly<Record<string, Path>> {
  return {
    main: pathOf(
      'main',
      [
        { ...check('new'), gates: [{ kind: 'no-old-process' }] },
        ...backupMoves(step, 'upgrade', 'new', atEnd('undone')),
        dataMove(databasesTo(step, 'contract'), {
          phase: 'upgrade',
          task: 'contract',
          side: 'new',
          // Looked at again at the last moment: an old process may have come back while the backup ran.
          gates: [{ kind: 'no-old-process' }, { kind: 'consent', question: 'contract' }],
        }),
        { phase: 'test', task: 'test', side: 'new' },
        { phase: 'operational', task: 'settle', side: 'new', onFailure: atEnd('unsettled') },
      ],
      atEnd('operational'),
      atEnd('irreconcilable'),
    ),
  };
}
