import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aPackage } from '../memory-source.contract.ts';
import { identityOf } from '../object-kinds.ts';
import type { ChartObject } from './chart-object.ts';
import { chartObject, printPlaced, setUpJob } from './chart-objects.contract.ts';
import { placeByRule } from './place-by-rule.ts';

const api = { application: 'keystone', component: 'api' };
const osh = { etc: { file: 'configmap-etc' }, bin: { file: 'configmap-bin' } };
const content = { more: { data: { a: 'Yg==' } } };

const keystone: readonly ChartObject[] = [
  chartObject('Deployment', 'keystone-api', {
    ...{ file: 'deployment-api', labels: api, services: ['mariadb', 'memcached'] },
    jobs: ['keystone-db-sync', 'keystone-credential-setup', 'keystone-fernet-setup'],
  }),
  chartObject('Service', 'keystone-api', { file: 'service-api', labels: api }),
  chartObject('Secret', 'keystone-etc', { ...osh.etc, ...content }),
  chartObject('ConfigMap', 'keystone-bin', { ...osh.bin, ...content }),
  chartObject('Secret', 'keystone-db-user', { file: 'secret-db', ...content }),
  chartObject('Secret', 'keystone-fernet-keys', {
    file: 'secret-fernet-keys',
    hooks: ['pre-install'],
    keep: true,
  }),
  chartObject('Secret', 'keystone-credential-keys', {
    file: 'secret-credential-keys',
    hooks: ['pre-install'],
    keep: true,
  }),
  chartObject('ServiceAccount', 'keystone-api', { file: 'deployment-api' }),
  chartObject('Role', 'keystone-fernet-setup', { file: 'job-fernet-setup' }),
  setUpJob('keystone-bootstrap', 'job-bootstrap', 5, {
    services: ['keystone-api'],
    jobs: ['keystone-domain-manage'],
  }),
  setUpJob('keystone-domain-manage', 'job-domain-manage', 0, { services: ['keystone-api'] }),
  setUpJob('keystone-db-sync', 'job-db-sync', -4, {
    jobs: ['keystone-db-init', 'keystone-credential-setup'],
    services: ['mariadb'],
  }),
  setUpJob('keystone-db-init', 'job-db-init', -5, { services: ['mariadb'] }),
  setUpJob('keystone-credential-setup', 'job-credential-setup', -5),
  setUpJob('keystone-fernet-setup', 'job-fernet-setup', -5),
  setUpJob('keystone-rabbit-init', 'job-rabbit-init', -4, { services: ['rabbitmq'] }),
  setUpJob('keystone-image-repo-sync', 'job-image-repo-sync', 0),
  chartObject('Job', 'keystone-credential-cleanup', {
    file: 'job-credential-cleanup',
    hooks: ['pre-delete'],
  }),
  chartObject('Job', 'keystone-db-drop', { file: 'job-db-drop', hooks: ['pre-delete'] }),
  chartObject('CronJob', 'keystone-fernet-rotate', { file: 'cron-job-fernet-rotate' }),
  chartObject('PodDisruptionBudget', 'keystone-api', { file: 'pdb-api' }),
  chartObject('NetworkPolicy', 'keystone', { file: 'network_policy' }),
  chartObject('Pod', 'keystone-test', {
    file: 'pod-rally-test',
    hooks: ['test-success'],
    services: ['keystone-api'],
  }),
];

const image = { application: 'glance', component: 'api' };
const glance: readonly ChartObject[] = [
  chartObject('Deployment', 'glance-api', {
    ...{ file: 'deployment-api', labels: image },
    jobs: [
      'glance-storage-init',
      'glance-db-sync',
      'glance-rabbit-init',
      'glance-ks-user',
      'glance-ks-endpoints',
    ],
  }),
  chartObject('Service', 'glance-api', { file: 'service-api', labels: image }),
  chartObject('PersistentVolumeClaim', 'glance-images', { file: 'pvc-images' }),
  setUpJob('glance-bootstrap', 'job-bootstrap', 5, { services: ['glance-api', 'keystone-api'] }),
  setUpJob('glance-metadefs-load', 'job-metadefs-load', 0, { jobs: ['glance-db-sync'] }),
  setUpJob('glance-storage-init', 'job-storage-init', 0, { jobs: ['glance-ks-user'] }),
  setUpJob('glance-ks-user', 'job-ks-user', -1, { services: ['keystone-api'] }),
  setUpJob('glance-ks-endpoints', 'job-ks-endpoints', -2, { jobs: ['glance-ks-service'] }),
  setUpJob('glance-ks-service', 'job-ks-service', -3, { services: ['keystone-api'] }),
  setUpJob('glance-rabbit-init', 'job-rabbit-init', -4),
  setUpJob('glance-db-sync', 'job-db-sync', -4, { jobs: ['glance-db-init'] }),
  setUpJob('glance-db-init', 'job-db-init', -5),
  chartObject('Job', 'glance-clean', { file: 'job-clean', hooks: ['pre-delete'] }),
  chartObject('Pod', 'glance-test', {
    file: 'pod-rally-test',
    hooks: ['test-success'],
    services: ['glance-api'],
  }),
];

