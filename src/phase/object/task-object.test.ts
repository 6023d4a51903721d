import { describe, expect, it } from 'vitest';
import { flowLabel, phaseLabel, taskLabel } from '../../api/labels.ts';
import type { ClusterObject } from '../../cluster/cluster.ts';
import { anObject, aPart, aRun, aTask } from '../../testing/scripted-ports.ts';
import { routesOf, trafficOf } from './routes.ts';
import { deadlineAnnotation, deadlineOf, retriesAnnotation, taskName, taskObject } from './task-object.ts';

const run = aRun();
const job = (name = 'smoke', spec: object = {}, annotations: Record<string, string> = {}): ClusterObject => {
  const { object } = aTask(name, 'test');
  const metadata = { ...(object['metadata'] as object), annotations };
  return { ...object, metadata, spec: { ...(object['spec'] as object), ...spec } } as never;
};
const command = (spec: object, annotations = {}): ClusterObject =>
  ({ ...anObject('Command', 'smoke', spec, 'v1'), metadata: { name: 'smoke', annotations } }) as never;
const written = (manifest: ClusterObject, extras: Parameters<typeof taskObject>[2] = { env: {} }) =>
  taskObject(run, manifest, extras) as never as {
    metadata: ClusterObject['metadata'];
    spec: Record<string, unknown> & {
      template: { metadata: { labels: object }; spec: Record<string, never> };
    };
  };

describe('the name of a task', () => {
  it('is the same for the same task of the same phase, and another for another', () => {
    const one = taskName('phase', 'smoke');
    expect(taskName('phase', 'smoke')).toBe(one);
    for (const other of [
      ['phase', 'smoke', 'blue'],
      ['other', 'smoke'],
      ['phase', 'load'],
    ] as const)
      expect(taskName(...(other as [string, string]), other[2] ?? '')).not.toBe(one);
  });

  it.each(['a', 'x'.repeat(253), `${'x'.repeat(45)}-.-more`])('of %s fits into a label', task => {
    expect(taskName('phase', task)).toMatch(/^[a-z0-9]([-a-z0-9.]{0,61}[a-z0-9])?$/);
  });
});

describe('a task as it is written', () => {
  it('belongs to its phase, and says so on its pods', () => {
    const { metadata, spec } = written(job());
    const labels = { [phaseLabel]: run.name, [flowLabel]: 'flow', [taskLabel]: 'smoke' };
    expect(metadata.ownerReferences).toEqual([run.owner]);
    expect(metadata.labels).toMatchObject(labels);
    expect(spec.template.metadata.labels).toMatchObject(labels);
  });

  it.each([
    ['ten minutes and no retry by itself', {}, {}, { activeDeadlineSeconds: 600, backoffLimit: 0 }],
    [
      'as its annotations say',
      {},
      { [deadlineAnnotation]: '30', [retriesAnnotation]: '2' },
      { activeDeadlineSeconds: 30, backoffLimit: 2 },
    ],
    [
      'as its spec says first',
      { activeDeadlineSeconds: 5, backoffLimit: 4 },
      { [deadlineAnnotation]: '30' },
      { activeDeadlineSeconds: 5, backoffLimit: 4 },
    ],
    [
      'by itself where they say nothing sensible',
      {},
      { [deadlineAnnotation]: 'soon', [retriesAnnotation]: '-1' },
      { activeDeadlineSeconds: 600, backoffLimit: 0 },
    ],
  ])('is bounded: %s', (_, spec, annotations, want) => {
    expect(written(job('smoke', spec, annotations)).spec).toMatchObject(want);
  });

  it.each([
    ['60', 60],
    ['0', 600],
    ['1.5', 600],
    ['', 600],
  ])('a deadline of "%s" is %i seconds', (said, seconds) => {
    expect(deadlineOf(job('smoke', {}, { [deadlineAnnotation]: said }))).toBe(seconds);
  });

  it('gets variables that go over those of its manifest, in all its containers', () => {
    const own = [
      { name: 'HOST', value: 'mine' },
      { name: 'KEPT', value: 'yes' },
    ];
    const template = { spec: { containers: [{ name: 'a', env: own }], initContainers: [{ name: 'b' }] } };
    const { spec } = written(job('smoke', { template }), { env: { HOST: 'slice' } }).spec.template;
    expect(spec['containers']).toEqual([
      {
        name: 'a',
        env: [
          { name: 'KEPT', value: 'yes' },
          { name: 'HOST', value: 'slice' },
        ],
      },
    ]);
    expect(spec['initContainers']).toEqual([{ name: 'b', env: [{ name: 'HOST', value: 'slice' }] }]);
  });

  it('meets the slice under test before any name of its own', () => {
    const mine = { ip: '10.0.0.1', hostnames: ['api'] };
    const ours = { ip: '10.0.0.9', hostnames: ['api'] };
    const template = { spec: { containers: [], hostAliases: [mine] } };
    const extras = { env: {}, hostAliases: [ours] };
    expect(written(job('smoke', { template }), extras).spec.template.spec['hostAliases']).toEqual([
      ours,
      mine,
    ]);
    expect(written(command({ image: 'x:1' }), extras).spec['hostAliases']).toEqual([ours]);
  });

  it('that is a command gets its variables and its deadline too', () => {
    const made = written(command({ image: 'x:1' }, { [deadlineAnnotation]: '7' }), { env: { A: 'b' } });
    expect(made.spec).toEqual({ image: 'x:1', env: [{ name: 'A', value: 'b' }], deadlineSeconds: 7 });
  });
});

describe('the ways clients take', () => {
  const traffic = { service: 'api' };
  it.each([
    ['a service of one part: as the package says', {}, 'identity', { traffic }, 'api'],
    [
      'a component: as it says itself',
      {},
      'web',
      { traffic, components: [{ name: 'web', traffic: { service: 'web' } }] },
      'web',
    ],
    [
      'a component without any: none, whatever the package says',
      {},
      'worker',
      { traffic, components: [{ name: 'worker' }] },
      undefined,
    ],
    ['no traffic at all: none', {}, 'identity', {}, undefined],
  ])('%s', (_, __, component, lifecycle, service) => {
    const part = aPart([], lifecycle, { component });
    expect(trafficOf(part)?.service).toBe(service);
    const routes = routesOf({ namespace: 'n' }, { parts: [part], slices: [] }).map(({ route }) => route);
    expect(routes).toEqual(service === undefined ? [] : [{ namespace: 'n', service }]);
  });
});
