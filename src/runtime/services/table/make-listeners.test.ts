import { describe, expect, test } from 'vitest';
import type { EndpointSlice, Service, ServingPod, SliceEndpoint } from '../service-objects.ts';
import { makeListeners } from './make-listeners.ts';
import { parseWeights, sliceLabel, weightsAnnotation } from './weights.ts';

const metadata = { namespace: 'default', resourceVersion: '1', creationTimestamp: '' };

function service(spec: Partial<Service['spec']> = {}, annotations: Record<string, string> = {}): Service {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { ...metadata, name: 'web', uid: 'service', annotations },
    spec: { clusterIP: '127.20.128.1', ports: [{ port: 80 }], ...spec },
  };
}

function slice(...endpoints: readonly SliceEndpoint[]): EndpointSlice {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { ...metadata, name: 'web-x', uid: 'slice' },
    addressType: 'IPv4',
    endpoints,
    ports: [{ name: '', port: 8080, protocol: 'TCP' }],
  };
}

function of(name: string, conditions: SliceEndpoint['conditions'] = { ready: true }): SliceEndpoint {
  return { addresses: ['127.20.0.1'], conditions, targetRef: { kind: 'Pod', name, uid: name } };
}

function pod(name: string, labels: Record<string, string> = {}, deletionTimestamp?: string): ServingPod {
  const ending = deletionTimestamp ? { deletionTimestamp } : {};
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...metadata, ...ending, name, uid: name, labels },
    spec: { containers: [] },
  };
}

function listeners(one: Service, slices: readonly EndpointSlice[] = [], pods: readonly ServingPod[] = []) {
  return makeListeners({
    services: [one],
    slicesOf: () => slices,
    pod: (_, name) => pods.find(found => found.metadata.name === name),
    hasAddress: () => true,
  });
}

describe('endpoints', () => {
  test.each([
    ['that is ready serves', of('a'), [pod('a')], 'serving'],
    ['of which nothing is said serves', of('a', {}), [pod('a')], 'serving'],
    ['that is not ready drains', of('a', { ready: false }), [pod('a')], 'draining'],
    [
      'that is to end and serves is leaving',
      of('a', { ready: false, serving: true, terminating: true }),
      [pod('a')],
      'leaving',
    ],
    [
      'that is to end and does not serve drains',
      of('a', { ready: false, serving: false, terminating: true }),
      [pod('a')],
      'draining',
    ],
    [
      'whose Pod is to end is leaving before its slice says so',
      of('a'),
      [pod('a', {}, '2026-01-01T00:00:00Z')],
      'leaving',
    ],
    ['whose Pod is gone drains', of('a'), [], 'draining'],
    [
      'whose Pod is another one of that name drains',
      { ...of('a'), targetRef: { kind: 'Pod', name: 'a', uid: 'before' } },
      [pod('a')],
      'draining',
    ],
  ])('one %s', (_, endpoint, pods, want) => {
    const [listener] = listeners(service(), [slice(endpoint)], pods).listeners;
    expect(listener?.endpoints.map(({ state }) => state)).toEqual([want]);
  });

  test('without a Pod are known by their address', () => {
    const [listener] = listeners(service(), [slice({ addresses: ['192.0.2.7'] })]).listeners;
    expect(listener?.endpoints).toEqual([
      { id: '192.0.2.7', address: '192.0.2.7', port: 8080, slice: '', state: 'serving' },
    ]);
  });

  test('have the weights of their slices, and none where they are not named: those are drained', () => {
    const pods = ['blue', 'green', 'red'].map(name => pod(name, { [sliceLabel]: name }));
    const weighted = service({}, { [weightsAnnotation]: 'blue=90, green=10' });
    const [listener] = listeners(weighted, [slice(of('blue'), of('green'), of('red'))], pods).listeners;
    expect(listener?.endpoints.map(({ slice, weight, state }) => [slice, weight, state])).toEqual([
      ['blue', 90, 'serving'],
      ['green', 10, 'serving'],
      ['red', 0, 'draining'],
    ]);
  });
});

describe('listeners', () => {
  test.each([
    ['a name', { type: 'ExternalName' }],
    ['Pods without an address before them', { clusterIP: 'None' }],
    ['no address yet', { clusterIP: '' }],
  ])('there is none for a Service that is %s', (_, spec) => {
    expect(listeners(service(spec))).toEqual({ listeners: [], problems: [] });
  });

  test.each([
    [undefined, 'auto'],
    ['http', 'http'],
    ['kubernetes.io/ws', 'http'],
    ['tcp', 'tcp'],
    ['https', 'tcp'],
    ['example.com/own', 'auto'],
  ])('application protocol %s is forwarded as %s', (appProtocol, want) => {
    const port = { port: 80, ...(appProtocol ? { appProtocol } : {}) };
    expect(listeners(service({ ports: [port] })).listeners[0]?.protocol).toBe(want);
  });

  test('of a port of the node is on loopback too', () => {
    const { listeners: made } = listeners(
      service({ type: 'NodePort', ports: [{ port: 80, nodePort: 30_080 }] }),
    );
    expect(made.map(({ address, port }) => `${address}:${port}`)).toEqual([
      '127.20.128.1:80',
      '127.0.0.1:30080',
    ]);
  });

  test('keep clients where they are for as long as the Service says', () => {
    const affinity = {
      sessionAffinity: 'ClientIP',
      sessionAffinityConfig: { clientIP: { timeoutSeconds: 60 } },
    };
    expect(listeners(service(affinity)).listeners[0]?.affinitySeconds).toBe(60);
  });

  test.each([
    ['ProtocolNotForwarded', service({ ports: [{ port: 53, protocol: 'UDP' }] }), 0],
    ['WeightsIgnored', service({}, { [weightsAnnotation]: 'blue' }), 1],
  ])('what is wrong is told as %s', (reason, one, count) => {
    const { listeners: made, problems } = listeners(one);
    expect([made.length, problems.map(problem => problem.reason)]).toEqual([count, [reason]]);
  });

  test('an address that is another Service’s is not listened on', () => {
    const made = makeListeners({
      services: [service()],
      slicesOf: () => [],
      pod: () => undefined,
      hasAddress: () => false,
    });
    expect([made.listeners.length, made.problems.map(({ reason }) => reason)]).toEqual([
      0,
      ['ClusterIPNotAllocated'],
    ]);
  });
});

test.each([['blue'], ['blue=101'], ['blue=-1'], ['blue=1,blue=2'], ['=1'], [''], ['blue=0'], ['a b=1']])(
  'weights %j are refused',
  text => {
    expect(parseWeights(text)).toBeTypeOf('string');
  },
);
