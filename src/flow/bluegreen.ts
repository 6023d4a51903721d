import type { PlanStep } from '../api/lifecycle-plan.ts';
import { checkBefore, dataMoves, type Replacing, rowMoves } from './data-moves.ts';
import type { Path } from './move.ts';
import { atEnd, moveId, pathOf, via } from './moves.ts';

/**
 * The new version comes up beside the old and is tested without traffic; traffic moves; the old one stays, idle, until
 * the soak is over. Going back in that time is moving traffic back to a version that never stopped.
 */
export function bluegreenPaths(step: PlanStep, replacing: Replacing): Readonly<Record<string, Path>> {
  const { phase, canGoBack } = replacing;
  const discard = canGoBack ? via('discard') : atEnd('irreconcilable');
  return {
    main: pathOf(
      'main',
      [
        ...checkBefore(step),
        ...dataMoves(step, replacing, { untouched: atEnd('undone'), touched: discard }),
        { phase, task: 'apply', side: 'new' },
        { phase: 'test', task: 'test', side: 'new' },
        { phase: 'trafficrollout', task: 'give-traffic', side: 'new', onFailure: via('return') },
        { phase: 'trafficdrain', task: 'take-traffic', side: 'old', onFailure: via('return') },
        ...rowMoves(step),
        { phase: 'operational', task: 'settle', side: 'new', onFailure: atEnd('unsettled') },
        step.soakSeconds > 0
          ? { phase: 'operational', task: 'soak', side: 'new', onFailure: via('return') }
          : undefined,
        { phase: 'delete', task: 'remove', side: 'old', onFailure: atEnd('unsettled') },
      ],
      atEnd('operational'),
      discard,
    ),
    return: pathOf(
      'return',
      [
        { phase: 'trafficrollout', task: 'give-traffic', side: 'old' },
        { phase: 'trafficdrain', task: 'take-traffic', side: 'new' },
        { phase: 'operational', task: 'settle', side: 'old' },
      ],
      discard,
      atEnd('irreconcilable'),
    ),
    ...(canGoBack ? { discard: discardPath() } : {}),
  };
}

/** The new version goes; the old one, which serves, is tested once more, because its schema may have been expanded. */
function discardPath(): Path {
  return pathOf(
    'discard',
    [
      {
        phase: 'rollback',
        task: 'remove',
        side: 'new',
        gates: [
          { kind: 'started', move: moveId('main', { task: 'apply', side: 'new' }) },
          { kind: 'rollback' },
        ],
      },
      { phase: 'test', task: 'test', side: 'old' },
    ],
    atEnd('rolledback'),
    atEnd('irreconcilable'),
  );
}
