import { describe, expect, it } from 'vitest';
import type { FlowEnd } from '../../api/flow-kinds.ts';
import { serviceState } from '../observe/service-state.ts';
import type { FlowObject, PlanObject, RevisionObject } from '../our-objects.ts';
import { done, type StepOutcome } from '../runtime/outcome.ts';
import type { RecordScope } from './record-scope.ts';
import { availability, cloudOutcome, recordStatus } from './record-status.ts';
import { tidyUp } from './tidy-up.ts';

let made = 0;
const metadata = (name: string) => ({
  ...{ name, namespace: 'n', uid: name },
  creationTimestamp: new Date(Date.UTC(2026, 0, 1) + 1000 * made++).toISOString(),
});

function revision(service: string, number: number, manifest?: string): RevisionObject {
  const parts =
    manifest === undefined ? [] : [{ component: service, manifests: [manifest], slices: ['blue'] }];
  const spec = { service, number, version: `${number}.0.0`, parts, schemas: [], backups: [] };
  return { metadata: metadata(`${service}-r${number}`), spec } as unknown as RevisionObject;
}

function flow(
  name: string,
  status: object,
  more: { step?: object; plan?: string; spec?: object } = {},
): FlowObject {
  const step = { id: 'identity/upgrade', flow: 'upgrade', strategy: 'recreate', ...more.step };
  return {
    metadata: metadata(name),
    spec: { planned: { plan: more.plan ?? `plan-of-${name}`, step }, ...more.spec },
    status: { startedAt: '1', ...status },
  } as unknown as FlowObject;
}

const plan = (name: string, state: string, message = '') =>
  ({
    metadata: metadata(name),
    spec: {},
    status: { state, conditions: [{ type: 'Ready', message }] },
  }) as unknown as PlanObject;
const moves = (...ids: string[]) => ({ moves: ids.map(id => ({ id, state: 'done' })) });

interface Facts {
  readonly named?: readonly string[];
  readonly revisions?: readonly RevisionObject[];
  readonly flows?: readonly FlowObject[];
  readonly plans?: readonly PlanObject[];
  readonly waiting?: readonly object[];
  /** Who answers at its ways: so many of so many. */
  readonly ways?: readonly (readonly [ready: number, wanted?: number])[];
  readonly limit?: number;
}

/** What a pass over the record of one service knows; with what it forgets. */
function scope(facts: Facts): RecordScope & { readonly forgotten: string[] } {
  const {
    named = ['identity'],
    revisions = [],
    flows = [],
    plans = [],
    waiting,
    ways = [],
    limit = 10,
  } = facts;
  const forgotten: string[] = [];
  const ended = ['Done', 'Failed', 'Aborted', 'Superseded', 'Expired'];
  return {
    forgotten,
    world: { reconciling: { delete: async ({ name }: { name: string }) => void forgotten.push(name) } },
    object: {
      spec: { revisionHistoryLimit: limit, services: named.map(name => ({ name, version: '2.0.0' })) },
    },
    plans,
    open: plans.filter(({ status }) => !ended.includes(status?.state ?? '')),
    services: [serviceState('identity', { revisions, flows })],
    ways: () => ways.map(([ready, wanted], index) => ({ service: `way-${index}`, ready, wanted })),
    ...(waiting ? { planned: { plan: { waiting } } } : {}),
  } as never;
}

describe('whether clients are served', () => {
  const runs = [revision('identity', 1, 'm1')];
  const took = moves('main/check:new', 'main/take-traffic:old');
  const gave = moves('main/take-traffic:old', 'back/give-traffic:old');
  it.each<[string, Facts, string]>([
    ['everything that is named runs', { revisions: runs }, 'Served'],
    ['something is not there yet', {}, 'NotThereYet'],
    ['traffic was taken and not given back', { revisions: runs, flows: [flow('f', took)] }, 'Drained'],
    ['it was given back', { revisions: runs, flows: [flow('f', gave)] }, 'Served'],
    [
      'another version serves beside',
      { revisions: runs, flows: [flow('f', took, { step: { strategy: 'bluegreen' } })] },
      'Served',
    ],
    [
      'what was drained is no longer named',
      {
        named: [],
        revisions: [revision('identity', 2)],
        flows: [flow('f', { ...took, end: 'removed' }, { step: { flow: 'uninstall' } })],
      },
      'Served',
    ],
    [
      'all addresses of a way died by themselves',
      {
        revisions: runs,
        ways: [
          [2, 2],
          [0, 2],
        ],
      },
      'NotReady',
    ],
    ['some of them did', { revisions: runs, ways: [[1, 2]] }, 'Degraded'],
    ['nobody knows how many there shall be', { revisions: runs, ways: [[1]] }, 'Served'],
    ['it was scaled to nothing', { revisions: runs, ways: [[0, 0]] }, 'Served'],
  ])('when %s', (_, facts, reason) => {
    const said = availability(scope(facts));
    const isServed = reason === 'Served' || reason === 'Degraded';
    expect([said.reason, said.status]).toEqual([reason, isServed ? 'True' : 'False']);
  });
});

