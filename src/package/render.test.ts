import { describe, expect, it } from 'vitest';
import { phaseNames } from '../api/phase-names.ts';
import { aContext, aPackage, manifest } from './memory-source.contract.ts';
import { identityOf } from './object-kinds.ts';
import { type RenderContext, type Rendered, renderPart, renderPhase } from './render.ts';

const namesOf = ({ objects }: Rendered) => objects.map(({ object }) => identityOf(object).name);

describe('renderPart', () => {
  it('adds our labels over those of the package, and the namespace', () => {
    const pkg = aPackage({
      'a.yaml': `apiVersion: v1
kind: Service
metadata: { name: a, labels: { app: x, app.kubernetes.io/managed-by: Helm } }
`,
    });
    const { objects, findings } = renderPart(pkg, aContext({ component: 'identity' }));
    expect(findings).toEqual([]);
    expect(objects[0]?.object['metadata']).toEqual({
      name: 'a',
      namespace: 'openstack',
      labels: {
        app: 'x',
        'app.kubernetes.io/managed-by': 'afloat',
        'openstacklcm.airshipit.org/service': 'identity',
        'openstacklcm.airshipit.org/component': 'identity',
      },
    });
  });

  it('leaves a namespace that is there, and gives none to kinds outside all namespaces', () => {
    const text = `${manifest('ClusterRole', 'system:reader')}apiVersion: v1
kind: Secret
metadata: { name: b, namespace: kube-system }
`;
    const { objects } = renderPart(aPackage({ 'a.yaml': text }), aContext());
    expect(objects.map(({ object }) => identityOf(object).namespace)).toEqual(['kube-system', '']);
  });

  it('gives every name a value', () => {
    const names = [
      'version',
      'service',
      'component',
      'hostGroup',
      'slice',
      'cloud',
      'namespace',
      'values.a.b',
      'shared.c',
    ];
    const text = manifest(
      'ConfigMap',
      'a',
      `data: { all: "${names.map(name => `\${${name}}`).join(' ')}" }\n`,
    );
    const context = aContext({
      hostGroup: 'zone-a',
      slice: 'blue',
      values: { a: { b: 1 } },
      shared: { c: 2 },
    });
    const { objects, findings } = renderPart(aPackage({ 'a.yaml': text }), context);
    expect(findings).toEqual([]);
    const all = '1.0.0 identity identity zone-a blue north openstack 1 2';
    expect(objects[0]?.object['data']).toEqual({ all });
  });

  it('leaves the slice open where there is none, and calls the only host group default', () => {
    const { objects } = renderPart(
      aPackage({ 'a.yaml': manifest('Deployment', 'a-${hostGroup}-${slice}') }),
      aContext(),
    );
    expect(namesOf({ objects, images: [], findings: [] })).toEqual(['a-default-${slice}']);
  });

  it('hands on role, phases, reason and file', () => {
    const { objects } = renderPart(aPackage({ 'a.yaml': manifest('CronJob', 'a') }), aContext());
    expect(objects).toMatchObject([{ role: 'workload', phases: ['operational'], file: 'a.yaml' }]);
    expect(objects[0]?.because).toContain('CronJob');
  });

  it('orders as Helm does: by kind, unknown kinds last, then by name', () => {
    const kinds = ['Other', 'Ingress', 'Job', 'Deployment', 'Service', 'Role', 'ConfigMap', 'Secret'];
    const text = kinds.map(kind => manifest(kind, 'z')).join('') + manifest('Secret', 'a');
    const { objects } = renderPart(aPackage({ 'a.yaml': text }), aContext());
    const order = objects.map(({ object }) => `${identityOf(object).kind} ${identityOf(object).name}`);
    expect(order).toEqual(['Secret a', ...[...kinds].reverse().map(kind => `${kind} z`)]);
  });

  describe('takes for a part', () => {
    const pkg = aPackage(
      {
        'api.yaml': manifest('Deployment', 'api') + manifest('ConfigMap', 'api-etc'),
        'agent.yaml': manifest('Deployment', 'agent'),
        'db.yaml': manifest('Job', 'db'),
      },
      `components:
  - { name: api, phases: { install: [api.yaml] } }
  - { name: agent, phases: { install: [agent.yaml] } }
`,
    );

    it.each<{ name: string; part: Partial<RenderContext>; want: string[] }>([
      {
        name: 'the first one its own files and those of the package',
        part: { component: 'api' },
        want: ['api-etc', 'api', 'db'],
      },
      {
        name: 'another one its own files alone',
        part: { component: 'agent', first: false },
        want: ['agent'],
      },
      {
        name: 'a second host group of the first component no files of the package',
        part: { component: 'api', first: false },
        want: ['api-etc', 'api'],
      },
    ])('$name', ({ part, want }) => {
      expect(namesOf(renderPart(pkg, aContext(part)))).toEqual(want);
    });
  });

  describe('finds', () => {
    it('a value that is missing, with file, line, column and field', () => {
      const text = manifest('ConfigMap', 'a', 'data:\n  x: y\n  region: in ${shared.regoin}\n');
      const { findings } = renderPart(
        aPackage({ 'conf/a.yaml': text }),
        aContext({ shared: { region: 'north' } }),
      );
      expect(findings).toMatchObject([
        {
          code: 'ValueMissing',
          file: 'p/conf/a.yaml',
          line: 6,
          column: 11,
          field: 'data.region',
          advice: 'Did you mean `${shared.region}`?',
        },
      ]);
    });

    it.each([
      { name: 'upper case', value: 'Blue', count: 1 },
      { name: 'a slash', value: 'a/b', count: 1 },
      { name: 'a placeholder from a value, which is no placeholder any more', value: '${slice}', count: 1 },
      { name: 'too much', value: 'x'.repeat(254), count: 1 },
      { name: 'a number', value: 5, count: 1 },
      { name: 'nothing wrong', value: 'blue.1', count: 0 },
    ])('a name that a value spoils: $name', ({ value, count }) => {
      const { findings } = renderPart(
        aPackage({ 'a.yaml': manifest('Secret', '${values.name}') }),
        aContext({ values: { name: value } }),
      );
      expect(findings).toMatchObject(
        Array(count).fill({ code: 'ManifestInvalid', field: 'metadata.name', line: 3 }),
      );
    });

    it('objects that only become one when they are rendered, once for all their phases', () => {
      const text = manifest('Deployment', 'a-${values.x}') + manifest('Deployment', '${values.y}-b');
      const { findings } = renderPart(aPackage({ 'a.yaml': text }), aContext({ values: { x: 'b', y: 'a' } }));
      expect(findings).toMatchObject([{ code: 'PackageInvalid', file: 'p/a.yaml' }]);
    });

    it('more objects than a revision can list', () => {
      const text = Array.from({ length: 999 }, (_, index) => manifest('Pod', `p${index}`)).join('');
      const pkg = aPackage({ 'a.yaml': text, 'b.yaml': text.replaceAll('name: "p', 'name: "q') });
      expect(renderPart(pkg, aContext()).findings).toMatchObject([{ code: 'PackageTooLarge' }]);
    });
  });
});

describe('renderPhase', () => {
  const pkg = aPackage(
    {
      'api.yaml': manifest('Secret', 'etc') + manifest('Deployment', 'api') + manifest('Ingress', 'route'),
      'db.yaml': manifest('Job', 'init') + manifest('Job', 'sync') + manifest('Job', 'restore'),
      'test.yaml': manifest('Job', 'try'),
      'keys.yaml': manifest('Secret', 'keys'),
    },
    `data: [{ name: identity, init: job/init, migrate: { sync: job/sync }, restore: job/restore }]
phases: { test: [test.yaml], trafficrollout: [] }
keep: [secret/keys]
`,
  );

  it('gives each phase what it runs, and the support set wherever something runs', () => {
    const phases = phaseNames.map(phase => [phase, namesOf(renderPhase(pkg, aContext(), phase)).join(' ')]);
    expect(Object.fromEntries(phases)).toEqual({
      planning: '',
      install: 'etc keys api init',
      test: 'etc try',
      trafficrollout: 'route',
      operational: '',
      trafficdrain: '',
      upgrade: 'etc api sync',
      rollback: 'etc api restore',
      delete: '',
    });
  });
});
