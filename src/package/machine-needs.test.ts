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

  it('leaves ports out where the Pod has the address of the machine anyway', () => {
    const spec = { hostNetwork: true, containers: [container({ ports: [{ containerPort: 80 }] })] };
    expect(needsOf('Pod', spec, [image()])[0]?.because).toBe('says nothing of `isolation: none`');
  });
});
