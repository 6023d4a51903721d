import type { DataAction, FlowEnd, MoveTask, Side } from '../api/flow-kinds.ts';
import type { PlanStep } from '../api/lifecycle-plan.ts';
import type { PhaseName } from '../api/phase-names.ts';
import type { Gate, Move, Path, Way } from './move.ts';

/** A move before it has its path: its id and, unless it names one, its way on failure come from there. */
export interface MoveDraft {
  readonly phase: PhaseName;
  readonly task: MoveTask;
  readonly side: Side;
  readonly slice?: number;
  readonly databases?: readonly string[];
  readonly gates?: readonly Gate[];
  readonly onFailure?: Way;
}

/** Leads to another path. */
export const via = (path: string): Way => ({ path });

/** Leads to an end. */
export const atEnd = (end: FlowEnd): Way => ({ end });

/** A path whose moves, unless they say otherwise, all fail the same way. */
export function pathOf(
  name: string,
  moves: readonly (MoveDraft | undefined)[],
  leadsTo: Way,
  onFailure: Way,
): Path {
  return {
    moves: moves
      .filter(draft => draft !== undefined)
      .map(draft => ({ onFailure, gates: [], ...draft, id: moveId(name, draft) }) satisfies Move),
    leadsTo,
  };
}

/** The id of a move: the same for the same place in the same flow, so that a repeated act finds its own task. */
export function moveId(
  path: string,
  { task, side, slice }: Pick<MoveDraft, 'task' | 'side' | 'slice'>,
): string {
  return `${path}/${task}:${side}${slice === undefined ? '' : `#${slice}`}`;
}

/** The databases a step does this to. */
export function databasesTo(step: PlanStep, action: DataAction): string[] {
  return step.data.filter(entry => entry.action === action).map(entry => entry.database);
}

/** A data move for the databases that need it; undefined, and so left out, where none does. */
export function dataMove(
  databases: readonly string[],
  draft: Omit<MoveDraft, 'databases'>,
): MoveDraft | undefined {
  return databases.length === 0 ? undefined : { ...draft, databases };
}

/** Backup and its proof, for the databases that are about to change. Nothing is changed before the proof. */
export function backupMoves(
  step: PlanStep,
  phase: PhaseName,
  side: Side,
  onFailure: Way,
): (MoveDraft | undefined)[] {
  const databases = step.data.filter(entry => entry.backup).map(entry => entry.database);
  return [
    dataMove(databases, { phase, task: 'back-up', side, onFailure }),
    dataMove(databases, { phase, task: 'verify-backup', side, onFailure }),
  ];
}

/** The pre-flight check every flow that changes something starts with. */
export const check = (side: Side): MoveDraft => ({
  phase: 'planning',
  task: 'check',
  side,
  onFailure: atEnd('refused'),
});
