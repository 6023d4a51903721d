import { describe, expect, it } from 'vitest';
import { packageLifecycle } from '../../api/package-lifecycle.ts';
import { validate } from '../../api/schema/validate.ts';
import type { JsonObject } from '../../base/json.ts';
import { checkLifecycle } from '../check-lifecycle.ts';
import type { ChartObject } from './chart-object.ts';
import { type ChartObjectWish, chartObject, setUpJob } from './chart-objects.contract.ts';
import { imagesAnnotation, lifecycleByRule } from './lifecycle-by-rule.ts';
import { placeByRule } from './place-by-rule.ts';
import { sliceByRule } from './slice-by-rule.ts';

const labels = { application: 'keystone', component: 'api' };
const api = (wish: ChartObjectWish = {}) => chartObject('Deployment', 'keystone-api', { labels, ...wish });
const service = chartObject('Service', 'keystone-api', { labels });
const sync = (spec: JsonObject = {}) => setUpJob('keystone-db-sync', 'job-db-sync', -4, { spec });
const tasks = ['backup', 'verify', 'restore', 'drop'].map(task =>
  chartObject('Job', `keystone-db-${task}`, { file: `job-db-${task}` }),
);

const of = (objects: readonly ChartObject[], annotations: Readonly<Record<string, string>> = {}) => {
  const { placed } = placeByRule(objects);
  const sliced = sliceByRule(placed);
  const found = lifecycleByRule({ service: 'keystone', version: '27.0.0', annotations, placed, sliced });
  const manifests = sliced.objects.map(({ chartObject: one }) => ({ ...one, locate: () => undefined }));
  const place = { file: 'lifecycle.yaml', object: {}, locate: () => undefined } as never;
  const files = manifests.map(({ file }) => file);
  expect(validate(packageLifecycle.json, found.lifecycle as unknown as JsonObject)).toEqual([]);
  expect(checkLifecycle({ lifecycle: found.lifecycle, place, files, manifests, complete: true })).toEqual([]);
  return found;
};

describe('the lifecycle of a chart', () => {
  it.each<{ says: string; objects: readonly ChartObject[]; want: object }>([
    {
      says: 'switches the Service of its API',
      objects: [api(), service],
      want: { strategy: 'bluegreen', traffic: { service: 'keystone-api', port: 80, drainSeconds: 30 } },
    },
    {
      says: 'gives pods that end slowly their time',
      objects: [api({ spec: { terminationGracePeriodSeconds: 600 } }), service],
      want: { traffic: { drainSeconds: 600 } },
    },
    {
      says: 'takes the Service of an API before others',
      objects: [
        api(),
        chartObject('Service', 'keystone-metrics', { labels }),
        chartObject('Service', 'keystone-api-public', { labels }),
        chartObject('Service', 'ks', { labels }),
      ],
      want: { traffic: { service: 'keystone-api-public' }, strategy: 'recreate' },
    },
    {
      says: 'is recreate where nothing can be switched',
      objects: [api()],
      want: { strategy: 'recreate', data: [] },
    },
    {
      says: 'is recreate where pods have a port of their host',
      objects: [api({ spec: { hostNetwork: true } }), service],
      want: { strategy: 'recreate' },
    },
    {
      says: 'is rolling beside what goes pod by pod',
      objects: [api(), service, chartObject('StatefulSet', 's')],
      want: { strategy: 'rolling' },
    },
    {
      says: 'has a migration that is not split',
      objects: [sync()],
      want: { data: [{ name: 'keystone', migrate: { sync: 'job/keystone-db-sync' } }] },
    },
    {
      says: 'names the tasks of its database',
      objects: [sync(), ...tasks],
      want: {
        data: [
          {
            backup: 'job/keystone-db-backup',
            verify: 'job/keystone-db-verify',
            restore: 'job/keystone-db-restore',
            drop: 'job/keystone-db-drop',
          },
        ],
      },
    },
    {
      says: 'names a restore without a migration, so that no phase runs it',
      objects: tasks,
      want: { data: [{ restore: 'job/keystone-db-restore' }] },
    },
    {
      says: 'keeps what something else writes',
      objects: [chartObject('Secret', 'keys', { keep: true })],
      want: { keep: ['secret/keys'] },
    },
    {
      says: 'has state outside where it has agents',
      objects: [chartObject('DaemonSet', 'agent')],
      want: { stateOutside: true },
    },
  ])('$says', ({ objects, want }) => {
    expect(of(objects).lifecycle).toMatchObject({ service: 'keystone', version: '27.0.0', ...want });
  });

  it.each([
    [
      'a connection',
      chartObject('Secret', 'db', {
        more: { stringData: { DB_CONNECTION: 'mysql+pymysql://u:p@mariadb:3306/idp?charset=utf8' } },
      }),
      'idp',
    ],
    [
      'a connection as Secrets have it',
      chartObject('Secret', 'db', {
        more: { data: { DB_CONNECTION: Buffer.from('mysql://u:p@h/idp').toString('base64') } },
      }),
      'idp',
    ],
    ['a custom resource', chartObject('Database', 'idp', { file: 'mariadb-db' }), 'idp'],
    [
      'no connection but a text',
      chartObject('Secret', 'db', { more: { stringData: { OTHER: 'mysql://u:p@h/idp' } } }),
      'keystone',
    ],
    [
      'a name that is none here',
      chartObject('Secret', 'db', { more: { stringData: { DB_CONNECTION: 'mysql://u:p@h/nova_api' } } }),
      'keystone',
    ],
  ])('calls its database as %s says', (_, object, want) => {
    expect(of([sync(), object]).lifecycle.data[0]?.name).toBe(want);
  });

  it('takes the images of a machine without a container engine from Chart.yaml', () => {
    const images = [{ name: 'keystone:27', command: ['node', 'main.mjs'], isolation: 'none' }];
    expect(of([api()], { [imagesAnnotation]: JSON.stringify(images) }).lifecycle.images).toMatchObject(
      images,
    );
    const { lifecycle, notes } = of([api()], { [imagesAnnotation]: '{' });
    expect(lifecycle.images).toEqual([]);
    expect(notes).toContainEqual(expect.stringContaining(imagesAnnotation));
  });
});

