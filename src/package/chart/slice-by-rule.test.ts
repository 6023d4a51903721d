import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sliceLabel } from '../../api/labels.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { identityKey, identityOf } from '../object-kinds.ts';
import { substitute } from '../substitute.ts';
import type { ChartObject } from './chart-object.ts';
import { type ChartObjectWish, chartObject, setUpJob } from './chart-objects.contract.ts';
import { configNamesOf } from './config-references.ts';
import { placeByRule } from './place-by-rule.ts';
import { sliceByRule } from './slice-by-rule.ts';

const labels = { application: 'a', component: 'api' };
const content = { more: { data: { key: 'b2xk' } } };
const mounts = (...volumes: readonly Json[]): JsonObject => ({
  volumes: volumes.map((source, index) => ({ name: `v${index}`, ...(source as JsonObject) })),
});
const etc = { secret: { secretName: 'a-etc' } };
const bin = { configMap: { name: 'a-bin' } };
const config = [chartObject('Secret', 'a-etc', content), chartObject('ConfigMap', 'a-bin', content)];
const api = (wish: ChartObjectWish = {}) =>
  chartObject('Deployment', 'a-api', { labels, spec: mounts(etc, bin), ...wish });
const service = chartObject('Service', 'a-api', { labels });

const slice = (...objects: readonly ChartObject[]) => sliceByRule(placeByRule(objects).placed);
const inSlice = (object: JsonObject, name: string): JsonObject => {
  const context = { names: { slice: name }, values: {}, shared: {}, later: [], moreValuesLater: false };
  const filled = substitute(object, context);
  expect(filled.problems).toEqual([]);
  return filled.object;
};
const names = (chart: ReturnType<typeof slice>) =>
  chart.objects.map(
    ({ chartObject: { object }, slice: how }) => `${object['kind']} ${identityOf(object).name} ${how}`,
  );
const find = (chart: ReturnType<typeof slice>, kind: string): JsonObject =>
  chart.objects.find(({ chartObject: { object } }) => object['kind'] === kind)?.chartObject.object ?? {};

describe('names', () => {
  it.each<{ says: string; objects: readonly ChartObject[]; want: readonly string[] }>([
    {
      says: 'a Deployment and its config are there once a slice, its Service once',
      objects: [api(), service, ...config],
      want: [
        'ConfigMap a-bin-${slice} sliced',
        'Deployment a-api-${slice} sliced',
        'Secret a-etc-${slice} sliced',
        'Service a-api shared',
      ],
    },
    {
      says: 'a task finds the config of its own version, under a name of its own',
      objects: [setUpJob('a-db-sync', 'job-db-sync', 0, { spec: mounts(etc) }), ...config],
      want: ['ConfigMap a-bin shared', 'Job a-db-sync task', 'Secret a-etc-${slice} sliced'],
    },
    {
      says: 'config that others use too is there under both names',
      objects: [api(), chartObject('CronJob', 'a-purge', { spec: mounts(etc) }), ...config],
      want: [
        'ConfigMap a-bin-${slice} sliced',
        'CronJob a-purge shared',
        'Deployment a-api-${slice} sliced',
        'Secret a-etc shared',
        'Secret a-etc-${slice} sliced',
      ],
    },
    {
      says: 'config that something names where it cannot be changed is there under both names',
      objects: [api({ spec: { ...mounts(etc), imagePullSecrets: [{ name: 'a-etc' }] } }), ...config],
      want: [
        'ConfigMap a-bin shared',
        'Deployment a-api-${slice} sliced',
        'Secret a-etc shared',
        'Secret a-etc-${slice} sliced',
      ],
    },
    {
      says: 'what something else writes is never copied',
      objects: [
        api({ spec: mounts({ secret: { secretName: 'keys' } }) }),
        chartObject('Secret', 'keys', { keep: true }),
      ],
      want: ['Deployment a-api-${slice} sliced', 'Secret keys shared'],
    },
    {
      says: 'what scales and guards a Deployment goes with it',
      objects: [
        api({ spec: {} }),
        chartObject('HorizontalPodAutoscaler', 'a', {
          spec: { scaleTargetRef: { kind: 'Deployment', name: 'a-api' } },
        }),
        chartObject('PodDisruptionBudget', 'a', { spec: { selector: { matchLabels: labels } } }),
        chartObject('PodDisruptionBudget', 'b', { spec: { selector: { matchLabels: { b: 'b' } } } }),
      ],
      want: [
        'Deployment a-api-${slice} sliced',
        'HorizontalPodAutoscaler a-${slice} sliced',
        'PodDisruptionBudget a-${slice} sliced',
        'PodDisruptionBudget b shared',
      ],
    },
    {
      says: 'a name that ends like a slice is never taken',
      objects: [api({ spec: {} }), chartObject('Deployment', 'a-api-1', { labels: { b: 'b' } })],
      want: ['Deployment a-api-1-slice-${slice} sliced', 'Deployment a-api-slice-${slice} sliced'],
    },
    {
      says: 'a name that only begins like another does not matter',
      objects: [api({ spec: {} }), chartObject('Deployment', 'a-api-worker', { labels: { b: 'b' } })],
      want: ['Deployment a-api-${slice} sliced', 'Deployment a-api-worker-${slice} sliced'],
    },
  ])('$says', ({ objects, want }) => {
    expect(names(slice(...objects)).sort()).toEqual(want);
  });
});

