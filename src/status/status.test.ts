import { describe, expect, it } from 'vitest';
import type { OperationalStatus, WayStatus } from '../api/phase-kinds.ts';
import { aCloud, aFlow, aPhase, aPlan, aRecord, aRevision, at } from '../testing/a-cloud.ts';
import { aPlanStep, dataStep } from '../testing/a-plan-step.ts';
import { cloudStories } from '../testing/cloud-stories.ts';
import { cloudChecks } from './cloud-checks.ts';
import type { CloudObjects } from './cloud-objects.ts';
import { compareRevisions } from './compare-inventories.ts';
import { historyOf } from './history.ts';
import { leftOf } from './left-of.ts';
import { sayMoveId } from './move-words.ts';
import { type Outcome, outcomeOf } from './outcome.ts';
import { servingOf, sidesOf } from './serving.ts';
import { viewOf } from './status.ts';

const rolling = aPlanStep('upgrade', {
  strategy: 'rolling',
  slices: 2,
  from: { version: '1' },
  to: { version: '2' },
});

function story(name: string): CloudObjects {
  const found = cloudStories[name];
  if (!found) throw new TypeError(`there is no story ${name}`);
  return found;
}

describe('who serves, by the moves of a rolling change', () => {
  const first = ['main/check:new', 'main/take-traffic:old#1', 'main/apply:new#1', 'main/test:new#1'];
  const gave = [...first, 'main/give-traffic:new#1'];
  it.each([
    { says: 'one slice is out, the other serves', moves: first, want: { old: true, new: false } },
    { says: 'both versions serve', moves: gave, want: { old: true, new: true } },
    {
      says: 'the last old slice is out',
      moves: [...gave, 'main/take-traffic:old#2'],
      want: { old: false, new: true },
    },
    {
      says: 'walked back, the old version serves alone',
      moves: [
        ...gave,
        'main/take-traffic:old#2',
        { id: 'main/apply:new#2', state: 'failed' as const },
        'undo-2/apply:old#2',
        'undo-2/test:old#2',
        'undo-2/give-traffic:old#2',
        'walk-back-1/take-traffic:new#1',
        'undo-1/apply:old#1',
        'undo-1/test:old#1',
        'undo-1/give-traffic:old#1',
      ],
      want: { old: true, new: false },
    },
  ])('$says', ({ moves, want }) => {
    expect(sidesOf(aFlow(rolling, moves))).toEqual(want);
  });

  it('a contract changes data under the version that serves, and brings none', () => {
    const step = aPlanStep('contract', { strategy: 'inplace', data: [dataStep('contract')] });
    const over = aFlow(step, ['main/contract:new'], { status: { end: 'operational' } });
    expect(sidesOf(over)).toEqual({ old: true, new: false });
    const revision = aRevision(step.service, 3, '27.0.0', { flow: 'contract' });
    expect(servingOf(aCloud('03:00', { flows: [over], revisions: [revision] }), step.service)).toMatchObject([
      { by: [{ version: '27.0.0', revision: 3 }] },
    ]);
  });
});

describe('every story', () => {
  it.each(Object.entries(cloudStories))('%s: the facts do not contradict each other', (_, objects) => {
    const { facts, services } = viewOf(objects);
    const down = facts.serving.filter(({ by, expected }) => expected && by.length === 0);
    expect(facts.failing.impact.api === 'outage').toBe(down.length > 0);
    if (down.length > 0) expect(facts.failing.answer).toBe('yes');
    expect(facts.safe.because.length).toBeGreaterThan(0);
    expect(facts.next.text.length).toBeGreaterThan(0);
    // What stops for a person always says what a person can do.
    const stopped = ['Asking', 'Held', 'Withdrawn', 'Unsettled', 'Irreconcilable'];
    for (const { state, waits } of services.filter(service => stopped.includes(service.state)))
      expect({ state, advised: waits.some(({ advice }) => advice !== undefined) }).toEqual({
        state,
        advised: true,
      });
  });

  it('gives the same view for the same objects, in whatever order they come', () => {
    for (const objects of Object.values(cloudStories)) {
      const turned: CloudObjects = {
        ...objects,
        flows: [...objects.flows].reverse(),
        plans: [...objects.plans].reverse(),
        revisions: [...objects.revisions].reverse(),
        phases: [...objects.phases].reverse(),
      };
      expect(viewOf(turned)).toEqual(viewOf(objects));
    }
  });
});

