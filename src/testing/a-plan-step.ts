import type { DataStep, PlanStep } from '../api/lifecycle-plan.ts';

/** A valid step of a plan with small overrides, for tests of what comes after planning. */
export function aPlanStep(flow: PlanStep['flow'], overrides: Partial<PlanStep> = {}): PlanStep {
  return {
    id: `keystone/${flow}`,
    service: 'keystone',
    flow,
    strategy: flow === 'upgrade' || flow === 'reconfigure' || flow === 'rollback' ? 'recreate' : 'inplace',
    slices: 2,
    soakSeconds: 3600,
    rollback: { software: 'auto', data: 'auto' },
    stage: 'controlplane',
    wave: 0,
    waitsFor: [],
    why: [],
    changes: [],
    moreChanges: 0,
    data: [],
    stateOutside: 'none',
    impact: { api: 'none', workloads: 'none' },
    estimateSeconds: 60,
    estimateFrom: 'default',
    consents: [],
    pointOfNoReturn: false,
    goingBack: { cost: 'nothing' },
    ...overrides,
  };
}

/** What happens to a database called `keystone`. Backed up where its content is about to change. */
export function dataStep(action: DataStep['action']): DataStep {
  return { database: 'keystone', action, backup: action !== 'create' && action !== 'keep' };
}
