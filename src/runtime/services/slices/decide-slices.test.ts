import { describe, expect, test } from 'vitest';
import type { ClusterObject } from '../../../cluster/cluster.ts';
import type { EndpointSlice, Service, ServingPod } from '../service-objects.ts';
import { decideSlices, managedByLabel } from './decide-slices.ts';
import { wantedEndpoints } from './wanted-endpoints.ts';

const service = aService();

function aService(spec: Partial<Service['spec']> = {}, labels: Record<string, string> = {}): Service {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: 'web',
      namespace: 'default',
      uid: 'service',
      resourceVersion: '1',
      creationTimestamp: '',
      labels,
    },
    spec: {
      clusterIP: '127.20.128.1',
      selector: { app: 'web' },
      ports: [{ port: 80, targetPort: 8080 }],
      ...spec,
    },
  };
}

function pod(
  number: number,
  more: {
    readonly ready?: boolean;
    readonly ending?: boolean;
    readonly named?: number;
    readonly phase?: string;
  } = {},
): ServingPod {
  const { ready = true, ending, named, phase = 'Running' } = more;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `pod-${number}`,
      namespace: 'default',
      uid: `uid-${number}`,
      resourceVersion: '1',
      creationTimestamp: '',
      ...(ending ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
    },
    spec: {
      nodeName: 'here',
      containers: [{ ports: named ? [{ name: 'web', containerPort: named }] : [] }],
    },
    status: {
      phase,
      podIP: `127.20.0.${number}`,
      conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }],
    },
  };
}

function pods(count: number): ServingPod[] {
  return Array.from({ length: count }, (_, number) => pod(number + 1));
}

function conditions(of: Service, ...all: ServingPod[]) {
  return wantedEndpoints(of, all).flatMap(({ endpoints }) => endpoints.map(one => one.conditions));
}

/** What the changes leave behind. */
function applied(
  existing: readonly EndpointSlice[],
  all: readonly ServingPod[],
  of = service,
): EndpointSlice[] {
  const { create, update, remove } = decideSlices(of, wantedEndpoints(of, all), existing);
  const kept = existing
    .filter(slice => !remove.includes(slice))
    .map(slice => update.find(one => one.metadata.name === slice.metadata.name) ?? slice);
  return [...kept, ...create.map(named)] as EndpointSlice[];
}

let names = 0;
function named(slice: ClusterObject): ClusterObject {
  names += 1;
  return { ...slice, metadata: { ...slice.metadata, name: `web-${names}` } };
}

function sizes(slices: readonly EndpointSlice[]): number[] {
  return slices.map(({ endpoints }) => endpoints?.length ?? 0);
}

describe('endpoints', () => {
  test.each([
    ['a ready Pod', service, pod(1), [{ ready: true, serving: true, terminating: false }]],
    [
      'one that is not ready',
      service,
      pod(1, { ready: false }),
      [{ ready: false, serving: false, terminating: false }],
    ],
    [
      'one that is to end',
      service,
      pod(1, { ending: true }),
      [{ ready: false, serving: true, terminating: true }],
    ],
    [
      'one that is not ready, where that does not matter',
      aService({ publishNotReadyAddresses: true }),
      pod(1, { ready: false }),
      [{ ready: true, serving: false, terminating: false }],
    ],
    ['one that has ended', service, pod(1, { phase: 'Succeeded' }), []],
  ])('%s', (_, of, one, want) => {
    expect(conditions(of, one)).toEqual(want);
  });

  test('Pods with other ports behind the same name are apart, and one without that name has none', () => {
    const byName = aService({ ports: [{ name: 'http', port: 80, targetPort: 'web' }] });
    const groups = wantedEndpoints(byName, [pod(1, { named: 8080 }), pod(2, { named: 9090 }), pod(3)]);
    expect(groups.map(({ ports, endpoints }) => [ports[0]?.port, endpoints.length])).toEqual([
      [8080, 1],
      [9090, 1],
      [undefined, 1],
    ]);
  });
});

describe('slices', () => {
  test('a Service without Pods has an empty one', () => {
    const [slice, ...others] = applied([], []);
    expect(others).toEqual([]);
    expect(slice).toMatchObject({ addressType: 'IPv4', endpoints: [], ports: [] });
    expect(applied([slice as EndpointSlice], [])).toEqual([slice]);
  });

  test('hold 100 endpoints each', () => {
    expect(sizes(applied([], pods(250)))).toEqual([100, 100, 50]);
  });

  test('nothing is written where nothing changed', () => {
    const existing = applied([], pods(150));
    expect(decideSlices(service, wantedEndpoints(service, pods(150)), existing)).toEqual({
      create: [],
      update: [],
      remove: [],
    });
  });

  test('one Pod more changes one slice, and one less too', () => {
    const existing = applied([], pods(150));
    const more = decideSlices(service, wantedEndpoints(service, pods(151)), existing);
    expect([more.create.length, more.update.length, more.remove.length]).toEqual([0, 1, 0]);
    const less = decideSlices(service, wantedEndpoints(service, pods(150).slice(1)), existing);
    expect([less.create.length, less.update.length, less.remove.length]).toEqual([0, 1, 0]);
  });

  test('the last one stays, empty, when the Pods are gone', () => {
    expect(sizes(applied(applied([], pods(150)), []))).toEqual([0]);
  });

  test('have the labels of the Service, and say whose they are', () => {
    const [slice] = applied([], pods(1), aService({ clusterIP: 'None' }, { team: 'a' }));
    expect(slice?.metadata.labels).toEqual({
      team: 'a',
      'kubernetes.io/service-name': 'web',
      [managedByLabel]: 'endpointslice-controller.k8s.io',
      'service.kubernetes.io/headless': '',
    });
  });
});