describe('where a change stands', () => {
  const want: Readonly<Record<string, Outcome>> = {
    'nothing there': 'done',
    'a record that nobody has looked at': 'running',
    'all well': 'done',
    'a record that is refused': 'refused',
    'waiting for approval': 'waiting',
    'waiting for a stage': 'waiting',
    'running upgrade': 'running',
    soaking: 'done',
    'held after rollback': 'undone',
    'refused by pre-flight': 'undone',
    'asks whether data is restored': 'waiting',
    'drain overdue': 'running',
    paused: 'waiting',
    aborted: 'undone',
  };
  it.each(Object.entries(want))('%s: %s', (name, outcome) => {
    const objects = story(name);
    expect(outcomeOf(objects, viewOf(objects))).toBe(outcome);
  });

  it.each(['Done', 'Failed'] as const)('a person takes back what soaks, its plan is %s: running', state => {
    const { flows, plans, ...rest } = story('soaking');
    const objects = {
      ...rest,
      flows: flows.map(flow => ({ ...flow, spec: { ...flow.spec, aborted: true } })),
      plans: plans.map(plan => ({ ...plan, status: { ...plan.status, state } })),
    };
    expect(outcomeOf(objects, viewOf(objects))).toBe('running');
  });
});

describe('an operator', () => {
  const record = story('all well').record;
  const unseen = story('a record that nobody has looked at').record;
  const cloud = (more: Partial<CloudObjects>) => aCloud('02:00', more);
  it.each([
    {
      says: 'none ever led and the record was not seen',
      objects: cloud({ ...(unseen ? { record: unseen } : {}), operator: { state: 'none' } }),
      missing: true,
    },
    {
      says: 'it led and is gone',
      objects: cloud({ ...(record ? { record } : {}), operator: { state: 'gone', lastSeenAt: at('01:00') } }),
      missing: true,
    },
    {
      says: 'none leads, and yet the record was seen',
      objects: cloud({ ...(record ? { record } : {}), operator: { state: 'none' } }),
      missing: false,
    },
    {
      says: 'it leads',
      objects: cloud({ ...(unseen ? { record: unseen } : {}), operator: { state: 'leads' } }),
      missing: false,
    },
    { says: 'nobody can tell', objects: cloud({ ...(unseen ? { record: unseen } : {}) }), missing: false },
  ] as const)('$says: missing is $missing', ({ objects, missing }) => {
    const view = viewOf(objects);
    expect(view.facts.command?.line === 'afloat install').toBe(missing);
    expect(view.facts.next.text.join().includes('no operator is running')).toBe(missing);
    const check = cloudChecks(objects, view).find(({ name }) => name === 'operator');
    expect(check?.state === 'failed').toBe(missing);
  });
});

describe('a hold', () => {
  const { flows, record, revisions } = story('held after rollback');
  const held = (more: Partial<CloudObjects>) =>
    viewOf(aCloud('02:30', { ...(record ? { record } : {}), revisions, flows, ...more })).services.find(
      ({ name }) => name === 'keystone',
    )?.hold;

  it('stays while the plan that failed is the newest', () => {
    expect(held({})).toMatchObject({ end: 'rolledback', target: '22.0.1' });
  });

  it('ends when a person releases it', () => {
    const released = flows.map(flow => ({ ...flow, spec: { ...flow.spec, released: true } }));
    expect(held({ flows: released })).toBeUndefined();
  });

  it('is void once a newer plan changes the service', () => {
    const step = aPlanStep('upgrade', { strategy: 'bluegreen', to: { version: '22.0.2' } });
    expect(held({ plans: [aPlan([step], 'WaitingForApproval', { name: 'north-3' })] })).toBeUndefined();
  });

  it('stays while a newer plan would only bring the same once more', () => {
    const target = `sha256:${'1'.repeat(64)}`;
    const step = aPlanStep('upgrade', { strategy: 'bluegreen', to: { version: '22.0.1' } });
    const spec = { targets: [{ service: 'keystone', digest: target }] };
    const failed = flows.map(flow => {
      const { planned } = flow.spec;
      return planned ? { ...flow, spec: { ...flow.spec, planned: { ...planned, target } } } : flow;
    });
    const plans = [aPlan([step], 'WaitingForApproval', { name: 'north-3', spec })];
    expect(held({ flows: failed, plans })).toMatchObject({ end: 'rolledback' });
  });

  it('is void once a newer flow of the service has ended well', () => {
    const step = aPlanStep('upgrade', { strategy: 'bluegreen', slices: 1, to: { version: '22.0.2' } });
    const newer = aFlow(step, ['main/check:new'], {
      began: '02:20',
      name: 'newer',
      status: { end: 'operational' },
    });
    expect(held({ flows: [...flows, newer] })).toBeUndefined();
  });
});

