import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { ClusterObject } from '../../cluster/cluster.ts';
import { type InstallRequest, operatorObjects } from './install-objects.ts';
import { refusedFolder } from './router-objects.ts';

const haproxy = {
  socket: '/run/afloat-haproxy/master.sock',
  folder: '/run/afloat-haproxy/routes',
  address: '192.0.2.10',
  previewAddresses: ['192.0.2.11'],
};

interface PodTemplate {
  readonly metadata: { readonly annotations?: Record<string, string> };
  readonly spec: {
    readonly containers: { args: string[]; volumeMounts: { name: string; mountPath: string }[] }[];
    readonly volumes: { name: string }[];
  };
}

function objectsOf(routers?: InstallRequest['routers']) {
  const objects = operatorObjects({ image: 'afloat:1', ...(routers ? { routers } : {}) });
  const find = (kind: string) => objects.find(one => one.kind === kind) as ClusterObject;
  const { template } = find('Deployment')['spec'] as { template: PodTemplate };
  return { find, template, container: template.spec.containers[0] };
}

describe('an operator in a cluster that was told of an HAProxy', () => {
  it('gets the file, and the folders that it names under the same names', () => {
    const { find, template, container } = objectsOf({ haproxy });
    const { data } = find('ConfigMap') as unknown as { data: Record<string, string> };
    expect(parse(data['routers.yaml'] ?? '')).toEqual({ haproxy });
    expect(container?.args).toContain('--routers=/routers/routers.yaml');
    expect(container?.volumeMounts).toEqual([
      { name: 'tmp', mountPath: '/tmp' },
      { name: 'routers', mountPath: '/routers', readOnly: true },
      { name: 'router-routes', mountPath: '/run/afloat-haproxy/routes' },
      { name: 'router-socket', mountPath: '/run/afloat-haproxy', readOnly: true },
    ]);
    expect(template.spec.volumes.map(({ name }) => name)).toEqual(
      container?.volumeMounts.map(({ name }) => name),
    );
  });

  it('gets one folder once, and never all files of its machine', () => {
    const one = { ...haproxy, socket: '/var/lib/haproxy/master.sock', folder: '/var/lib/haproxy' };
    const names = objectsOf({ haproxy: one }).container?.volumeMounts.map(({ name }) => name);
    expect(names).not.toContain('router-socket');
    expect(refusedFolder({ haproxy: one })).toBeUndefined();
    expect(refusedFolder({ haproxy: { ...haproxy, socket: '/master.sock' } })).toMatch(/all files/);
    expect(refusedFolder({ haproxy: { ...haproxy, folder: 'routes' } })).toMatch(/begin with/);
  });

  it('is in a namespace that lets it have them', () => {
    const level = (objects: ReturnType<typeof objectsOf>) =>
      objects.find('Namespace').metadata.labels?.['pod-security.kubernetes.io/enforce'];
    expect(level(objectsOf({ haproxy }))).toBe('privileged');
    expect(level(objectsOf())).toBe('restricted');
  });

  it('is another Pod when the file is another', () => {
    const mark = (address: string) =>
      objectsOf({ haproxy: { ...haproxy, address } }).template.metadata.annotations;
    expect(mark('192.0.2.10')).toEqual(mark('192.0.2.10'));
    expect(mark('192.0.2.10')).not.toEqual(mark('192.0.2.20'));
  });

  it('needs no folder for a socket that is a port', () => {
    const { container } = objectsOf({ haproxy: { ...haproxy, socket: '192.0.2.10:9999' } });
    expect(container?.volumeMounts.map(({ name }) => name)).toEqual(['tmp', 'routers', 'router-routes']);
  });
});
