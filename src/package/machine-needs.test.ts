import { describe, expect, it } from 'vitest';
import type { LifecycleImage } from '../api/package-lifecycle.ts';
import type { JsonObject } from '../base/json.ts';
import { machineNeeds } from './machine-needs.ts';

const image = (more: Partial<LifecycleImage> = {}): LifecycleImage => ({
  name: 'web:1',
  command: ['web'],
  env: {},
  isolation: 'namespaces',
  ...more,
});

const container = (more: JsonObject = {}): JsonObject => ({ name: 'web', image: 'web:1', ...more });

function needsOf(kind: string, spec: JsonObject, images: readonly LifecycleImage[]) {
  const object = { apiVersion: 'v1', kind, metadata: { name: 'a' }, spec };
  return machineNeeds(
    [{ object, role: 'workload', phases: ['install'], because: '', file: 'a.yaml' }],
    images,
  );
}

describe('what containers need of a machine', () => {
  it('is nothing where the program says that it shares the machine', () => {
    expect(needsOf('Pod', { containers: [container()] }, [image({ isolation: 'none' })])).toEqual([]);
  });

  it('is that their image is known', () => {
    expect(needsOf('Pod', { containers: [container()] }, [])).toMatchObject([
      { what: 'image', object: 'Pod a', container: 'web', image: 'web:1' },
    ]);
  });

  it('is namespaces, with what in the manifest asks for them', () => {
    const ports = [{ containerPort: 5000 }, { containerPort: 5001 }];
    const volumeMounts = [{ name: 'etc', mountPath: '/etc/app' }];
    const spec = { template: { spec: { containers: [container({ ports, volumeMounts })] } } };
    expect(needsOf('Deployment', spec, [image({ root: 'root' })])).toMatchObject([
      {
        what: 'namespaces',
        because:
          'has root as its root, and it listens on port 5000, 5001 on every address, and it reads /etc/app',
      },
    ]);
  });

  it('is found in init containers and in the Jobs of a CronJob', () => {
    const template = { spec: { initContainers: [container()], containers: [container({ name: 'main' })] } };
    const found = needsOf('CronJob', { jobTemplate: { spec: { template } } }, []);
    expect(found.map(need => need.container)).toEqual(['web', 'main']);
  });

  it('knows an image by its short name, as the runtime does', () => {
    const images = [image({ name: 'notes', isolation: 'none' })];
    const containers = [container({ image: 'docker.io/library/notes:latest' })];
    expect(needsOf('Pod', { containers }, images)).toEqual([]);
    expect(
      needsOf('Pod', { containers: [container({ image: 'notes' })] }, [
        image({ name: 'docker.io/notes', isolation: 'none' }),
      ]),
    ).toEqual([]);
  });

  it.each<[string, JsonObject, JsonObject, object[]]>([
    [
      'another user and group',
      {},
      { securityContext: { runAsUser: 42, runAsGroup: 43 } },
      [
        { what: 'root', because: 'runs as user 42', user: 42 },
        { what: 'root', because: 'runs as group 43', group: 43 },
      ],
    ],
    [
      'a user of the Pod, where the container names none',
      { securityContext: { runAsUser: 42, runAsGroup: 42 } },
      { securityContext: { runAsGroup: 0 } },
      [
        { what: 'root', because: 'runs as user 42', user: 42 },
        { what: 'root', because: 'runs as group 0', group: 0 },
      ],
    ],
    [
      'low ports, also on the address of the machine',
      { hostNetwork: true },
      { ports: [{ containerPort: 80 }, { containerPort: 1024 }, { containerPort: 1023 }] },
      [{ what: 'root', because: 'listens on port 80, 1023, below 1024' }],
    ],
    [
      'a volume at the root',
      {},
      { volumeMounts: [{ name: 'a', mountPath: '/' }] },
      [{ what: 'namespaces', because: 'mounts a volume at /' }],
    ],
    [
      'a volume inside another',
      {},
      {
        volumeMounts: [
          { name: 'b', mountPath: '/a/b/' },
          { name: 'a', mountPath: '/a' },
          { name: 'ab', mountPath: '/ab' },
        ],
      },
      [{ what: 'namespaces', because: 'mounts /a/b inside /a' }],
    ],
    [
      'two volumes at one place',
      {},
      {
        volumeMounts: [
          { name: 'a', mountPath: '/a' },
          { name: 'b', mountPath: '/a/' },
        ],
      },
      [{ what: 'namespaces', because: 'mounts /a inside /a' }],
    ],
  ])('is more than a promise of the program can give: %s', (_, pod, more, want) => {
    const spec = { ...pod, containers: [container(more)] };
    const found = needsOf('Pod', spec, [image({ isolation: 'none' })]);
    expect(found).toEqual(want.map(one => ({ object: 'Pod a', container: 'web', image: 'web:1', ...one })));
  });

  it.each<[string, JsonObject, object[]]>([
    ['low ports', {}, [{ what: 'root', object: 'Service a', because: 'listens on port 80, below 1024' }]],
    ['no address', { clusterIP: 'None' }, []],
    ['only a name', { type: 'ExternalName' }, []],
  ])('is root for a Service with low ports where it is listened on: %s', (_, more, want) => {
    const spec = { ports: [{ port: 80, targetPort: 8080 }, { port: 8080 }], ...more };
    expect(needsOf('Service', spec, [])).toEqual(want);
  });

  it('leaves ports out where the Pod has the address of the machine anyway', () => {
    const spec = { hostNetwork: true, containers: [container({ ports: [{ containerPort: 80 }] })] };
    expect(needsOf('Pod', spec, [image()])[0]?.because).toBe('says nothing of `isolation: none`');
  });
});