describe('the mark of its schema', () => {
  const headOf = (...objects: readonly ChartObject[]) => of(objects).lifecycle.data[0]?.head;
  const bin = (data: JsonObject) => chartObject('ConfigMap', 'keystone-bin', { more: { data } });
  const script = { 'db-sync.sh': 'keystone-manage db_sync', 'api.sh': 'start' };
  const volumes = [
    { name: 'bin', configMap: { name: 'keystone-bin' } },
    { name: 'etc', secret: { secretName: 'keystone-etc' } },
  ];
  const container = {
    name: 'sync',
    image: 'keystone:1',
    command: ['/tmp/db-sync.sh'],
    volumeMounts: [{ name: 'bin', mountPath: '/tmp/db-sync.sh', subPath: 'db-sync.sh' }],
  };
  const migration = (more: object = {}) => sync({ volumes, containers: [{ ...container, ...more }] });
  const usual = () => headOf(migration(), bin(script));

  it.each<[string, ChartObject, ChartObject]>([
    ['its settings', migration({ env: [{ name: 'A', value: 'b' }] }), bin(script)],
    ['another script', migration(), bin({ ...script, 'api.sh': 'start --faster' })],
  ])('stays with %s', (_, job, config) => {
    expect(headOf(job, config)).toBe(usual());
  });

  it.each<[string, ChartObject, ChartObject]>([
    ['its image', migration({ image: 'keystone:2' }), bin(script)],
    ['its command', migration({ command: ['/tmp/db-sync.sh', '--all'] }), bin(script)],
    ['its script', migration(), bin({ ...script, 'db-sync.sh': 'keystone-manage db_sync --expand' })],
  ])('changes with %s', (_, job, config) => {
    expect(headOf(job, config)).not.toBe(usual());
  });

  it.each(['keystone', 'keystone:latest', 'registry:5000/keystone', 'keystone:1'])(
    'is doubted for an image that may change: %s',
    image => {
      const { notes } = of([migration({ image })]);
      expect(notes.some(note => note.includes('may change under its name'))).toBe(image !== 'keystone:1');
    },
  );
});
