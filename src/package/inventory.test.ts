import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import { makeInventory } from './inventory.ts';
import type { RenderedObject } from './package.ts';

function rendered(object: JsonObject, more: Partial<RenderedObject> = {}): RenderedObject {
  return { object, role: 'workload', phases: ['install'], because: 'it is', file: 'a.yaml', ...more };
}

function deployment(spec: JsonObject, name = 'api'): JsonObject {
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, namespace: 'openstack' }, spec };
}

const pods = (image: string, more: JsonObject = {}) => ({
  template: {
    spec: { initContainers: [{ name: 'i', image: 'init:1' }], containers: [{ name: 'a', image, ...more }] },
  },
});
const only = (object: JsonObject) => makeInventory([rendered(object)], 'openstack')[0];

describe('makeInventory', () => {
  it('lists what a plan compares', () => {
    expect(only(deployment({ replicas: 3, ...pods('api:2') }))).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      name: 'api',
      role: 'workload',
      phases: ['install'],
      digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      replicas: 3,
      images: ['api:2', 'init:1'],
    });
  });

  it.each<{ name: string; one: JsonObject; other: JsonObject; same: boolean }>([
    { name: 'a replica count changes no digest', one: { replicas: 1 }, other: { replicas: 2 }, same: true },
    { name: 'nor does an image', one: pods('a:1'), other: pods('a:2'), same: true },
    { name: 'nor the order of keys', one: { a: 1, b: 2 }, other: { b: 2, a: 1 }, same: true },
    {
      name: 'an argument does',
      one: pods('a:1', { args: ['x'] }),
      other: pods('a:1', { args: ['y'] }),
      same: false,
    },
    {
      name: 'the order of containers does',
      one: { containers: [{ name: 'a' }, { name: 'b' }] },
      other: { containers: [{ name: 'b' }, { name: 'a' }] },
      same: false,
    },
    {
      name: 'an image field that is none of a container does',
      one: { image: 'a' },
      other: { image: 'b' },
      same: false,
    },
    {
      name: 'a replica count deeper down does',
      one: { x: { replicas: 1 } },
      other: { x: { replicas: 2 } },
      same: false,
    },
  ])('$name', ({ one, other, same }) => {
    expect(only(deployment(one))?.digest === only(deployment(other))?.digest).toBe(same);
  });

  it('finds the images of a CronJob and of a Pod', () => {
    const spec = { jobTemplate: { spec: pods('cron:1') } };
    expect(only({ ...deployment(spec), kind: 'CronJob' })?.images).toEqual(['cron:1', 'init:1']);
    expect(
      only({ ...deployment({ containers: [{ image: 'b' }, { image: 'a' }, { image: 'b' }] }), kind: 'Pod' })
        ?.images,
    ).toEqual(['a', 'b']);
  });

  it('has no replica count where it is not a number yet', () => {
    expect(only(deployment({ replicas: '${values.replicas}' }))).not.toHaveProperty('replicas');
  });

  it('names a namespace only where it is another one', () => {
    expect(only(deployment({}))).not.toHaveProperty('namespace');
    const other = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a', namespace: 'kube-system' } };
    expect(only(other)).toHaveProperty('namespace', 'kube-system');
  });

  it('is sorted, whatever order the objects come in', () => {
    const objects = ['c', 'a', 'b'].map(name => rendered(deployment({}, name)));
    const twice = ['trafficdrain', 'install'] as const;
    const policies = twice.map(phase =>
      rendered({ ...deployment({}, 'a'), kind: 'NetworkPolicy' }, { phases: [phase] }),
    );
    const all = [...policies, ...objects];
    const names = makeInventory(all, 'openstack').map(
      ({ kind, name, phases }) => `${kind} ${name} ${phases}`,
    );
    expect(names).toEqual([
      'Deployment a install',
      'Deployment b install',
      'Deployment c install',
      'NetworkPolicy a install',
      'NetworkPolicy a trafficdrain',
    ]);
    expect(makeInventory([...all].reverse(), 'openstack')).toEqual(makeInventory(all, 'openstack'));
  });
});

describe('what no route leads to', () => {
  const running = (name: string, labels: JsonObject, kind = 'Deployment') =>
    rendered({ ...deployment({ template: { metadata: { labels } } }, name), kind });
  const service = rendered({
    ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec: { selector: { app: 'api' } } },
  });
  const api = running('api', { app: 'api', slice: '${slice}' });
  const worker = running('worker', { app: 'worker' });
  const unrouted = (objects: readonly RenderedObject[], routes: readonly string[]) =>
    makeInventory(objects, 'openstack', routes)
      .filter(item => item.unrouted)
      .map(({ name }) => name);

  it.each<[string, readonly RenderedObject[], readonly string[], readonly string[]]>([
    ['is what the Service does not select', [service, api, worker], ['web'], ['worker']],
    ['is nothing where it selects all that runs', [service, api], ['web'], []],
    ['is all that runs where there is no route', [service, api, worker], [], ['api', 'worker']],
    ['may be all that runs where the Service is not there', [api, worker], ['web'], ['api', 'worker']],
    ['is an agent on every host', [service, api, running('agent', {}, 'DaemonSet')], ['web'], ['agent']],
    [
      'is no task, and nothing that does not run',
      [service, api, running('job', {}, 'Job'), rendered({ ...deployment({}, 'config'), kind: 'ConfigMap' })],
      ['web'],
      [],
    ],
  ])('%s', (_, objects, routes, want) => {
    expect(unrouted(objects, routes)).toEqual(want);
  });
});
