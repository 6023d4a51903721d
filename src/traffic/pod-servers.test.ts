import { describe, expect, it } from 'vitest';
import { portsOf, serversOf, sliceOfServer } from './pod-servers.ts';
import type { RoutePod } from './route-objects.ts';

function aPod(name: string, slice: string | undefined, podIP: string, more: object = {}): RoutePod {
  const labels = slice === undefined ? {} : { 'openstacklcm.airshipit.org/slice': slice };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'north', uid: name, resourceVersion: '1', creationTimestamp: '', labels },
    spec: { containers: [{ ports: [{ name: 'http', containerPort: 9090 }] }] },
    status: { podIP, conditions: [{ type: 'Ready', status: 'True' }], ...more },
  } as unknown as RoutePod;
}

const ports = portsOf([{ name: 'api', port: 80, targetPort: 8080 }]);

describe('servers', () => {
  it('are the Pods that are ready, numbered in their slice', () => {
    const unready = { conditions: [{ type: 'Ready', status: 'False' }] };
    const pods = [
      aPod('b', 'blue', '10.0.0.2'),
      aPod('a', 'blue', '10.0.0.1'),
      aPod('c', 'green', '10.0.0.3'),
      aPod('d', 'green', '10.0.0.4', unready),
      aPod('e', undefined, '10.0.0.5'),
      aPod('f', 'blue', 'no address'),
    ];
    const known = serversOf(ports, pods, []).map(({ name, address }) => `${name} ${address}`);
    expect(known).toEqual(['blue-1 10.0.0.1', 'blue-2 10.0.0.2', 'green-1 10.0.0.3', '_-1 10.0.0.5']);
  });

  it('keep their names, and a name that is free is taken first', () => {
    const first = serversOf(ports, [aPod('a', 'blue', '10.0.0.1'), aPod('b', 'blue', '10.0.0.2')], []);
    const later = serversOf(ports, [aPod('0', 'blue', '10.0.0.9'), aPod('b', 'blue', '10.0.0.2')], first);
    expect(later.map(({ name, address }) => `${name} ${address}`)).toEqual([
      'blue-1 10.0.0.9',
      'blue-2 10.0.0.2',
    ]);
  });

  it('are found by the name of a port', () => {
    const named = portsOf([
      { port: 80, targetPort: 'http' },
      { port: 81, targetPort: 'other' },
    ]);
    expect(serversOf(named, [aPod('a', 'blue', '10.0.0.1')], []).map(one => one.targetPort)).toEqual([9090]);
  });

  it('tell their slice by their name', () => {
    expect(['blue-1', 'v1-2-13', '_-1'].map(sliceOfServer)).toEqual(['blue', 'v1-2', '']);
  });
});

describe('ports', () => {
  it('are of requests unless the Service says otherwise', () => {
    const modes = portsOf([
      { port: 80 },
      { port: 81, appProtocol: 'tcp' },
      { port: 82, appProtocol: 'http' },
    ]);
    expect(modes.map(({ mode }) => mode)).toEqual(['http', 'tcp', 'http']);
  });

  it.each([[[{ port: 53, protocol: 'UDP' }]], [[]], [undefined]])(
    'that cannot be routed are refused: %j',
    wrong => {
      expect(() => portsOf(wrong)).toThrow(expect.objectContaining({ reason: 'Invalid' }));
    },
  );
});
