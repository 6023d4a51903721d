import { describe, expect, it } from 'vitest';
import { filesOf, lifecycle, manifest, type Texts } from './memory-source.contract.ts';
import { packageDigest } from './package-digest.ts';
import { readPackage } from './read-package.ts';

const read = (texts: Texts) => readPackage(filesOf(texts), 'packages/identity');
const withLifecycle = (more: string, texts: Texts = {}) =>
  read({ 'lifecycle.yaml': lifecycle('identity', '1.0.0', more), ...texts });

describe('readPackage reads', () => {
  it('the smallest package, with defaults', () => {
    const files = filesOf({ 'lifecycle.yaml': lifecycle('identity', '1.0.0') });
    const { package: pkg, findings } = readPackage(files, 'p');
    expect(findings).toEqual([]);
    expect(pkg).toMatchObject({ location: 'p', values: {}, manifests: [], digest: packageDigest(files) });
    expect(pkg?.lifecycle).toMatchObject({
      tier: 'controlplane',
      strategy: 'recreate',
      requires: [],
      data: [],
    });
  });

  it('every document of every manifest, with its place', () => {
    const { package: pkg } = withLifecycle('', {
      'b/jobs.yml': `# two jobs\n${manifest('Job', 'one')}${manifest('Job', 'two')}`,
      'a.yaml': manifest('Service', 'api'),
      'README.md': 'not: [yaml',
      '.github/workflow.yaml': 'on: push',
    });
    expect(pkg?.manifests.map(({ file, line }) => `${file}:${line}`)).toEqual([
      'a.yaml:1',
      'b/jobs.yml:2',
      'b/jobs.yml:6',
    ]);
    expect(pkg?.manifests[2]?.locate(['metadata', 'name'])?.line).toBe(8);
  });

  it('values, and a values.yaml with nothing but comments', () => {
    expect(withLifecycle('', { 'values.yaml': 'a: { b: 1 }' }).package?.values).toEqual({ a: { b: 1 } });
    expect(withLifecycle('', { 'values.yaml': '# a: 1\n' }).package?.values).toEqual({});
  });
});

describe('readPackage finds', () => {
  it.each<{ name: string; texts: Texts; want: object[] }>([
    { name: 'no lifecycle.yaml', texts: { 'a.yaml': '' }, want: [{ code: 'PackageInvalid' }] },
    {
      name: 'a lifecycle.yaml in the wrong place, and says where it is',
      texts: { 'a/lifecycle.yml': '', 'b.yaml': '' },
      want: [{ code: 'PackageInvalid', advice: expect.stringContaining('a/lifecycle.yml') }],
    },
    {
      name: 'a Helm chart without a version',
      texts: { 'Chart.yaml': 'name: keystone', 'templates/a.yaml': '{{ broken' },
      want: [{ code: 'PackageInvalid', file: 'packages/identity/Chart.yaml', field: 'version' }],
    },
    {
      name: 'a Helm chart whose lifecycle says what none says',
      texts: { 'Chart.yaml': 'name: a\nversion: 1.0.0', 'lifecycle.yaml': lifecycle('a', '1', 'b: c\n') },
      want: [{ code: 'FieldUnknown', file: 'packages/identity/lifecycle.yaml' }],
    },
    {
      name: 'fields that are unknown or missing, at their place',
      texts: { 'lifecycle.yaml': 'service: identity\nstrateggy: rolling\n' },
      want: [
        {
          code: 'FieldUnknown',
          file: 'packages/identity/lifecycle.yaml',
          line: 2,
          column: 1,
          advice: 'Did you mean `strategy`?',
        },
        { code: 'FieldMissing', field: 'version' },
      ],
    },
    {
      name: 'a version without quotes',
      texts: { 'lifecycle.yaml': 'service: identity\nversion: 2025.1\n' },
      want: [{ code: 'FieldType', line: 2, column: 10, advice: expect.stringContaining('quotes') }],
    },
    {
      name: 'a requirement that is there twice',
      texts: { 'lifecycle.yaml': lifecycle('identity', '1', 'requires: [{ service: a }, { service: a }]') },
      want: [{ code: 'FieldDuplicate', line: 3 }],
    },
    {
      name: 'YAML that cannot be read, in every file, and no task that is missing because of it',
      texts: {
        'lifecycle.yaml': lifecycle('identity', '1', 'preflight: [job/check]'),
        'a.yaml': 'a: [',
        'values.yaml': 'b: {',
      },
      want: [
        { code: 'YamlSyntax', file: 'packages/identity/values.yaml' },
        { code: 'YamlSyntax', file: 'packages/identity/a.yaml' },
      ],
    },
    {
      name: 'an empty manifest file: a test that was cut off is no test',
      texts: { 'lifecycle.yaml': lifecycle('identity', '1'), 'test.yaml': '' },
      want: [{ code: 'FileEmpty', file: 'packages/identity/test.yaml' }],
    },
    {
      name: 'an empty lifecycle.yaml',
      texts: { 'lifecycle.yaml': '# nothing\n' },
      want: [{ code: 'FileEmpty', file: 'packages/identity/lifecycle.yaml' }],
    },
    {
      name: 'two documents in lifecycle.yaml, and values that are a list',
      texts: { 'lifecycle.yaml': `${lifecycle('identity', '1')}---\na: 1\n`, 'values.yaml': '- a' },
      want: [
        { code: 'PackageInvalid', line: 4 },
        { code: 'FieldType', file: 'packages/identity/values.yaml' },
      ],
    },
  ])('$name', ({ texts, want }) => {
    const { package: pkg, findings } = read(texts);
    expect(findings).toMatchObject(want);
    expect(pkg).toBeUndefined();
  });

  it('bytes that are not text', () => {
    const bytes = Uint8Array.from([0xff, 0xfe, 0x00]);
    const files = [
      ...filesOf({ 'lifecycle.yaml': lifecycle('a', '1') }),
      { path: 'z.yaml', bytes, executable: false },
    ];
    expect(readPackage(files, 'p').findings).toMatchObject([{ code: 'FileNotText', file: 'p/z.yaml' }]);
  });
});

