import type { PlanStep } from '../api/lifecycle-plan.ts';
import { checkBefore, dataMoves, type Replacing, rowMoves } from './data-moves.ts';
import type { Path, Way } from './move.ts';
import { atEnd, type MoveDraft, pathOf, via } from './moves.ts';

/** The brownfield chart slice by slice: while one is changed, the others serve. */
export function rollingPaths(step: PlanStep, replacing: Replacing): Readonly<Record<string, Path>> {
  const slices = Array.from({ length: step.slices }, (_, index) => index + 1);
  const { canGoBack } = replacing;
  return {
    main: pathOf(
      'main',
      [
        ...checkBefore(step),
        ...dataMoves(step, replacing, {
          untouched: atEnd('undone'),
          touched: canGoBack ? via('check-old') : atEnd('irreconcilable'),
        }),
        ...slices.flatMap(slice => sliceMoves(slice, replacing)),
        ...rowMoves(step),
        { phase: 'operational', task: 'settle', side: 'new', onFailure: atEnd('unsettled') },
      ],
      atEnd('operational'),
      atEnd('irreconcilable'),
    ),
    ...(canGoBack ? { 'check-old': checkOld() } : {}),
    ...Object.fromEntries(slices.flatMap(slice => waysBack(slice, step.slices, replacing))),
  };
}

function sliceMoves(slice: number, { phase, canGoBack }: Replacing): MoveDraft[] {
  const undo = canGoBack ? via(`undo-${slice}`) : atEnd('irreconcilable');
  return [
    { phase: 'trafficdrain', task: 'take-traffic', side: 'old', slice, onFailure: via(`resume-${slice}`) },
    { phase, task: 'apply', side: 'new', slice, onFailure: undo },
    { phase: 'test', task: 'test', side: 'new', slice, onFailure: undo },
    {
      phase: 'trafficrollout',
      task: 'give-traffic',
      side: 'new',
      slice,
      onFailure: via(`withdraw-${slice}`),
    },
  ];
}

/** The paths that lead back from one slice; each goes on with the slice before, until none is left. */
function waysBack(slice: number, slices: number, { canGoBack }: Replacing): [string, Path][] {
  const stuck = atEnd('irreconcilable');
  const before = (none: Way): Way => (slice > 1 ? via(`walk-back-${slice - 1}`) : none);
  const path = (name: string, moves: readonly MoveDraft[], leadsTo: Way): [string, Path] => [
    `${name}-${slice}`,
    pathOf(`${name}-${slice}`, moves, leadsTo, stuck),
  ];
  const giveBack: MoveDraft[] = [
    { phase: 'trafficrollout', task: 'give-traffic', side: 'old', slice },
    // With the first slice back, all of it is the old version again.
    ...(slice === 1 ? [{ phase: 'operational', task: 'settle', side: 'old' } as const] : []),
  ];
  const take: MoveDraft = { phase: 'trafficdrain', task: 'take-traffic', side: 'new', slice };
  if (!canGoBack)
    return [path('resume', giveBack, slice > 1 ? stuck : atEnd('undone')), path('withdraw', [take], stuck)];
  return [
    path('resume', giveBack, before(atEnd('undone'))),
    path('withdraw', [take], via(`undo-${slice}`)),
    // A slice that is well leaves only where the policy lets the way back begin. The last one is never left behind.
    ...(slice < slices
      ? [path('walk-back', [{ ...take, gates: [{ kind: 'rollback' }] }], via(`undo-${slice}`))]
      : []),
    path(
      'undo',
      [
        { phase: 'rollback', task: 'apply', side: 'old', slice, gates: [{ kind: 'rollback' }] },
        { phase: 'test', task: 'test', side: 'old', slice },
        ...giveBack,
      ],
      before(atEnd('rolledback')),
    ),
  ];
}

/** The schema moved and no slice did: the old version serves, and is tested once more on what it stands on now. */
function checkOld(): Path {
  return pathOf(
    'check-old',
    [{ phase: 'test', task: 'test', side: 'old' }],
    atEnd('rolledback'),
    atEnd('irreconcilable'),
  );
}
