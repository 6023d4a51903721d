import type { PhaseName } from '../api/phase-names.ts';

/** What one move does. The phase it belongs to says when; the task says what. */
export type MoveTask =
  | 'check' // pre-flight with the target's own software; changes nothing
  | 'create-data'
  | 'back-up'
  | 'verify-backup'
  | 'expand'
  | 'migrate'
  | 'move-rows' // while both schemas are there, once the new version serves
  | 'contract'
  | 'restore'
  | 'reconcile'
  | 'remove-data' // databases this very flow created
  | 'purge-data' // databases that hold what clients wrote
  | 'apply'
  | 'adjust' // in place: replica counts, tasks
  | 'test'
  | 'give-traffic'
  | 'take-traffic'
  | 'settle' // drift repair, cron jobs and scheduled tests on again
  | 'soak'
  | 'remove';

/** The version a move is about: the one that ran when the flow began, or the one it goes to. */
export type Side = 'old' | 'new';

/** A question that a flow may have to ask before it goes on. */
export type Question = 'rollback' | 'restore' | 'purge' | 'contract';

/** What must be true before a move starts. */
export type Gate =
  | { readonly kind: 'rollback' } // the software policy lets the way back begin
  | { readonly kind: 'restore' } // data may be taken back: policy, and consent where writes would be lost
  | { readonly kind: 'consent'; readonly question: 'purge' | 'contract' }
  | { readonly kind: 'no-old-process' } // nothing of the old version uses the data any more
  | { readonly kind: 'created-here' } // this flow created a database, and no client wrote to it
  | { readonly kind: 'started'; readonly move: string }; // there is something to undo

/** How a flow can end. Each has its meaning in `ends.ts`. */
export type End =
  | 'operational'
  | 'removed'
  | 'takenback'
  | 'refused'
  | 'undone'
  | 'rolledback'
  | 'withdrawn'
  | 'unsettled'
  | 'held'
  | 'irreconcilable';

/** Where a move that failed leads. */
export type Way = { readonly path: string } | { readonly end: End };

/** One move: one task of one phase. */
export interface Move {
  /** Unique in the flow, and the same on every pass: `main/test:new`. */
  readonly id: string;
  readonly phase: PhaseName;
  readonly task: MoveTask;
  readonly side: Side;
  /** The slice, counted from 1, where the flow goes slice by slice. */
  readonly slice?: number;
  readonly databases?: readonly string[];
  readonly gates: readonly Gate[];
  readonly onFailure: Way;
}

/** Moves in order, and where they lead when all are done. */
export interface Path {
  readonly moves: readonly Move[];
  readonly leadsTo: Way;
}
