import type { PhaseName } from '../api/phase-names.ts';
import type { Condition, ConditionType, NewCondition } from './conditions.ts';

/** Where a phase or flow is, in one of the older condition types. */
export interface OlderWord {
  readonly type: Extract<
    ConditionType,
    'Initializing' | 'Pending' | 'Running' | 'Deployed' | 'Failed' | 'Error' | 'Irreconcilable'
  >;
  /** False: what was so is no longer, such as `Deployed` of what was taken down. */
  readonly status?: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

const types = [
  'Initializing',
  'Pending',
  'Running',
  'Deployed',
  'Failed',
  'Error',
  'Irreconcilable',
] as const;

/** The conditions of the older words: the one that holds, and those that held before and no longer do. */
export function olderConditions(
  before: readonly Condition[],
  word: OlderWord,
  observedGeneration: number,
): NewCondition[] {
  const ended = types.filter(type => type !== word.type && before.some(one => one.type === type));
  return [
    ...ended.map(type => ({
      ...{ type, status: 'False' as const, reason: word.reason, message: '' },
      observedGeneration,
    })),
    { status: 'True', ...word, observedGeneration },
  ];
}

/** What older programs call the things that phases do. */
const deeds: Readonly<Record<PhaseName, 'Install' | 'Update' | 'Uninstall' | 'Reconcile'>> = {
  planning: 'Reconcile',
  install: 'Install',
  test: 'Reconcile',
  trafficrollout: 'Reconcile',
  operational: 'Reconcile',
  trafficdrain: 'Reconcile',
  upgrade: 'Update',
  rollback: 'Update',
  delete: 'Uninstall',
};

/** The older reason for how a phase went: `InstallSuccessful`, `UpdateError`. */
export function olderReason(phase: PhaseName, wentWell: boolean): string {
  if (wentWell && phase === 'operational') return 'UnderlyingResourcesReady';
  return `${deeds[phase]}${wentWell ? 'Successful' : 'Error'}`;
}
