import { describe, expect, it } from 'vitest';
import type { FlowEnd } from '../../api/flow-kinds.ts';
import { aPlanStep } from '../../testing/a-plan-step.ts';
import type { FlowObject } from '../our-objects.ts';
import { mayStart } from './may-start.ts';
import { lostSteps, type PlanScope, readySteps, stepHasFailed, stepIsDone } from './plan-scope.ts';

const now = Date.parse('2026-01-03T22:00:00Z');
const consented = (...consents: string[]) => consents.map(consent => ({ step: 'keystone/upgrade', consent }));
const approval = (more: object = {}) => ({
  digest: 'd1',
  approvedBy: 'ann',
  approvedAt: '',
  consents: [],
  ...more,
});

interface Case {
  readonly approval?: object | undefined;
  readonly by?: 'manual' | 'automatic';
  readonly consents?: readonly string[];
  readonly windows?: readonly object[];
  readonly flows?: Readonly<Record<string, object>>;
  readonly waits?: Readonly<Record<string, readonly string[]>>;
}

function scope({
  approval: given,
  by = 'manual',
  consents = [],
  windows = [],
  flows = {},
  waits,
}: Case): PlanScope {
  const steps = Object.entries(waits ?? { 'keystone/upgrade': [] }).map(([id, waitsFor]) =>
    aPlanStep('upgrade', { id, waitsFor: [...waitsFor], consents: [...consents] as never }),
  );
  return {
    object: {
      metadata: { name: 'north-1' },
      spec: {
        digest: 'd1',
        plan: {
          approval: by,
          steps,
          stages: [{ name: 'controlplane', gate: 'automatic' }],
          estimateSeconds: 600,
        },
        ...(given ? { approval: given } : {}),
      },
    },
    record: { spec: { maintenanceWindows: windows } },
    flows: new Map(Object.entries(flows).map(([id, status]) => [id, { status }])),
    now,
  } as never;
}

describe('a plan may start', () => {
  const open = { days: ['sat'], start: '21:00', durationMinutes: 80, timeZone: 'UTC' };
  it.each<[string, Case, string | undefined]>([
    ['when it is approved', { approval: approval() }, undefined],
    ['by itself where the record says so', { by: 'automatic' }, undefined],
    ['not before a person approves it', {}, 'WaitingForApproval'],
    ['not with the approval of another plan', { approval: approval({ digest: 'd2' }) }, 'WaitingForApproval'],
    [
      'not by itself with the approval of another',
      { by: 'automatic', approval: approval({ digest: 'd2' }) },
      'WaitingForApproval',
    ],
    [
      'in the last second of its approval',
      { approval: approval({ expiresAt: '2026-01-03T22:00:01Z' }) },
      undefined,
    ],
    ['not after it', { approval: approval({ expiresAt: '2026-01-03T22:00:00Z' }) }, 'Expired'],
    [
      'not without every consent',
      { approval: approval({ consents: consented('purge') }), consents: ['purge', 'removal'] },
      'WaitingForApproval',
    ],
    [
      'not by itself where it needs a consent',
      { by: 'automatic', consents: ['contract'] },
      'WaitingForApproval',
    ],
    [
      'with every consent',
      { approval: approval({ consents: consented('purge') }), consents: ['purge'] },
      undefined,
    ],
    [
      'without consent to a restore: its flow asks, before it touches anything, with what would be lost',
      { approval: approval(), consents: ['restore'] },
      undefined,
    ],
    ['in a window with room for it and its way back', { approval: approval(), windows: [open] }, undefined],
    [
      'not in one with less',
      { approval: approval(), windows: [{ ...open, durationMinutes: 79 }] },
      'WaitingForWindow',
    ],
    [
      'in any of several windows',
      { approval: approval(), windows: [{ ...open, days: ['mon'] }, open] },
      undefined,
    ],
    [
      'once it has begun, whatever is said since',
      { approval: approval({ digest: 'd2' }), flows: { 'keystone/upgrade': {} } },
      undefined,
    ],
  ])('%s', (_, one, state) => {
    const permission = mayStart(scope(one));
    expect(permission.may ? undefined : permission.state).toBe(state);
  });

  it('says which consent is missing, and how to give it', () => {
    const permission = mayStart(scope({ approval: approval(), consents: ['purge'] }));
    expect(permission).toHaveProperty('message', expect.stringContaining('--consent keystone/upgrade=purge'));
  });
});

describe('the steps of a plan', () => {
  const waits = { a: [], b: ['a'], c: ['b'], d: [] };
  it.each([
    ['nothing has begun', {}, ['a', 'd'], []],
    ['the first goes on', { a: {} }, ['d'], []],
    ['the first is settled and soaks', { a: { settledAt: 'x' } }, ['b', 'd'], []],
    ['the first is done', { a: { end: 'operational' }, d: {} }, ['b'], []],
    ['the first failed', { a: { end: 'rolledback' } }, ['d'], ['b', 'c']],
    [
      'the first came back after it had settled',
      { a: { end: 'rolledback', settledAt: 'x' } },
      ['d'],
      ['b', 'c'],
    ],
  ])('when %s', (_, flows, ready, lost) => {
    const one = scope({ waits, flows });
    expect(readySteps(one).map(({ id }) => id)).toEqual(ready);
    expect([...lostSteps(one)]).toEqual(lost);
  });

  it.each<[FlowEnd, boolean]>([
    ['operational', true],
    ['removed', true],
    ['rolledback', false],
    ['unsettled', false],
    ['held', false],
  ])('a flow that ended %s is done: %s', (end, isDone) => {
    const flow = { status: { end } } as unknown as FlowObject;
    expect([stepIsDone(flow), stepHasFailed(flow)]).toEqual([isDone, !isDone]);
  });
});