const compute = { application: 'nova', component: 'compute' };
const osapi = { application: 'nova', component: 'os-api' };
const nova: readonly ChartObject[] = [
  chartObject('DaemonSet', 'nova-compute-default', {
    file: 'daemonset-compute',
    labels: compute,
    jobs: ['nova-db-sync', 'nova-rabbit-init'],
  }),
  chartObject('Deployment', 'nova-api-osapi', {
    file: 'deployment-api-osapi',
    labels: osapi,
    jobs: ['nova-db-sync', 'nova-ks-endpoints'],
  }),
  chartObject('Service', 'nova-api', { file: 'service-osapi', labels: osapi }),
  chartObject('Job', 'nova-cell-setup', {
    file: 'job-cell-setup',
    jobs: ['nova-db-sync', 'nova-rabbit-init'],
    pods: compute,
  }),
  chartObject('Job', 'nova-bootstrap', { file: 'job-bootstrap', services: ['nova-api', 'keystone-api'] }),
  setUpJob('nova-db-init', 'job-db-init', -5),
  setUpJob('nova-db-sync', 'job-db-sync', -4, { jobs: ['nova-db-init'] }),
  setUpJob('nova-rabbit-init', 'job-rabbit-init', -4),
  setUpJob('nova-ks-service', 'job-ks-service', -3),
  setUpJob('nova-ks-endpoints', 'job-ks-endpoints', -2, { jobs: ['nova-ks-service'] }),
  chartObject('CronJob', 'nova-cell-setup', { file: 'cron-job-cell-setup', jobs: ['nova-db-sync'] }),
  chartObject('NetworkPolicy', 'nova', { file: 'netpol-nova' }),
];

describe('charts of openstack-helm, by their files, hooks and waits', () => {
  it.each([
    { name: 'keystone', objects: keystone },
    { name: 'glance', objects: glance },
    { name: 'nova', objects: nova },
  ])('$name', async ({ name, objects }) => {
    const lines = `${printPlaced(placeByRule(objects)).join('\n')}\n`;
    await expect(lines).toMatchFileSnapshot(`testdata/placed-${name}.txt`);
  });

  it.each([keystone, glance, nova])('whatever order they come in', (...objects) => {
    const want = placeByRule(objects);
    fc.assert(
      fc.property(fc.shuffledSubarray(objects, { minLength: objects.length }), shuffled => {
        expect(placeByRule(shuffled)).toEqual(want);
      }),
      { numRuns: 20 },
    );
  });
});

const placeOf = (objects: readonly ChartObject[], name: string) => {
  const { placed } = placeByRule(objects);
  return placed.find(({ chartObject: { object } }) => identityOf(object).name === name);
};