describe('a sliced Deployment', () => {
  const every: JsonObject = {
    initContainers: [
      { name: 'init', envFrom: [{ secretRef: { name: 'a-etc' } }, { configMapRef: { name: 'a-bin' } }] },
    ],
    containers: [
      {
        name: 'api',
        env: [
          { name: 'A', valueFrom: { secretKeyRef: { name: 'a-etc', key: 'key' } } },
          { name: 'B', valueFrom: { configMapKeyRef: { name: 'a-bin', key: 'key' } } },
          { name: 'C', valueFrom: { secretKeyRef: { name: 'other', key: 'key' } } },
        ],
      },
    ],
    volumes: [
      { name: 'a', ...etc },
      { name: 'b', ...bin },
      {
        name: 'c',
        projected: { sources: [{ secret: { name: 'a-etc' } }, { configMap: { name: 'a-bin' } }] },
      },
      { name: 'd', secret: { secretName: 'other' } },
      { name: 'e', emptyDir: {} },
    ],
  };

  it('names the config of its slice wherever it uses it, and no other', () => {
    const used = configNamesOf(find(slice(api({ spec: every }), ...config), 'Deployment'));
    expect(new Set(used.map(({ kind, name }) => `${kind} ${name}`))).toEqual(
      new Set(['Secret a-etc-${slice}', 'ConfigMap a-bin-${slice}', 'Secret other']),
    );
  });

  it('selects the pods of its slice, and says so on them', () => {
    const { spec } = find(slice(api()), 'Deployment');
    const all = { ...labels, [sliceLabel]: '${slice}' };
    expect(spec).toMatchObject({ selector: { matchLabels: all }, template: { metadata: { labels: all } } });
  });

  it('keeps away from its own slice only', () => {
    const like = { matchExpressions: [{ key: 'component', operator: 'In', values: ['api'] }] };
    const term = (labelSelector: JsonObject) => ({ labelSelector, topologyKey: 'kubernetes.io/hostname' });
    const other = term({ matchLabels: { component: 'memcached' } });
    const affinity = {
      nodeAffinity: {},
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [term(like), other],
        preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 10, podAffinityTerm: term(like) }],
      },
    };
    const { spec } = find(slice(api({ spec: { affinity } })), 'Deployment');
    const own = term({ ...like, matchLabels: { [sliceLabel]: '${slice}' } });
    expect(spec).toMatchObject({
      template: {
        spec: {
          affinity: {
            nodeAffinity: {},
            podAntiAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: [own, other],
              preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 10, podAffinityTerm: own }],
            },
          },
        },
      },
    });
  });

  it('has the hash of its config as the chart made it', () => {
    const hash = { 'configmap-etc-hash': 'abc' };
    const { object } = api();
    const spec = object['spec'] as JsonObject;
    const template = { ...(spec['template'] as JsonObject), metadata: { labels, annotations: hash } };
    const chart = slice(
      chartObject('Deployment', 'a-api', { more: { spec: { ...spec, template } } }),
      ...config,
    );
    expect(find(chart, 'Deployment')).toMatchObject({
      spec: { template: { metadata: { annotations: hash } } },
    });
  });
});