describe('readPackage finds in manifests', () => {
  it.each<{ name: string; text: string; want: object[] }>([
    { name: 'no apiVersion', text: 'kind: Job\nmetadata: { name: a }', want: [{ field: 'apiVersion' }] },
    { name: 'no kind', text: 'apiVersion: v1\nmetadata: { name: a }', want: [{ field: 'kind' }] },
    { name: 'no metadata', text: 'apiVersion: v1\nkind: Secret', want: [{ field: 'metadata' }] },
    {
      name: 'no name',
      text: 'apiVersion: v1\nkind: Secret\nmetadata: { generateName: a }',
      want: [{ field: 'metadata.name', line: 3 }],
    },
    {
      name: 'a name that is a number',
      text: 'apiVersion: v1\nkind: Secret\nmetadata: { name: 1 }',
      want: [{ field: 'metadata.name' }],
    },
    {
      name: 'a kind that a value would give',
      text: 'apiVersion: v1\nkind: ${values.kind}\nmetadata: { name: a }',
      want: [{ field: 'kind', line: 2 }],
    },
    { name: 'a List', text: 'apiVersion: v1\nkind: List\nmetadata: { name: a }', want: [{ field: 'kind' }] },
    {
      name: 'labels that are no map',
      text: 'apiVersion: v1\nkind: Pod\nmetadata: { name: a, labels: [b] }',
      want: [{ field: 'metadata.labels' }],
    },
    { name: 'everything at once', text: 'a: 1\n---\nkind: job\n', want: Array(6).fill({}) },
  ])('$name', ({ text, want }) => {
    const findings = withLifecycle('', { 'a.yaml': text }).findings;
    expect(findings).toMatchObject(
      want.map(one => ({ code: 'ManifestInvalid', file: 'packages/identity/a.yaml', ...one })),
    );
  });
});

