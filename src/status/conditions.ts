import type { conditions } from '../api/fields.ts';
import type { ValueOf } from '../api/schema/schema.ts';

/** One condition, as the Kubernetes API conventions have it. */
export type Condition = ValueOf<typeof conditions>[number];

/** What the types mean that Afloat writes. `Ready` is never set by itself: it is summarised from the others. */
export const conditionTypes = {
  Ready: 'The object is as its spec says, and nothing is left to do.',
  Available: 'Clients are served.',
  Progressing: 'Something is under way that goes on by itself.',
  Stalled: 'Nothing goes on until a person does something.',
  Healthy:
    'What is repeated while a service is operational, its test and its backups, went well the last time.',
  // The older words, on phases and flows that a person wrote by hand.
  Initializing: 'It is laid out, and not acted on.',
  Pending: 'It waits for its turn.',
  Running: 'It is being carried out.',
  Deployed: 'What it stands for is there.',
  Failed: 'It came to its end, and not to the one that was wanted.',
  Error: 'It cannot be carried out as it is written.',
  Irreconcilable: 'It could go neither on nor back; a person must look.',
} as const;
export type ConditionType = keyof typeof conditionTypes;

/** A condition to set: when it last changed is worked out. */
export interface NewCondition {
  readonly type: ConditionType;
  readonly status: 'True' | 'False' | 'Unknown';
  /** One word; never empty. */
  readonly reason: string;
  /** No moment and nothing that changes from pass to pass: a condition that says the same is not written again. */
  readonly message: string;
  readonly observedGeneration?: number;
}

/**
 * The conditions with this one set. `lastTransitionTime` moves only when the status does; others and the order stay as they are,
 * so that the same facts give the same bytes.
 */
export function setCondition(
  before: readonly Condition[] | undefined,
  next: NewCondition,
  now: string,
): Condition[] {
  const old = before?.find(({ type }) => type === next.type);
  const lastTransitionTime = old?.status === next.status ? (old.lastTransitionTime ?? now) : now;
  const set: Condition = { ...next, lastTransitionTime };
  if (!old) return [...(before ?? []), set];
  return (before ?? []).map(condition => (condition === old ? set : condition));
}

/**
 * `Ready` from the others: False with the reason of what stalls, is unavailable or goes on, in that order; Unknown where one of
 * them is, or where nothing is known; True otherwise, with the reason and message of `well`.
 */
export function summariseReady(
  conditions: readonly Condition[],
  well: { readonly reason: string; readonly message: string },
  now: string,
  observedGeneration?: number,
): Condition[] {
  const find = (type: ConditionType) => conditions.find(condition => condition.type === type);
  const stalled = find('Stalled');
  const available = find('Available');
  const progressing = find('Progressing');
  const against = [
    stalled?.status === 'True' ? stalled : undefined,
    available?.status === 'False' ? available : undefined,
    progressing?.status === 'True' ? progressing : undefined,
  ].find(found => found !== undefined);
  const unknown = [stalled, available, progressing].find(found => found?.status === 'Unknown');
  const cause = against ?? unknown;
  const next: NewCondition = {
    type: 'Ready',
    status: against ? 'False' : unknown ? 'Unknown' : 'True',
    reason: (cause ? cause.reason : well.reason) ?? 'Unknown',
    message: (cause ? cause.message : well.message) ?? '',
    ...(observedGeneration === undefined ? {} : { observedGeneration }),
  };
  return setCondition(conditions, next, now);
}
