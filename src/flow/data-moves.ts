import type { MoveTask } from '../api/flow-kinds.ts';
import type { PlanStep } from '../api/lifecycle-plan.ts';
import type { Way } from './move.ts';
import { atEnd, backupMoves, check, databasesTo, dataMove, type MoveDraft, moveId } from './moves.ts';

/** What differs between going up and going back. */
export interface Replacing {
  readonly phase: 'upgrade' | 'rollback';
  /** Whether a failure leads back to what ran before. */
  readonly canGoBack: boolean;
}

/** The first moves. Where data is to be taken back, the question is put before anything is touched, with what would be lost. */
export function checkBefore(step: PlanStep): (MoveDraft | undefined)[] {
  const restored = databasesTo(step, 'restore');
  return [
    listLoss(restored, { phase: 'planning', onFailure: atEnd('refused') }), // with the tasks of what runs: nothing of the other version is there yet
    { ...check('new'), gates: restored.length > 0 ? [{ kind: 'restore' }] : [] },
  ];
}

/** Asks the databases what a restore would drop, where a person is going to be asked about it. */
function listLoss(
  databases: readonly string[],
  { gates = [], ...draft }: Pick<MoveDraft, 'phase' | 'gates' | 'onFailure'>,
): MoveDraft | undefined {
  const asked = [...gates, { kind: 'asks-restore' as const }];
  return dataMove(databases, { ...draft, task: 'list-loss', side: 'old', gates: asked });
}

/**
 * Nobody may write between a backup and what it may have to undo: what runs is stopped before it is taken, also what no route leads to and
 * so nobody drains. Left out where no backup is brought back, and where the database runs in the service itself: there the writes count.
 */
export function stopBefore(step: PlanStep, { phase }: Replacing, onFailure: Way): MoveDraft | undefined {
  const broughtBack = step.data.filter(({ action }) => action === 'migrate' || action === 'restore');
  if (broughtBack.length === 0 || broughtBack.some(({ servedHere }) => servedHere)) return undefined;
  return { phase, task: 'stop', side: 'old', onFailure };
}

/**
 * Data goes before software: backed up, proved, then moved. Left out where no database is touched. `untouched` is where
 * a failure leads before anything changed, `touched` where it leads after.
 */
export function dataMoves(
  step: PlanStep,
  { phase }: Replacing,
  ways: { untouched: Way; touched: Way },
): (MoveDraft | undefined)[] {
  const move = (task: MoveTask, databases: readonly string[], gates: MoveDraft['gates'] = []) =>
    dataMove(databases, { phase, task, side: 'new', gates, onFailure: ways.touched });
  return [
    ...backupMoves(step, phase, 'new', ways.untouched),
    move('create-data', databasesTo(step, 'create')),
    move('expand', databasesTo(step, 'expand')),
    move('migrate', databasesTo(step, 'migrate')),
    move('restore', databasesTo(step, 'restore'), [{ kind: 'restore' }]),
    step.stateOutside === 'reconcile' ? move('reconcile', databasesTo(step, 'restore')) : undefined,
  ];
}

/** Rows move when the new version serves and the old schema is still there. Unfinished, it bars the contract, not the service. */
export function rowMoves(step: PlanStep): (MoveDraft | undefined)[] {
  const databases = step.data.filter(entry => entry.movesRows).map(entry => entry.database);
  return [
    dataMove(databases, { phase: 'upgrade', task: 'move-rows', side: 'new', onFailure: atEnd('unsettled') }),
  ];
}

/** Takes a migration back, where one was begun. Only a migration that is not split needs that. */
export function restoreMoves(step: PlanStep): (MoveDraft | undefined)[] {
  const databases = databasesTo(step, 'migrate');
  const begun = { kind: 'started', move: moveId('main', { task: 'migrate', side: 'new' }) } as const;
  return [
    listLoss(databases, { phase: 'rollback', gates: [begun, { kind: 'rollback' }] }),
    dataMove(databases, {
      phase: 'rollback',
      task: 'restore',
      side: 'old',
      gates: [begun, { kind: 'rollback' }, { kind: 'restore' }],
    }),
    step.stateOutside === 'reconcile'
      ? dataMove(databases, { phase: 'rollback', task: 'reconcile', side: 'old', gates: [begun] })
      : undefined,
  ];
}
