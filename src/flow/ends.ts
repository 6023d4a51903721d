import type { FlowEnd } from '../api/flow-kinds.ts';

interface EndFacts {
  /** Whether the flow did what it was asked to do. */
  readonly success: boolean;
  /** Whether the target is held, so that it is not tried again by itself. */
  readonly held: boolean;
  readonly says: string;
}

/** What each end means. Nothing follows by itself after an end. */
export const ends: Record<FlowEnd, EndFacts> = {
  operational: { success: true, held: false, says: 'done: the wanted version serves clients' },
  removed: { success: true, held: false, says: 'removed: nothing of the service runs any more' },
  takenback: {
    success: false,
    held: true,
    says: 'taken back: the install failed, and what it made is gone again',
  },
  refused: { success: false, held: true, says: 'refused: a check failed before anything was touched' },
  undone: { success: false, held: true, says: 'undone: nothing was changed, what served before serves' },
  kept: {
    success: false,
    held: true,
    says: 'kept: it serves as before, but its clean-up had begun, so look at what it made elsewhere',
  },
  rolledback: {
    success: false,
    held: true,
    says: 'rolled back: the former version serves, and is kept until the record changes',
  },
  withdrawn: {
    success: false,
    held: true,
    says: 'withdrawn: no traffic is on it; software and data are kept for a look, because clients may have written',
  },
  unsettled: {
    success: false,
    held: true,
    says: 'unsettled: the wanted version serves clients, but what keeps it in order could not be put in place',
  },
  held: {
    success: false,
    held: true,
    says: 'held: it stays as it is, as the policy or a person said; where traffic was taken away, nobody is served',
  },
  irreconcilable: {
    success: false,
    held: true,
    says: 'irreconcilable: it can go neither on nor back by itself; a person is needed',
  },
};