describe('strategies', () => {
  const host = (spec: JsonObject) => api({ spec });
  const data = { persistentVolumeClaim: { claimName: 'data' } };
  const claim = (mode: string) =>
    chartObject('PersistentVolumeClaim', 'data', { spec: { accessModes: [mode] } });
  const writes = { containers: [{ name: 'a', volumeMounts: [{ name: 'v0', mountPath: '/data' }] }] };
  const reads = {
    containers: [{ name: 'a', volumeMounts: [{ name: 'v0', mountPath: '/data', readOnly: true }] }],
  };
  const folder = { hostPath: { path: '/var/lib/a' } };
  const all = ['bluegreen', 'rolling', 'recreate'];
  it.each<{ says: string; objects: readonly ChartObject[]; want: readonly string[] }>([
    { says: 'all, of Deployments', objects: [api(), service], want: all },
    {
      says: 'not side by side with a StatefulSet',
      objects: [api(), chartObject('StatefulSet', 's')],
      want: ['rolling', 'recreate'],
    },
    {
      says: 'not side by side with a DaemonSet',
      objects: [api(), chartObject('DaemonSet', 'd')],
      want: ['rolling', 'recreate'],
    },
    {
      says: 'one by one on the network of the host',
      objects: [host({ hostNetwork: true })],
      want: ['recreate'],
    },
    {
      says: 'one by one with a port of the host',
      objects: [host({ containers: [{ name: 'a', ports: [{ hostPort: 80 }] }] })],
      want: ['recreate'],
    },
    {
      says: 'one by one on a volume of its own',
      objects: [host(mounts(data)), claim('ReadWriteOnce')],
      want: ['recreate'],
    },
    { says: 'one by one on a volume that nobody knows', objects: [host(mounts(data))], want: ['recreate'] },
    {
      says: 'all on a volume that is made for many',
      objects: [host(mounts(data)), claim('ReadWriteMany')],
      want: all,
    },
    {
      says: 'one by one where it writes to its host',
      objects: [host({ ...mounts(folder), ...writes })],
      want: ['recreate'],
    },
    { says: 'all where it only reads there', objects: [host({ ...mounts(folder), ...reads })], want: all },
    {
      says: 'one by one where a second Service leads to untested pods',
      objects: [api(), service, chartObject('Service', 'a-metrics', { labels })],
      want: ['recreate'],
    },
    {
      says: 'all where a second Service leads elsewhere',
      objects: [api(), service, chartObject('Service', 'b', { labels: { b: 'b' } })],
      want: all,
    },
    { says: 'all without anything that runs', objects: [...config], want: all },
  ])('$says', ({ objects, want }) => {
    const { strategies, notes } = slice(...objects);
    expect(strategies).toEqual(want);
    expect(notes.length > 0).toBe(want.length < 3);
  });
});

describe('waits', () => {
  const dependencies = (object: JsonObject) =>
    JSON.stringify(object).match(/"DEPENDENCY_\w+","value":"[^"]*"/g);
  const chart = () =>
    slice(
      api({ jobs: ['a-db-sync', 'other'], services: ['mariadb', 'a-api'] }),
      service,
      setUpJob('a-db-sync', 'job-db-sync', 0, { jobs: ['a-db-init'] }),
      setUpJob('a-db-init', 'job-db-init', -1),
      chartObject('StatefulSet', 'a-worker', { jobs: ['a-db-sync'] }),
      chartObject('Pod', 'a-test', {
        hooks: ['test'],
        file: 'pod-rally-test',
        services: ['a-api', 'mariadb'],
      }),
    );

  it.each([
    ['Deployment', ['other'], ['openstack:mariadb']],
    ['StatefulSet', [], []],
    ['Job', [], []],
    ['Pod', [], ['openstack:mariadb']],
  ])('of a %s for what ran before, or leads to nobody yet, are dropped', (kind, jobs, services) => {
    const { objects } = chart();
    for (const {
      chartObject: { object },
    } of objects.filter(one => one.chartObject.object['kind'] === kind))
      expect(dependencies(object) ?? []).toEqual(
        identityOf(object).name === 'a-db-init'
          ? []
          : [
              `"DEPENDENCY_JOBS","value":"${jobs.join(',')}"`,
              `"DEPENDENCY_SERVICE","value":"${services.join(',')}"`,
            ],
      );
  });

  it('that were dropped, and those that nobody can end, are told', () => {
    const { notes } = chart();
    expect(notes).toContain('Deployment a-api does not wait for Job a-db-sync: it has run by then');
    expect(notes).toContain(
      'Deployment a-api does not wait for Service a-api: it leads to a slice only after its test',
    );
    expect(notes).toContain('Deployment a-api waits for Job other, which is not of this chart');
  });
});

