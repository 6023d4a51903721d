import type { PlanStep } from '../api/lifecycle-plan.ts';
import type { OperationalStatus } from '../api/phase-kinds.ts';
import type { CloudObjects } from '../status/cloud-objects.ts';
import { aCloud, aFlow, aPhase, aPlan, aRecord, aRevision, at } from './a-cloud.ts';
import { aPlanStep, dataStep } from './a-plan-step.ts';

const from = { version: '22.0.0', revision: 3 };
const to = { version: '22.0.1' };

const bluegreen = aPlanStep('upgrade', {
  strategy: 'bluegreen',
  slices: 1,
  from,
  to,
  estimateSeconds: 300,
  goingBack: { flow: 'rollback', cost: 'traffic' },
});
const recreate = aPlanStep('upgrade', {
  strategy: 'recreate',
  slices: 1,
  from,
  to,
  data: [dataStep('migrate')],
  impact: { api: 'outage', workloads: 'none' },
  estimateSeconds: 600,
  goingBack: { flow: 'rollback', cost: 'writes' },
});
const install = aPlanStep('install', { slices: 1, to, data: [dataStep('create')], estimateSeconds: 120 });

const record = aRecord({ mariadb: '10.11.6', keystone: '22.0.1' });
const mariadb = aRevision('mariadb', 1, '10.11.6', { flow: 'install' });
const revisions = [mariadb, aRevision('keystone', 3, '22.0.0')];
const slices = { oldSlices: ['blue'], newSlices: ['green'] };

/** Everything up to traffic of the bluegreen upgrade. */
const tested = ['main/check:new', 'main/apply:new', 'main/test:new'];
const served = [...tested, 'main/give-traffic:new', 'main/take-traffic:old', 'main/settle:new'];

/** The recreate upgrade until the new version is to be tested. */
const drained = [
  'main/check:new',
  'main/take-traffic:old',
  'main/back-up:new',
  'main/verify-backup:new',
  'main/migrate:new',
  'main/apply:new',
];
const restored = ['back/restore:old', 'back/apply:old'];

/** Nobody changed anything, and so many of two addresses are left. */
function diedByItself(ready: number): CloudObjects {
  const flow = aFlow(
    { ...install, to: from },
    ['main/check:new', 'main/give-traffic:new', 'main/settle:new'],
    {
      began: '00:10',
      status: { end: 'operational', newSlices: ['blue'], finishedAt: at('00:14') },
    },
  );
  const way = { service: 'keystone', ready, wanted: 2, ...(ready === 0 ? { since: at('02:51') } : {}) };
  return aCloud('03:00', {
    record: aRecord({ mariadb: '10.11.6', keystone: '22.0.0' }),
    revisions,
    flows: [flow],
    phases: [aPhase(flow, { actualState: 'deployed', ways: [way] } as OperationalStatus)],
  });
}

function running(
  steps: readonly PlanStep[],
  state: 'Running' | 'Failed' | 'Paused' | 'Aborted' = 'Running',
  spec: object = {},
) {
  const flows = steps.map(({ id }) => ({ id, flow: `north-2-${id.replaceAll(/[^a-z0-9]+/g, '-')}` }));
  const ended = state === 'Failed' || state === 'Aborted';
  return aPlan(steps, state, {
    spec,
    status: {
      steps: flows.map(step => (ended ? { ...step, end: 'rolledback', finishedAt: at('02:08') } : step)),
    },
  });
}

/** A cloud in one state with the flow of one step. */
function inFlow(
  now: string,
  step: PlanStep,
  ...flow: Parameters<typeof aFlow> extends [unknown, ...infer Rest] ? Rest : never
): CloudObjects {
  const made = aFlow(step, ...flow);
  const ended = made.status?.end !== undefined;
  return aCloud(now, {
    record,
    revisions,
    flows: [made],
    plans: [running([step], ended ? 'Failed' : 'Running')],
  });
}

/** The soak of an upgrade, with what the router counted. */
function soak(errors: number): CloudObjects {
  const flow = aFlow(bluegreen, [...served, { id: 'main/soak:new', state: 'running' }], {
    status: {
      ...slices,
      settledAt: at('02:06'),
      soakUntil: at('03:06'),
      revision: 4,
      writesSince: at('02:03'),
    },
  });
  const counts = [
    { slice: 'blue', weight: 0, requests: 0, errors: 0 },
    { slice: 'green', weight: 100, requests: 5200, errors },
  ];
  const phase = aPhase(flow, { traffic: { slices: counts } });
  return aCloud('02:20', {
    record,
    revisions: [...revisions, aRevision('keystone', 4, '22.0.1')],
    flows: [flow],
    phases: [phase],
    plans: [running([bluegreen])],
  });
}

function runningUpgrade(): CloudObjects {
  const flow = aFlow(bluegreen, [...tested.slice(0, 2), { id: 'main/test:new', state: 'running' }], {
    status: slices,
  });
  const phase = aPhase(flow, {
    progress: [
      { name: 'Job keystone-smoke', state: 'done' },
      { name: 'Job keystone-tempest', state: 'running', message: '41 of 60 cases passed' },
    ],
  });
  return aCloud('02:03', {
    record,
    revisions,
    flows: [flow],
    phases: [phase],
    plans: [running([bluegreen])],
  });
}

