import type { FlowEnd, MoveTask, Side } from '../api/flow-kinds.ts';
import type { PhaseName } from '../api/phase-names.ts';

/** What must be true before a move starts. */
export type Gate =
  | { readonly kind: 'rollback' } // the software policy lets the way back begin
  | { readonly kind: 'restore' } // data may be taken back: policy, and consent where writes would be lost
  | { readonly kind: 'asks-restore' } // a person will be asked whether data is taken back
  | { readonly kind: 'consent'; readonly question: 'purge' | 'contract' }
  | { readonly kind: 'unclean'; readonly otherwise: string } // a person lets it go on without its clean-up; otherwise another path
  | { readonly kind: 'no-old-process' } // nothing of the old version uses the data any more
  | { readonly kind: 'created-here' } // this flow created a database, and no client wrote to it
  | { readonly kind: 'started'; readonly move: string }; // there is something to undo

/** Where a move that failed leads. */
export type Way = { readonly path: string } | { readonly end: FlowEnd };

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
