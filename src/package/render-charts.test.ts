import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import { piece, ScriptedCharts } from './chart/scripted-charts.contract.ts';
import { gatherTargets } from './gather-targets.ts';
import { aRecord, lifecycle, MemorySource, manifest, type Texts } from './memory-source.contract.ts';
import type { PackageSource } from './source.ts';

const page = (more = '') => `apiVersion: v2\nname: keys\nversion: 1.0.0\nappVersion: "27.0.0"\n${more}`;
const object = (kind: string, name: string, more = '') => manifest(kind, name, more).replace(/---\n$/, '');
const workload = object(
  'Deployment',
  'api',
  'spec: { selector: { matchLabels: { app: api } }, template: { metadata: { labels: { app: api } }, spec: { containers: [{ name: a, image: "i:1" }] } } }\n',
);
const script = `${object('ConfigMap', 'bin')}data: { run: "echo \${HOME} $\${x} \${slice}" }\n`;

/** A source of charts, by location. */
const sourceOf = (packages: Readonly<Record<string, Texts>>, charts?: ScriptedCharts): PackageSource => {
  const memory = new MemorySource(packages);
  return { read: source => memory.read(source), charts };
};
const chart = { 'Chart.yaml': page(), 'templates/a.yaml': '' };

describe('charts in a record', () => {
  test('become services with an inventory, under the name and version of the record', async () => {
    const charts = new ScriptedCharts(
      () => piece('templates/api.yaml', workload) + piece('templates/bin.yaml', script),
    );
    const record = aRecord(
      ['{ name: identity, version: "27.0.0", values: { a: null, b: 1 } }'],
      '  shared: { region: north }\n',
    );
    const gathered = await gatherTargets(record, sourceOf({ 'identity/27.0.0': chart }, charts));
    expect(gathered.findings).toEqual([]);
    expect(gathered.targets).toMatchObject([
      { service: 'identity', version: '27.0.0', lifecycle: { service: 'identity' } },
    ]);
    const names = gathered.targets[0]?.parts[0]?.inventory.map(({ kind, name }) => `${kind}/${name}`);
    expect(names).toEqual(['ConfigMap/bin', 'Deployment/api-${slice}']);
    expect(charts.requests).toMatchObject([
      { release: 'identity', namespace: 'openstack', use: 'planned', hasStandIns: false },
    ]);
    expect(charts.requests[0]?.values).toEqual({ a: null, b: 1, global: { region: 'north' } });
  });

  test('are asked for with stand-ins for what only the cluster knows', async () => {
    const charts = new ScriptedCharts(() => piece('templates/api.yaml', workload));
    const from =
      'valuesFrom: [{ kind: Secret, name: db, valuesKey: password, targetPath: "db.users[0].password" }]';
    const files = {
      ...chart,
      'lifecycle.yaml': lifecycle('identity', '1.0.0', 'generated: [memcache.key]\n'),
    };
    await gatherTargets(
      aRecord([`{ name: identity, version: "1.0.0", ${from} }`]),
      sourceOf({ 'identity/1.0.0': files }, charts),
    );
    expect(charts.requests[0]).toMatchObject({ hasStandIns: true });
    expect(charts.requests[0]?.values).toEqual({
      db: { users: [{ password: '${values.db.users[0].password}' }] },
      memcache: { key: '${values.memcache.key}' },
    });
  });

  test('bring an order of their own to their objects', async () => {
    const job = (name: string, weight: number) =>
      piece(
        `templates/job-${name}.yaml`,
        `apiVersion: batch/v1\nkind: Job\nmetadata: { name: ${name}, annotations: { helm.sh/hook: post-install, helm.sh/hook-weight: "${weight}" } }\nspec: { template: { spec: { restartPolicy: Never, containers: [{ name: a, image: i }] } } }\n`,
      );
    const charts = new ScriptedCharts(() => job('aaa', 5) + job('zzz', -5));
    const { packages } = await gatherTargets(
      aRecord(['{ name: identity, version: "1.0.0" }']),
      sourceOf({ 'identity/1.0.0': chart }, charts),
    );
    const manifests = packages.get('identity@1.0.0')?.manifests ?? [];
    const order = manifests.toSorted((a, b) => (a.placed?.order ?? 0) - (b.placed?.order ?? 0));
    expect(order.map(one => (one.object['metadata'] as JsonObject)['name'])).toEqual(['zzz', 'aaa']);
  });

  test.each<[string, { service?: string; charts?: ScriptedCharts; files?: Texts }, object]>([
    ['there is no Helm', {}, { code: 'HelmMissing', file: 'identity/1.0.0' }],
    [
      'the version is neither that of the chart nor of the software',
      { service: '{ name: identity, version: "2.0.0" }', files: { ...chart } },
      { code: 'PackageMismatch' },
    ],
    [
      'the chart has no version',
      { files: { 'Chart.yaml': 'name: keys\n' } },
      { code: 'PackageInvalid', file: 'identity/1.0.0/Chart.yaml', field: 'version' },
    ],
    [
      'the chart is a library',
      { files: { 'Chart.yaml': page('type: library\n') } },
      { code: 'PackageInvalid', field: 'type' },
    ],
    [
      'two objects are one to the cluster',
      {
        charts: new ScriptedCharts(
          () => piece('templates/a.yaml', workload) + piece('templates/b.yaml', workload),
        ),
      },
      { code: 'PackageInvalid' },
    ],
    [
      'its lifecycle.yaml names a task that is not rendered',
      {
        charts: new ScriptedCharts(() => ''),
        files: { ...chart, 'lifecycle.yaml': lifecycle('identity', '1.0.0', 'pre: [job/gone]\n') },
      },
      { code: 'TaskMissing', file: 'identity/1.0.0/lifecycle.yaml' },
    ],
    [
      'its lifecycle.yaml lists a template that is not there',
      {
        charts: new ScriptedCharts(() => ''),
        files: {
          ...chart,
          'lifecycle.yaml': lifecycle('identity', '1.0.0', 'phases: { test: [templates/b.yaml] }\n'),
        },
      },
      { code: 'PackageInvalid', file: 'identity/1.0.0/lifecycle.yaml' },
    ],
  ])('are refused where %s', async (_, { service, charts, files = chart }, wanted) => {
    const record = aRecord([service ?? '{ name: identity, version: "1.0.0" }']);
    const location = service === undefined ? 'identity/1.0.0' : 'identity/2.0.0';
    const { findings, refused } = await gatherTargets(record, sourceOf({ [location]: files }, charts));
    expect(findings).toMatchObject([wanted]);
    expect(refused[0]?.service).toBe('identity');
  });

  test('say in the plan what a person should know', async () => {
    const charts = new ScriptedCharts(() => piece('templates/api.yaml', workload));
    const { targets } = await gatherTargets(
      aRecord(['{ name: identity, version: "1.0.0" }']),
      sourceOf(
        { 'identity/1.0.0': { ...chart, 'templates/l.yaml': 'a: {{ (lookup "v1" "Secret" "a" "b") }}\n' } },
        charts,
      ),
    );
    expect(targets[0]?.parts[0]?.notes?.[0]).toMatch(/^chart, templates\/l.yaml: `lookup`/);
  });
});