describe('an object of any chart', () => {
  const job = (hooks: readonly string[], file = 'seed') => [chartObject('Job', 'a', { hooks, file })];
  it.each<{ says: string; objects: readonly ChartObject[]; want: object | undefined }>([
    {
      says: 'before an install',
      objects: job(['pre-install']),
      want: { role: 'task', phases: ['install'], moment: 'before' },
    },
    {
      says: 'after an install and an upgrade',
      objects: job(['post-install', 'post-upgrade']),
      want: { phases: ['install', 'upgrade'], moment: 'after' },
    },
    {
      says: 'before an upgrade',
      objects: job(['pre-upgrade']),
      want: { phases: ['upgrade'], moment: 'before' },
    },
    {
      says: 'around a rollback',
      objects: job(['pre-rollback']),
      want: { phases: ['rollback'], moment: 'before' },
    },
    { says: 'before a removal', objects: job(['pre-delete', 'post-delete']), want: { phases: ['delete'] } },
    {
      says: 'after a removal',
      objects: job(['post-delete']),
      want: { phases: ['delete'], moment: 'after' },
    },
    { says: 'as a test', objects: job(['test']), want: { phases: ['test'] } },
    { says: 'as a test of old', objects: job(['test-success']), want: { phases: ['test'] } },
    { says: 'as a test that must fail', objects: job(['test-failure']), want: undefined },
    {
      says: 'that moves a schema, by its name',
      objects: job(['post-install'], 'db-migrations'),
      want: { phases: ['install', 'upgrade'], moment: 'before', use: 'sync' },
    },
    {
      says: 'with no hook',
      objects: job([]),
      want: { role: 'task', phases: ['install', 'upgrade', 'rollback'], moment: 'before' },
    },
    { says: 'that ends, as a Pod', objects: [chartObject('Pod', 'a')], want: { role: 'task' } },
    {
      says: 'that never ends, as a Pod',
      objects: [chartObject('Pod', 'a', { spec: { restartPolicy: 'Always' } })],
      want: undefined,
    },
    {
      says: 'that runs on a timer',
      objects: [chartObject('CronJob', 'a')],
      want: { role: 'workload', phases: ['operational'] },
    },
    {
      says: 'that exposes',
      objects: [chartObject('Ingress', 'a')],
      want: { role: 'workload', phases: ['trafficrollout'] },
    },
    {
      says: 'that exposes as a Service',
      objects: [chartObject('Service', 'a', { spec: { type: 'LoadBalancer' } })],
      want: { phases: ['trafficrollout'] },
    },
    {
      says: 'that is a Service',
      objects: [chartObject('Service', 'a')],
      want: { role: 'workload', phases: ['install', 'upgrade', 'rollback'] },
    },
    {
      says: 'of a kind that nobody knows',
      objects: [chartObject('Thing', 'a')],
      want: { role: 'workload', phases: ['install', 'upgrade', 'rollback'] },
    },
    {
      says: 'that is a hook Secret',
      objects: [chartObject('Secret', 'a', { hooks: ['pre-install', 'pre-upgrade'], ...content })],
      want: { role: 'kept' },
    },
    {
      says: 'that is a Secret of a test',
      objects: [chartObject('Secret', 'a', { hooks: ['test'], ...content })],
      want: { role: 'support' },
    },
    {
      says: 'that the chart keeps',
      objects: [chartObject('ConfigMap', 'a', { keep: true })],
      want: { role: 'kept' },
    },
    {
      says: 'that the chart keeps, but that runs',
      objects: [chartObject('Deployment', 'a', { keep: true })],
      want: { role: 'workload' },
    },
    {
      says: 'that is a volume',
      objects: [chartObject('PersistentVolumeClaim', 'a')],
      want: { role: 'kept' },
    },
    {
      says: 'of the folder for definitions',
      objects: [chartObject('CustomResourceDefinition', 'a', { file: 'crds/a.yaml' })],
      want: { role: 'kept' },
    },
    {
      says: 'that lets pods do something',
      objects: [chartObject('ClusterRole', 'a')],
      want: { role: 'support' },
    },
  ])('$says', ({ objects, want }) => {
    if (want) expect(placeOf(objects, 'a')).toMatchObject(want);
    else expect(placeByRule(objects)).toMatchObject({ placed: [], unplaced: [{ chartObject: objects[0] }] });
  });

  it('that faces the world is the way that is switched, where it leads to the only Deployment', () => {
    const labels = { app: 'a' };
    const objects = [
      chartObject('Service', 'front', { labels, spec: { type: 'LoadBalancer' } }),
      chartObject('Deployment', 'web', { labels }),
    ];
    expect(placeOf(objects, 'front')?.phases).toEqual(['install', 'upgrade', 'rollback']);
  });

  describe('that a Role may write', () => {
    const role = (rule: object) =>
      chartObject('Role', 'r', { more: { rules: [{ resources: ['secrets'], ...rule }] as never } });
    it.each([
      { says: 'by name', rule: { verbs: ['patch'], resourceNames: ['a'] }, more: content.more, want: 'kept' },
      { says: 'among all, and it is empty', rule: { verbs: ['get', 'update'] }, more: {}, want: 'kept' },
      {
        says: 'among all, and the chart fills it',
        rule: { verbs: ['update'] },
        more: content.more,
        want: 'support',
      },
      {
        says: 'under another name',
        rule: { verbs: ['update'], resourceNames: ['b'] },
        more: {},
        want: 'support',
      },
      { says: 'only to read', rule: { verbs: ['get'], resourceNames: ['a'] }, more: {}, want: 'support' },
      {
        says: 'were it a ConfigMap',
        rule: { resources: ['configmaps'], verbs: ['*'] },
        more: {},
        want: 'support',
      },
    ])('$says', ({ rule, more, want }) => {
      const objects = [role(rule), chartObject('Secret', 'a', { more })];
      expect(placeOf(objects, 'a')?.role).toBe(want);
    });
  });
});