describe('whatever a chart is made of', () => {
  const text = fc.constantFrom('plain', '${slice}', '#!/bin/sh\necho ${HOME:-none} $$${x}', '$$', '${');
  const name = fc.constantFrom('a', 'b', 'c', 'a-1', 'b-blue');
  const kinds = fc.constantFrom('Deployment', 'StatefulSet', 'DaemonSet', 'CronJob', 'Job', 'Pod');
  const uses = fc.array(fc.record({ kind: fc.constantFrom('Secret', 'ConfigMap'), name }), { maxLength: 3 });
  const running = fc.record({ kind: kinds, name, uses, hostNetwork: fc.boolean(), text }).map(one =>
    chartObject(one.kind, one.name, {
      labels: { app: one.name },
      spec: {
        hostNetwork: one.hostNetwork,
        ...mounts(
          ...one.uses.map(
            (use): JsonObject =>
              use.kind === 'Secret'
                ? { secret: { secretName: use.name } }
                : { configMap: { name: use.name } },
          ),
        ),
        containers: [{ name: 'main', image: 'a:1', args: [one.text] }],
      },
    }),
  );
  const still = fc
    .record({ kind: fc.constantFrom('Secret', 'ConfigMap', 'Service'), name, text, keep: fc.boolean() })
    .map(one =>
      chartObject(one.kind, one.name, {
        keep: one.keep,
        labels: { app: one.name },
        more: { data: { [one.text]: one.text } },
      }),
    );
  const charts = fc.array(fc.oneof(running, still), { maxLength: 12 }).map(objects => {
    const once = new Map(objects.map(one => [identityKey(one.object), one]));
    return [...once.values()].map((one, index) => ({ ...one, file: `templates/${index}.yaml` }));
  });
  const keys = (objects: readonly JsonObject[]) => new Set(objects.map(identityKey));
  const filled = (objects: readonly { chartObject: ChartObject }[], slice: string) =>
    objects.map(({ chartObject: { object } }) => inSlice(object, slice));

  it('every reference leads to an object of the chart as before', () => {
    const there = (set: readonly JsonObject[]) => (use: { kind: string; name: string }) =>
      set.some(one => one['kind'] === use.kind && identityOf(one).name === use.name);
    fc.assert(
      fc.property(charts, objects => {
        const chart = slice(...objects).objects;
        const after = there(filled(chart, 'blue'));
        const before = there(objects.map(({ object }) => object));
        for (const { object, file } of objects) {
          const wanted = configNamesOf(object).map(before);
          for (const one of filled(
            chart.filter(other => other.chartObject.file === file),
            'blue',
          ))
            expect(configNamesOf(one).map(after)).toEqual(wanted);
        }
      }),
    );
  });

  it('no two slices share an object that is sliced, and no object is there twice', () => {
    fc.assert(
      fc.property(charts, objects => {
        const { objects: all } = slice(...objects);
        const sliced = all.filter(one => one.slice === 'sliced');
        const [blue, green] = [keys(filled(sliced, 'blue')), keys(filled(sliced, 'green'))];
        expect([...blue].filter(key => green.has(key))).toEqual([]);
        expect(keys(filled(all, 'blue')).size).toBe(all.length);
      }),
    );
  });

  it('what is not sliced is what it was, and nothing is lost', () => {
    fc.assert(
      fc.property(charts, objects => {
        const { objects: all } = slice(...objects);
        const shared = all.filter(one => one.slice === 'shared');
        const before = new Map(objects.map(({ object }) => [identityKey(object), object]));
        for (const one of filled(shared, 'blue')) expect(one).toEqual(before.get(identityKey(one)));
        const files = ({ chartObject }: { chartObject: ChartObject }) => chartObject.file;
        expect(new Set(all.map(files))).toEqual(new Set(placeByRule(objects).placed.map(files)));
      }),
    );
  });
});