describe('history', () => {
  it('is the newest first, with the flow in place of its revision', () => {
    const { record, flows } = story('held after rollback');
    const objects = aCloud('03:00', {
      ...(record ? { record } : {}),
      flows,
      revisions: [aRevision('keystone', 2, '21.0.0'), aRevision('keystone', 3, '22.0.0')],
    });
    expect(
      historyOf(objects).map(({ at: when, end, revision, from, to }) => ({ when, end, revision, from, to })),
    ).toEqual([
      { when: at('02:06'), end: 'rolledback', revision: undefined, from: '22.0.0', to: '22.0.1' },
      { when: at('00:13'), end: 'operational', revision: 3, from: '21.0.0', to: '22.0.0' },
      { when: at('00:12'), end: 'operational', revision: 2, from: undefined, to: '21.0.0' },
    ]);
    expect(historyOf(objects, 'glance')).toEqual([]);
  });

  it('tells the same of a change while it soaks, after the soak, and when the flow is forgotten', () => {
    const objects = story('soaking');
    const during = historyOf(objects, 'keystone')[0];
    expect(during).toMatchObject({ revision: 4, end: 'operational', says: 'done' });
    const ended = objects.flows.map(flow => ({
      ...flow,
      status: { ...flow.status, end: 'operational' as const, finishedAt: at('03:06') },
    }));
    expect(historyOf({ ...objects, flows: ended }, 'keystone')[0]).toEqual(during);
    expect(historyOf({ ...objects, flows: [] }, 'keystone')[0]).toMatchObject({
      at: during?.at,
      revision: 4,
    });
  });
});

describe('what differs between two revisions', () => {
  const item = (name: string, digest: string, replicas?: number) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    name,
    role: 'workload' as const,
    phases: [],
    digest,
    ...(replicas === undefined ? {} : { replicas }),
  });
  const revision = (number: number, inventory: readonly ReturnType<typeof item>[]) =>
    aRevision('keystone', number, String(number), {
      parts: [
        {
          component: 'keystone',
          version: '1',
          packageDigest: '',
          inventory: [...inventory],
          slices: [],
          manifests: [],
        },
      ],
    });

  it('is told object by object', () => {
    const old = revision(1, [item('same', 'a'), item('gone', 'a'), item('other', 'a'), item('more', 'a', 1)]);
    const now = revision(2, [item('same', 'a'), item('new', 'a'), item('other', 'b'), item('more', 'a', 3)]);
    expect(compareRevisions(old, now)).toEqual([
      { object: 'Deployment/gone', change: 'remove' },
      { object: 'Deployment/more', change: 'scale', detail: 'replicas 1 -> 3' },
      { object: 'Deployment/new', change: 'add' },
      { object: 'Deployment/other', change: 'change' },
    ]);
    expect(compareRevisions(old, old)).toEqual([]);
  });
});

describe('what a doctor finds in the objects', () => {
  it.each([
    { name: 'all well', want: [] },
    { name: 'nothing there', want: ['warning record'] },
    { name: 'a record that nobody has looked at', want: ['warning operator', 'warning requests'] },
    { name: 'held after rollback', want: ['warning service keystone'] },
    { name: 'withdrawn', want: ['failed service keystone', 'failed requests'] },
  ])('$name', ({ name, want }) => {
    const objects = story(name);
    const checks = cloudChecks(objects, viewOf(objects)).filter(({ state }) => state !== 'ok');
    expect(checks.map(check => `${check.state} ${check.name}`)).toEqual(want);
  });
});

it('a service that the record no longer has is shown as long as something is known of it', () => {
  const view = viewOf(
    aCloud('02:00', { record: aRecord({}), revisions: [aRevision('glance', 1, '25.0.0')] }),
  );
  expect(view.services).toMatchObject([{ name: 'glance', serves: '25.0.0', state: 'Operational' }]);
  expect(view.services[0]?.wanted).toBeUndefined();
});

describe('a part of a service that is changed by itself', () => {
  const step = aPlanStep('upgrade', {
    id: 'nova.api/upgrade',
    service: 'nova',
    component: 'api',
    strategy: 'recreate',
    slices: 1,
    from: { version: '29' },
    to: { version: '30' },
  });
  const objects = aCloud('02:02', {
    record: aRecord({ nova: '30' }),
    revisions: [aRevision('nova', 1, '29')],
    flows: [
      aFlow(step, ['main/check:new', 'main/take-traffic:old', { id: 'main/apply:new', state: 'running' }]),
    ],
  });

  it('is told apart from the service, and its outage is one', () => {
    const { facts, services } = viewOf(objects);
    expect(
      facts.serving.map(({ part, by }) => ({ part, versions: by.map(({ version }) => version) })),
    ).toEqual([
      { part: undefined, versions: ['29'] },
      { part: 'nova.api', versions: [] },
    ]);
    expect(facts.failing).toMatchObject({ answer: 'yes', impact: { api: 'outage' } });
    expect(facts.failing.text).toContain('nova.api');
    expect(services).toMatchObject([{ name: 'nova', serves: '29', state: 'InFlow' }]);
  });
});

