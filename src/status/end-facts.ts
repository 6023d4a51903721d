import type { FlowEnd } from '../api/flow-kinds.ts';

/** What a person is told of the end of a flow. */
export interface EndFacts {
  /** Whether the target is not tried again by itself. The same as in the flow folder; a test holds the two together. */
  readonly held: boolean;
  /** The word for the service afterwards. */
  readonly state: 'Operational' | 'Absent' | 'Held' | 'Withdrawn' | 'Unsettled' | 'Irreconcilable';
  /** The reason of the condition `Ready`. */
  readonly reason: string;
  readonly says: string;
}

/** Every end, as a person is told of it. */
export const endFacts: Record<FlowEnd, EndFacts> = {
  operational: { held: false, state: 'Operational', reason: 'Operational', says: 'done' },
  removed: { held: false, state: 'Absent', reason: 'Removed', says: 'removed, nothing of it runs any more' },
  takenback: {
    held: true,
    state: 'Held',
    reason: 'InstallTakenBack',
    says: 'the install failed, and what it made was taken away again',
  },
  refused: {
    held: true,
    state: 'Held',
    reason: 'PreflightRefused',
    says: 'refused by a check before anything was touched',
  },
  undone: {
    held: true,
    state: 'Held',
    reason: 'ChangeUndone',
    says: 'the change was undone, nothing is different',
  },
  kept: {
    held: true,
    state: 'Held',
    reason: 'RemovalBrokenOff',
    says: 'its removal was broken off after its clean-up had begun; it serves as before, but look at what it made elsewhere',
  },
  rolledback: { held: true, state: 'Held', reason: 'HeldAfterRollback', says: 'the change was rolled back' },
  withdrawn: {
    held: true,
    state: 'Withdrawn',
    reason: 'TrafficWithdrawn',
    says: 'traffic was taken away from it; software and data are kept for a look',
  },
  unsettled: {
    held: true,
    state: 'Unsettled',
    reason: 'Unsettled',
    says: 'the wanted version serves, but what keeps it in order could not be put in place',
  },
  held: {
    held: true,
    state: 'Held',
    reason: 'HeldByPolicy',
    says: 'it stays as it is, as the policy or a person said',
  },
  irreconcilable: {
    held: true,
    state: 'Irreconcilable',
    reason: 'Irreconcilable',
    says: 'it can go neither on nor back by itself',
  },
};
