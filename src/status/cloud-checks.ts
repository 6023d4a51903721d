import { type CloudObjects, operatorIsMissing } from './cloud-objects.ts';
import type { View } from './view.ts';

/** One thing that was looked at, and what to do where it is not well. */
export interface Check {
  readonly name: string;
  readonly state: 'ok' | 'warning' | 'failed';
  readonly says: string;
  readonly advice?: string;
}

/** What a doctor looks for in the objects of a cloud: a record, an operator that looks after it, holds, questions, requests that fail. */
export function cloudChecks(objects: CloudObjects, view: View): Check[] {
  const { record } = objects;
  if (!record) {
    const advice = 'Start with: afloat apply <record>';
    return [{ name: 'record', state: 'warning', says: 'there is none', advice }];
  }
  return [
    { name: 'record', state: 'ok', says: `${view.cloud ?? ''} in namespace ${view.namespace ?? 'default'}` },
    operatorIsMissing(objects) ? operatorMissing : operatorCheck(record),
    ...view.services.flatMap(({ name, state, waits }): Check[] => {
      const isBad = ['Irreconcilable', 'Withdrawn', 'Unsettled'].includes(state);
      if (!isBad && state !== 'Held' && state !== 'Asking') return [];
      const [wait] = waits;
      const says = wait?.message ?? state;
      const advice = wait?.advice === undefined ? {} : { advice: wait.advice };
      return [{ name: `service ${name}`, state: isBad ? 'failed' : 'warning', says, ...advice }];
    }),
    requestCheck(view),
  ];
}

const operatorMissing: Check = {
  name: 'operator',
  state: 'failed',
  says: 'none is running in this cluster',
  advice: 'Put one there, or see why its pod does not run: afloat install',
};

function operatorCheck({ metadata, status }: NonNullable<CloudObjects['record']>): Check {
  const seen = status?.observedGeneration;
  if (seen !== undefined && seen >= (metadata.generation ?? 0))
    return { name: 'operator', state: 'ok', says: 'it has seen the record as it is now' };
  return {
    name: 'operator',
    state: 'warning',
    says:
      seen === undefined
        ? 'it has never looked at the record'
        : 'it has not seen the last change of the record yet',
    advice: 'If it stays so, see that the manager runs: afloat up',
  };
}

function requestCheck({ facts: { failing } }: View): Check {
  const state = { yes: 'failed', no: 'ok', unknown: 'warning' } as const;
  return { name: 'requests', state: state[failing.answer], says: failing.text };
}