describe('what waits', () => {
  const heat = { app: 'heat' };
  const software = (jobs: readonly string[]) => [
    chartObject('Deployment', 'heat-api', { labels: heat, jobs }),
    chartObject('Service', 'heat-api', { labels: heat }),
  ];
  const momentOf = (objects: readonly ChartObject[], name: string) => placeOf(objects, name)?.moment;

  it('is led: a task that software waits for goes before it, with all that it waits for itself', () => {
    const objects = [
      ...software(['heat-bootstrap']),
      setUpJob('heat-bootstrap', 'job-bootstrap', 0, { jobs: ['heat-seed'] }),
      setUpJob('heat-seed', 'seed', 7),
    ];
    expect([momentOf(objects, 'heat-bootstrap'), momentOf(objects, 'heat-seed')]).toEqual([
      'before',
      'before',
    ]);
    const names = placeByRule(objects).placed.map(({ chartObject: { object } }) => identityOf(object).name);
    expect(names.indexOf('heat-seed')).toBeLessThan(names.indexOf('heat-bootstrap'));
    expect(placeOf(objects, 'heat-bootstrap')?.because).toContain('Deployment heat-api waits for it');
  });

  it('for the software goes after it, and so does who waits for that', () => {
    const objects = [
      ...software([]),
      setUpJob('heat-trusts', 'job-trusts', -2, { services: ['heat-api'] }),
      setUpJob('heat-ks-user', 'job-ks-user', -1, { jobs: ['heat-trusts'] }),
    ];
    expect([momentOf(objects, 'heat-trusts'), momentOf(objects, 'heat-ks-user')]).toEqual(['after', 'after']);
  });

  it('for the software that waits for it has no place', () => {
    const objects = [
      ...software(['heat-bootstrap']),
      setUpJob('heat-bootstrap', 'job-bootstrap', 0, { services: ['heat-api'] }),
    ];
    expect(placeByRule(objects).unplaced).toMatchObject([
      { because: 'Deployment heat-api waits for it, and it waits for Service heat-api' },
    ]);
  });

  it('for each other has no place', () => {
    const objects = [chartObject('Job', 'a', { jobs: ['b'] }), chartObject('Job', 'b', { jobs: ['a'] })];
    expect(placeByRule(objects).unplaced).toHaveLength(2);
  });

  it('for what only a removal runs has no place', () => {
    const objects = [
      chartObject('Job', 'a', { jobs: ['b'] }),
      chartObject('Job', 'b', { hooks: ['pre-delete'] }),
    ];
    expect(placeByRule(objects)).toMatchObject({
      placed: [{ chartObject: objects[1] }],
      unplaced: [{ chartObject: objects[0] }],
    });
  });

  it('for a Service or Job of another chart stays where it is', () => {
    const objects = [chartObject('Job', 'a', { jobs: ['other'], services: ['mariadb'] })];
    expect(momentOf(objects, 'a')).toBe('before');
  });
});

describe('a lifecycle of the chart', () => {
  const { lifecycle } = aPackage(
    {
      'templates/seed.yaml': 'apiVersion: batch/v1\nkind: Job\nmetadata: { name: seed }\n',
      'templates/check.yaml': 'apiVersion: batch/v1\nkind: Job\nmetadata: { name: check }\n',
    },
    'preflight: [job/check]\nphases: { operational: [templates/seed.yaml] }\n',
  );

  it('goes before the rules for what it names or lists, and leaves all else to them', () => {
    const objects = [
      chartObject('Job', 'seed', { file: 'seed', hooks: ['post-install'] }),
      chartObject('Job', 'check'),
      setUpJob('db-sync', 'job-db-sync', -4),
    ];
    const { placed } = placeByRule(objects, lifecycle);
    const phases = placed.map(({ chartObject: { object }, phases }) => [identityOf(object).name, ...phases]);
    expect(phases).toEqual([
      ['check', 'planning'],
      ['db-sync', 'install', 'upgrade'],
      ['seed', 'operational'],
    ]);
  });

  it('never overwrites what something else writes', () => {
    const objects = [chartObject('Secret', 'keys', { file: 'seed', keep: true })];
    expect(
      placeOf(
        placeByRule(objects, lifecycle).placed.map(one => one.chartObject),
        'keys',
      )?.role,
    ).toBe('kept');
  });
});