describe('readPackage finds in lifecycle.yaml', () => {
  const files = { 'api.yaml': manifest('Deployment', 'api'), 'db.yaml': manifest('Job', 'db-expand') };

  it.each<{ name: string; more: string; want: object[] }>([
    {
      name: 'limits that cannot be read, all of them',
      more: 'requires: [{ service: a, version: "=>1" }]\nupgrade: { from: "now", after: [{ service: b, version: ">=" }] }',
      want: [
        { code: 'VersionInvalid', field: 'requires[0].version', line: 3 },
        { code: 'VersionInvalid', field: 'upgrade.from', line: 4 },
        { code: 'VersionInvalid', field: 'upgrade.after[0].version', line: 4 },
      ],
    },
    {
      name: 'a version that is none of its scheme',
      more: 'versionScheme: series',
      want: [{ code: 'VersionInvalid', field: 'version' }],
    },
    {
      name: 'a release that never was',
      more: 'series: yeti',
      want: [{ code: 'VersionInvalid', field: 'series' }],
    },
    {
      name: 'files that are not there, in every list',
      more: 'components: [{ name: a, phases: { install: [apy.yaml] } }]\nphases: { test: [x12345.yaml] }\nsupport: [values.yaml]',
      want: [
        { code: 'PackageInvalid', field: 'phases.test[0]', line: 4 },
        {
          code: 'PackageInvalid',
          field: 'components[0].phases.install[0]',
          advice: 'Did you mean `api.yaml`?',
        },
        { code: 'PackageInvalid', field: 'support[0]', line: 5 },
      ],
    },
    {
      name: 'tasks that are not there, wherever they are named',
      more: `data:
  - { name: d, init: job/a1, backup: job/b1, verify: job/c1, restore: job/d1, drop: job/e1, migrate: { sync: job/f1 } }
reconcile: job/g1
preflight: [job/db-expnd]
pre: [deployment/db-expand]
post: [job/api]
keep: [secret/keys]
`,
      want: [
        ...['migrate.sync', 'init', 'backup', 'verify', 'restore', 'drop'].map(use => ({
          code: 'TaskMissing',
          field: `data[0].${use}`,
          line: 4,
        })),
        { code: 'TaskMissing', field: 'reconcile' },
        { code: 'TaskMissing', field: 'preflight[0]', line: 6, advice: 'Did you mean `job/db-expand`?' },
        { code: 'TaskMissing', field: 'pre[0]' },
        { code: 'TaskMissing', field: 'post[0]' },
        { code: 'TaskMissing', field: 'keep[0]' },
      ],
    },
    {
      name: 'skew of a component that is not there',
      more: 'components: [{ name: agent }]\nupgrade: { skew: { agnt: 1 } }',
      want: [
        { code: 'PackageInvalid', field: 'upgrade.skew.agnt', line: 4, advice: 'Did you mean `agent`?' },
      ],
    },
  ])('$name', ({ more, want }) => {
    expect(withLifecycle(more, files).findings).toMatchObject(want);
  });

  it.each<{ name: string; texts: Texts; more: string; want: number }>([
    {
      name: 'an object that is there twice in one phase',
      texts: { 'a.yaml': manifest('Job', 'x') + manifest('Job', 'x') },
      more: '',
      want: 1,
    },
    {
      name: 'an object of two files that a phase has both of',
      texts: { 'a.yaml': manifest('Deployment', 'x'), 'b.yaml': manifest('Deployment', 'x') },
      more: 'phases: { install: [a.yaml], upgrade: [b.yaml] }',
      want: 1,
    },
    {
      name: 'no objects that never meet: a policy for each phase',
      texts: { 'a.yaml': manifest('Job', 'x'), 'b.yaml': manifest('Job', 'x') },
      more: 'phases: { trafficrollout: [a.yaml], trafficdrain: [b.yaml] }',
      want: 0,
    },
    {
      name: 'one file of two components without the component in the name',
      texts: { 'a.yaml': manifest('Deployment', 'x') },
      more: 'components: [{ name: a, phases: { install: [a.yaml] } }, { name: b, phases: { install: [a.yaml] } }]',
      want: 1,
    },
    {
      name: 'nothing wrong where the name tells the components apart',
      texts: { 'a.yaml': manifest('Deployment', 'x-${component}') },
      more: 'components: [{ name: a, phases: { install: [a.yaml] } }, { name: b, phases: { install: [a.yaml] } }]',
      want: 0,
    },
  ])('$name', ({ texts, more, want }) => {
    expect(withLifecycle(more, texts).findings).toMatchObject(Array(want).fill({ code: 'PackageInvalid' }));
  });
});
