import type { PlanStep } from '../api/lifecycle-plan.ts';
import { checkBefore, dataMoves, type Replacing, restoreMoves, rowMoves, stopBefore } from './data-moves.ts';
import type { Gate, Path } from './move.ts';
import { atEnd, type MoveDraft, moveId, pathOf, via } from './moves.ts';

const wasStopped: Gate = { kind: 'started', move: moveId('main', { task: 'stop', side: 'old' }) };

/** What was stopped and not changed comes back as it was, and is tested before it serves again. */
const startAgain: readonly MoveDraft[] = [
  { phase: 'rollback', task: 'apply', side: 'old', gates: [wasStopped] },
  { phase: 'test', task: 'test', side: 'old', gates: [wasStopped] },
];

/** The brownfield chart to the letter: all traffic drained, one version at a time. */
export function recreatePaths(step: PlanStep, replacing: Replacing): Readonly<Record<string, Path>> {
  const { phase, canGoBack } = replacing;
  const stop = stopBefore(step, replacing, via('resume'));
  const back = canGoBack ? via('back') : atEnd('irreconcilable');
  return {
    main: pathOf(
      'main',
      [
        ...checkBefore(step),
        { phase: 'trafficdrain', task: 'take-traffic', side: 'old', onFailure: via('resume') },
        stop,
        ...dataMoves(step, replacing, { untouched: via('resume'), touched: back }),
        { phase, task: 'apply', side: 'new' },
        { phase: 'test', task: 'test', side: 'new' },
        { phase: 'trafficrollout', task: 'give-traffic', side: 'new', onFailure: via('withdraw') },
        ...rowMoves(step),
        { phase: 'operational', task: 'settle', side: 'new', onFailure: atEnd('unsettled') },
      ],
      atEnd('operational'),
      back,
    ),
    // No data was touched. Where the old version was only drained, it is still the one that was tested and served.
    resume: pathOf(
      'resume',
      [
        ...(stop ? startAgain : []),
        { phase: 'trafficrollout', task: 'give-traffic', side: 'old' },
        { phase: 'operational', task: 'settle', side: 'old' },
      ],
      atEnd('undone'),
      atEnd('irreconcilable'),
    ),
    withdraw: pathOf(
      'withdraw',
      [{ phase: 'trafficdrain', task: 'take-traffic', side: 'new' }],
      back,
      atEnd('irreconcilable'),
    ),
    ...(canGoBack ? { back: backPath(step) } : {}),
  };
}

function backPath(step: PlanStep): Path {
  return pathOf(
    'back',
    [
      ...restoreMoves(step),
      { phase: 'rollback', task: 'apply', side: 'old', gates: [{ kind: 'rollback' }] },
      { phase: 'test', task: 'test', side: 'old' },
      { phase: 'trafficrollout', task: 'give-traffic', side: 'old' },
      { phase: 'operational', task: 'settle', side: 'old' },
    ],
    atEnd('rolledback'),
    atEnd('irreconcilable'),
  );
}