describe('what stands between a cloud and its record', () => {
  const held = (end: FlowEnd | undefined, spec: object = {}) =>
    flow('f', { because: 'its test failed', ...(end ? { end } : { settledAt: '2' }) }, { spec });
  const wished = [{ service: 'identity', reason: 'HeldAfterRollback', message: 'm', advice: 'a' }];
  const said = (facts: Facts, outcome: StepOutcome = done) => {
    const after = cloudOutcome(scope(facts), outcome);
    return 'reason' in after ? `${after.kind} ${after.reason}` : after.kind;
  };
  it.each<[string, Facts, string]>([
    ['nothing', { waiting: [] }, 'done'],
    [
      'a plan that a person must approve',
      { plans: [plan('p', 'WaitingForApproval')] },
      'blocked WaitingForApproval',
    ],
    ['a plan that waits for its window', { plans: [plan('p', 'WaitingForWindow')] }, 'wait WaitingForWindow'],
    ['a plan that runs', { plans: [plan('p', 'Running')] }, 'wait Running'],
    ['only plans that have ended', { plans: [plan('p', 'Done')], waiting: [] }, 'done'],
    [
      'a target that was rolled back',
      { flows: [held('rolledback')], waiting: wished },
      'blocked HeldAfterRollback',
    ],
    ['one that the record no longer asks for', { flows: [held('rolledback')], waiting: [] }, 'done'],
    [
      'a flow that could go neither on nor back',
      { flows: [held('irreconcilable')], waiting: [] },
      'blocked Irreconcilable',
    ],
    ['a flow of the service', { waiting: [{ ...wished[0], reason: 'FlowRunning' }] }, 'wait FlowRunning'],
    [
      'a removal that needs consent',
      { waiting: [{ ...wished[0], reason: 'RemovalNeedsConsent' }] },
      'blocked RemovalNeedsConsent',
    ],
  ])('%s', (_, facts, want) => {
    expect(said(facts)).toBe(want);
  });

  it('a step of the pass that is not done says it first', () => {
    expect(said({ plans: [plan('p', 'Running')] }, { kind: 'blocked', reason: 'X', message: '' })).toBe(
      'blocked X',
    );
  });

  it('a way back that a person asked for is told as that', () => {
    const way = flow('f', { settledAt: '2' });
    const asked = {
      ...way,
      spec: { planned: { ...way.spec.planned, holds: true } },
    } as unknown as FlowObject;
    const outcome = cloudOutcome(scope({ flows: [asked], waiting: wished }), done);
    expect(outcome).toHaveProperty('message', 'identity: held: a person asked for the way back.');
  });

  it.each<[string, Facts, string]>([
    ['is there', { revisions: [revision('identity', 1, 'm1')] }, 'Operational'],
    ['is not', {}, 'Absent'],
    ['changes', { revisions: [revision('identity', 1, 'm1')], flows: [flow('f', {})] }, 'InFlow'],
    [
      'is held',
      { revisions: [revision('identity', 1, 'm1')], flows: [held('rolledback')], waiting: wished },
      'Held',
    ],
    ['is stuck', { revisions: [revision('identity', 1, 'm1')], flows: [held('held')] }, 'Irreconcilable'],
  ])('a service that %s says so', (_, facts, state) => {
    expect(recordStatus(scope(facts)).services?.[0]?.state).toBe(state);
  });
});

describe('what nobody needs any more', () => {
  const ended = (name: string, more: Parameters<typeof flow>[2] = {}, manifest = name) =>
    flow(name, { end: 'operational', manifests: [manifest] }, more);
  const forgotten = async (facts: Facts) => {
    const one = scope({ limit: 1, ...facts });
    await tidyUp(one);
    return one.forgotten;
  };

  it('is forgotten: the oldest revisions and flows', async () => {
    const revisions = [revision('identity', 1, 'f1'), revision('identity', 2, 'f2')];
    expect(await forgotten({ revisions, flows: [ended('f1'), ended('f2')] })).toEqual(['identity-r1', 'f1']);
  });

  it('waits while a flow runs', async () => {
    const revisions = [revision('identity', 1, 'f1'), revision('identity', 2, 'f2')];
    expect(await forgotten({ revisions, flows: [ended('f1'), flow('f3', {})] })).toEqual([]);
  });

  it.each<[string, FlowObject, Facts]>([
    ['that brought what runs', ended('f1', {}, 'm1'), {}],
    [
      'of a plan that goes on',
      flow('f1', { end: 'rolledback' }, { plan: 'p' }),
      { plans: [plan('p', 'Running')] },
    ],
    ['whose target is held', flow('f1', { end: 'rolledback' }), {}],
  ])('is not a flow %s', async (_, kept, facts) => {
    const other = { step: { id: 'other/upgrade' } };
    const flows = [kept, ended('f2', other), ended('f3', other)];
    expect(await forgotten({ revisions: [revision('identity', 1, 'm1')], flows, ...facts })).toEqual(['f2']);
  });

  it('are plans that ended long ago, but not one whose flow is kept', async () => {
    const kept = ended('f1', { plan: 'plan-0' }, 'm1');
    const plans = Array.from({ length: 23 }, (_, index) => plan(`plan-${index}`, 'Done')).toReversed();
    const revisions = [revision('identity', 1, 'm1')];
    expect(await forgotten({ revisions, flows: [kept, ended('f2')], plans })).toEqual(['plan-2', 'plan-1']);
  });
});