function drainOverdue(): CloudObjects {
  const message =
    'the deadline of 30 s has passed, 3 requests are in flight; nothing is cut, the old slice stays until they end';
  const flow = aFlow(
    bluegreen,
    [...tested, 'main/give-traffic:new', { id: 'main/take-traffic:old', state: 'running', message }],
    {
      status: slices,
    },
  );
  const counts = [
    { slice: 'blue', weight: 0, requests: 40, errors: 0, inFlight: 3 },
    { slice: 'green', weight: 100, requests: 800, errors: 0 },
  ];
  const phase = aPhase(flow, { traffic: { slices: counts } });
  return aCloud('02:09', {
    record,
    revisions,
    flows: [flow],
    phases: [phase],
    plans: [running([bluegreen])],
  });
}

const notYet = aRecord({ mariadb: '10.11.6', keystone: '22.0.1' });

/** Every kind of stop, as the objects of a cloud. The name of a story is the name of its file. */
export const cloudStories: Readonly<Record<string, CloudObjects>> = {
  'nothing there': aCloud('02:00', {}),
  'a record that nobody has looked at': aCloud('02:00', {
    record: { ...record, status: {} },
  }),
  'a record that is refused': aCloud('02:00', {
    record: aRecord(
      { mariadb: '10.11.6', keystone: '23.0.0' },
      {
        status: {
          conditions: [
            {
              type: 'Stalled',
              status: 'True',
              reason: 'VersionJump',
              message:
                'keystone cannot go from 22.0.0 to 23.0.0 at once. Set allowUnsupportedJump, or go step by step.',
            },
          ],
        },
      },
    ),
    revisions,
  }),
  'all well': aCloud('02:00', {
    record: aRecord({ mariadb: '10.11.6', keystone: '22.0.0' }),
    revisions,
  }),
  'died by itself': diedByItself(0),
  'half of it died by itself': diedByItself(1),
  'waiting for approval': aCloud('02:00', {
    record,
    revisions,
    plans: [aPlan([bluegreen], 'WaitingForApproval')],
  }),
  'waiting for approval with a consent': aCloud('02:00', {
    record: aRecord({ mariadb: '10.11.6' }, { spec: { removed: [{ name: 'keystone', purgeData: true }] } }),
    revisions,
    plans: [
      aPlan(
        [
          aPlanStep('uninstall', {
            from,
            consents: ['purge'],
            impact: { api: 'outage', workloads: 'degraded' },
          }),
        ],
        'WaitingForApproval',
      ),
    ],
  }),
  'waiting for a stage': aCloud('02:00', {
    record,
    revisions,
    plans: [
      aPlan([bluegreen], 'WaitingForStage', { plan: { stages: [{ name: 'controlplane', gate: 'manual' }] } }),
    ],
  }),
  'running upgrade': runningUpgrade(),
  'running upgrade with an outage': inFlow(
    '02:07',
    recreate,
    [...drained, { id: 'main/test:new', state: 'running' }],
    {
      status: slices,
    },
  ),
  soaking: soak(0),
  'soaking, and requests fail': soak(312),
  'going back by itself': inFlow(
    '02:05',
    bluegreen,
    [
      ...tested.slice(0, 2),
      { id: 'main/test:new', state: 'failed', message: 'Job keystone-smoke failed: exit code 1' },
      { id: 'discard/remove:new', state: 'running' },
    ],
    { status: slices },
  ),
  'held after rollback': inFlow(
    '02:30',
    bluegreen,
    [
      ...tested.slice(0, 2),
      { id: 'main/test:new', state: 'failed', message: 'Job keystone-smoke failed: exit code 1' },
      'discard/remove:new',
      'discard/test:old',
    ],
    { status: { ...slices, end: 'rolledback', because: 'main/test:new failed', finishedAt: at('02:06') } },
  ),
  'held after a rollback that a person asked for': aCloud('02:30', {
    record,
    revisions: [...revisions, aRevision('keystone', 5, '22.0.0', { flow: 'rollback' })],
    flows: [
      aFlow(
        aPlanStep('rollback', {
          strategy: 'bluegreen',
          slices: 1,
          from: { version: '22.0.1', revision: 4 },
          to: from,
        }),
        served,
        {
          planned: { holds: true },
          status: {
            oldSlices: ['green'],
            newSlices: ['blue'],
            end: 'operational',
            because: 'every move is done',
            revision: 5,
          },
        },
      ),
    ],
  }),
  'refused by pre-flight': inFlow(
    '02:30',
    bluegreen,
    [
      {
        id: 'main/check:new',
        state: 'failed',
        message: 'Job upgrade-check failed: option [token] provider was removed',
      },
    ],
    { status: { ...slices, end: 'refused', because: 'main/check:new failed', finishedAt: at('02:01') } },
  ),
  'irreconcilable with traffic off': inFlow(
    '02:40',
    recreate,
    [
      ...drained,
      { id: 'main/test:new', state: 'failed', message: 'Job keystone-smoke failed: exit code 1' },
      ...restored,
      { id: 'back/test:old', state: 'failed', message: 'Job keystone-smoke failed: connection refused' },
    ],
    {
      status: { ...slices, end: 'irreconcilable', because: 'back/test:old failed', finishedAt: at('02:10') },
    },
  ),
  'irreconcilable, the old version serves': inFlow(
    '02:40',
    bluegreen,
    [
      ...tested.slice(0, 2),
      { id: 'main/test:new', state: 'failed', message: 'Job keystone-smoke failed: exit code 1' },
      'discard/remove:new',
      { id: 'discard/test:old', state: 'failed', message: 'Job keystone-smoke failed: exit code 1' },
    ],
    {
      status: {
        ...slices,
        end: 'irreconcilable',
        because: 'discard/test:old failed',
        finishedAt: at('02:06'),
      },
    },
  ),
  'asks whether the software goes back': inFlow(
    '02:10',
    { ...bluegreen, rollback: { software: 'ask', data: 'auto' } },
    [
      ...tested.slice(0, 2),
      { id: 'main/test:new', state: 'failed', message: 'Job keystone-smoke failed: exit code 1' },
    ],
    { status: { ...slices, question: { question: 'rollback', because: 'the software policy is `ask`' } } },
  ),
  'a yes waits for a maintenance window': inFlow(
    '02:20',
    aPlanStep('contract', { from, to: from, data: [dataStep('contract')], estimateSeconds: 60 }),
    ['main/check:new', 'main/back-up:new', 'main/verify-backup:new'],
    { status: { ...slices, heard: { question: 'contract', until: at('22:00') } } },
  ),
  'asks whether data is restored': inFlow(
    '02:20',
    recreate,
    [
      ...drained,
      'main/test:new',
      { id: 'main/give-traffic:new', state: 'failed', message: '12 % of requests failed' },
      'withdraw/take-traffic:new',
      'back/list-loss:old',
    ],
    {
      status: {
        ...slices,
        writesSince: at('02:07'),
        losses: [
          {
            ...{ database: 'keystone', toldAt: at('02:19'), known: true },
            tables: [
              { table: 'project', says: '1 inserted' },
              { table: 'user', says: '12 inserted, 3 updated' },
            ],
          },
        ],
        question: { question: 'restore', because: 'what clients wrote since the backup would be lost' },
      },
    },
  ),
  'drain overdue': drainOverdue(),
  'install taken back': aCloud('02:30', {
    record: notYet,
    revisions: [mariadb],
    flows: [
      aFlow(
        install,
        [
          'main/check:new',
          'main/create-data:new',
          'main/apply:new',
          { id: 'main/test:new', state: 'failed', message: 'Job keystone-smoke failed: exit code 1' },
          'remove/remove-data:new',
          'remove/remove:new',
        ],
        { status: { end: 'takenback', because: 'main/test:new failed', finishedAt: at('02:06') } },
      ),
    ],
    plans: [running([install], 'Failed')],
  }),
  withdrawn: aCloud('02:30', {
    record: notYet,
    revisions: [mariadb],
    flows: [
      aFlow(
        install,
        [
          'main/check:new',
          'main/create-data:new',
          'main/apply:new',
          'main/test:new',
          { id: 'main/give-traffic:new', state: 'failed', message: '40 % of requests failed' },
          'withdraw/take-traffic:new',
        ],
        { status: { end: 'withdrawn', because: 'main/give-traffic:new failed', finishedAt: at('02:06') } },
      ),
    ],
    plans: [running([install], 'Failed')],
  }),
  unsettled: inFlow(
    '02:30',
    bluegreen,
    [
      ...served.slice(0, -1),
      {
        id: 'main/settle:new',
        state: 'failed',
        message: 'CronJob keystone-token-flush is refused: invalid schedule',
      },
    ],
    {
      status: {
        ...slices,
        revision: 4,
        end: 'unsettled',
        because: 'main/settle:new failed',
        finishedAt: at('02:06'),
      },
    },
  ),
  'held with traffic off': inFlow(
    '02:30',
    { ...recreate, rollback: { software: 'hold', data: 'auto' } },
    [...drained, { id: 'main/test:new', state: 'failed', message: 'Job keystone-smoke failed: exit code 1' }],
    { status: { ...slices, end: 'held', because: 'the software policy is `hold`', finishedAt: at('02:07') } },
  ),
  paused: aCloud('02:00', {
    record,
    revisions,
    plans: [aPlan([bluegreen], 'Paused', { spec: { paused: true } })],
  }),
  aborted: aCloud('02:30', {
    record,
    revisions,
    flows: [
      aFlow(
        bluegreen,
        [
          ...tested.slice(0, 2),
          { id: 'main/test:new', state: 'failed', message: 'a person wanted out' },
          'discard/remove:new',
          'discard/test:old',
        ],
        {
          spec: { aborted: true },
          status: { ...slices, end: 'rolledback', because: 'a person wanted out', finishedAt: at('02:06') },
        },
      ),
    ],
    plans: [running([bluegreen], 'Aborted', { aborted: true })],
  }),
};