describe('a service that changed by itself', () => {
  const step = aPlanStep('install', { service: 'keystone', id: 'keystone/install', to: { version: '1' } });
  const flow = aFlow(step, ['main/check:new', 'main/give-traffic:new', 'main/settle:new'], {
    status: { end: 'operational' },
  });
  const told = (...ways: readonly WayStatus[]) =>
    aCloud('03:00', {
      record: aRecord({ keystone: '1' }),
      revisions: [aRevision('keystone', 1, '1')],
      flows: [flow],
      phases: [aPhase(flow, { actualState: 'deployed', ways } as OperationalStatus)],
    });
  const since = at('02:50');

  it('and answers nowhere: every request fails, and that is the first thing to look at', () => {
    const { facts, services } = viewOf(told({ service: 'keystone', ready: 0, wanted: 2, since }));
    expect(facts.serving).toMatchObject([{ service: 'keystone', by: [], expected: true, since }]);
    expect(facts.failing).toMatchObject({ answer: 'yes', impact: { api: 'outage' } });
    expect(facts.safe.answer).toBe(false);
    expect(facts.command?.line).toBe('afloat logs keystone');
    expect(services).toMatchObject([{ serves: '1', state: 'Operational', waits: [{ reason: 'NotReady' }] }]);
  });

  it('and answers at one of its ways: the other one is out', () => {
    const { facts } = viewOf(told({ service: 'api', ready: 2 }, { service: 'admin', ready: 0, since }));
    expect(facts.serving).toMatchObject([
      { service: 'keystone', by: [{ version: '1' }] },
      { service: 'keystone', part: 'admin', by: [], since },
    ]);
    expect(facts.failing).toMatchObject({ answer: 'yes', impact: { api: 'outage' } });
  });

  it('and answers with fewer addresses than it shall: degraded, and no request is known to fail', () => {
    const { facts, services } = viewOf(told({ service: 'keystone', ready: 1, wanted: 2 }));
    expect(facts.serving).toMatchObject([{ by: [{ version: '1' }] }]);
    expect(facts.failing).toMatchObject({ answer: 'no', impact: { api: 'degraded' } });
    expect(facts.failing.text).toContain('1 of 2');
    expect(services).toMatchObject([{ waits: [{ reason: 'Degraded' }] }]);
  });

  it('and was scaled to nothing on purpose: nothing is out of order', () => {
    const { facts } = viewOf(told({ service: 'keystone', ready: 0, wanted: 0 }));
    expect(facts.failing).toMatchObject({ answer: 'no', impact: { api: 'none' } });
  });
});

describe('where a flow that needs a person left its service', () => {
  const step = (strategy: 'bluegreen' | 'recreate') =>
    aPlanStep('upgrade', {
      strategy,
      slices: 1,
      from: { version: '1' },
      to: { version: '2' },
      data: [dataStep('migrate')],
    });
  const failed = (id: string) => ({ id, state: 'failed' as const });
  it.each([
    {
      says: 'what came failed beside what serves',
      flow: aFlow(step('bluegreen'), [
        'main/check:new',
        failed('main/apply:new'),
        failed('discard/remove:new'),
      ]),
      want: 'before',
    },
    {
      says: 'both have traffic',
      flow: aFlow(step('bluegreen'), [failed('main/give-traffic:new'), failed('return/give-traffic:old')]),
      want: 'between',
    },
    {
      says: 'nobody has traffic',
      flow: aFlow(step('recreate'), [
        'main/take-traffic:old',
        failed('main/apply:new'),
        failed('back/apply:old'),
      ]),
      want: 'between',
    },
    {
      says: 'the old version has traffic, and data was half way',
      flow: aFlow(step('recreate'), [
        'main/take-traffic:old',
        failed('main/migrate:new'),
        failed('back/restore:old'),
        'back/give-traffic:old',
      ]),
      want: 'between',
    },
    {
      says: 'an install that was withdrawn',
      flow: aFlow(aPlanStep('install'), [failed('main/give-traffic:new')], { status: { end: 'withdrawn' } }),
      want: 'withdrawn',
    },
  ])('$says: $want', ({ flow, want }) => {
    expect(leftOf(flow)).toBe(want);
  });
});

it('a move of a way back says which version it is about, not which is newer', () => {
  expect(sayMoveId('main/test:new')).toBe('tests, new version');
  expect(sayMoveId('main/test:new', 'rollback')).toBe('tests, the version it goes back to');
  expect(sayMoveId('main/take-traffic:old#2', 'rollback')).toBe(
    'takes traffic away, the version it leaves, slice 2',
  );
});
