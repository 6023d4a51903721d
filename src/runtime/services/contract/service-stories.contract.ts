import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { waitUntil } from '../../../../scripts/kubernetes/process/wait-until.ts';
import type { Cluster, ClusterObject, StoredObject } from '../../../cluster/cluster.ts';
import { isReason } from '../../../cluster/cluster-error.ts';
import {
  type EndpointSlice,
  endpointsType,
  podType,
  type Service,
  serviceType,
  sliceType,
} from '../service-objects.ts';

/** A cluster whose Services get addresses and slices, and in which no Pod runs: the suite says what becomes of them. */
export interface ServiceWorld {
  readonly cluster: Cluster;
  readonly namespace: string;
  /** The name of a node that is known, and on which nothing runs. */
  readonly node: string;
  close(): Promise<void>;
}

/** What any cluster makes of Services and of the Pods behind them. */
export function serviceContract(name: string, open: () => Promise<ServiceWorld>): void {
  describe(name, () => {
    let world: ServiceWorld;
    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world.close());

    function service(
      name: string,
      spec: object = {},
      labels: Record<string, string> = {},
    ): Promise<StoredObject> {
      const own = { selector: { app: name }, ports: [{ port: 80, targetPort: 8080 }], ...spec };
      return world.cluster.create({
        ...serviceType,
        metadata: { name, namespace: world.namespace, labels },
        spec: own,
      });
    }

    /** A Pod, as its kubelet would say it is. */
    async function pod(
      name: string,
      app: string,
      address: string,
      more: { ready?: boolean; spec?: object; phase?: string } = {},
    ) {
      const { ready = true, spec = {}, phase = 'Running' } = more;
      const object: ClusterObject = {
        ...podType,
        metadata: { name, namespace: world.namespace, labels: { app } },
        spec: { nodeName: world.node, containers: [{ name: 'main', image: 'none' }], ...spec },
      };
      // A real cluster refuses Pods until it has made the account of the namespace.
      const made = await waitUntil('Pods are taken', 20, () =>
        world.cluster.create(object).catch(error => {
          if (isReason(error, 'Forbidden')) return undefined;
          throw error;
        }),
      );
      const conditions = [{ type: 'Ready', status: ready ? 'True' : 'False' }];
      const value = { status: { phase, podIP: address, podIPs: [{ ip: address }], conditions } };
      await world.cluster.patch(
        { ...podType, name, namespace: world.namespace },
        { type: 'merge', value },
        { subresource: 'status' },
      );
      return made;
    }

    async function slicesOf(name: string): Promise<EndpointSlice[]> {
      const labelSelector = `kubernetes.io/service-name=${name}`;
      const { items } = await world.cluster.list(sliceType, { namespace: world.namespace, labelSelector });
      return items as EndpointSlice[];
    }

    /** The slices of a Service as soon as they have so many endpoints. */
    function slicesWith(name: string, count: number): Promise<EndpointSlice[]> {
      return waitUntil(`${count} endpoints of ${name}`, 30, async () => {
        const slices = await slicesOf(name);
        const found = slices.reduce((sum, { endpoints }) => sum + (endpoints?.length ?? 0), 0);
        return slices.length > 0 && found === count && slices;
      });
    }

    /** The conditions of each endpoint by the name of its Pod, as soon as they are so. */
    function conditionsOf(name: string, want: Record<string, string>): Promise<unknown> {
      return waitUntil(`conditions ${JSON.stringify(want)}`, 30, async () => {
        const endpoints = (await slicesOf(name)).flatMap(slice => slice.endpoints ?? []);
        const found = endpoints.map(({ targetRef, conditions = {} }) => {
          const { ready, serving, terminating } = conditions;
          return [
            targetRef?.name,
            `${ready ? 'ready' : '-'} ${serving ? 'serving' : '-'} ${terminating ? 'terminating' : '-'}`,
          ];
        });
        return JSON.stringify(Object.fromEntries(found.sort())) === JSON.stringify(want) || undefined;
      });
    }

    test('a Service has an address of its own', async () => {
      const made = await service('plain');
      const { spec } = await waitUntil('an address', 20, async () => {
        const now = (await world.cluster.get({
          ...serviceType,
          name: 'plain',
          namespace: world.namespace,
        })) as Service;
        return now.spec.clusterIP ? now : undefined;
      });
      expect(spec).toMatchObject({
        clusterIPs: [spec.clusterIP],
        ipFamilies: ['IPv4'],
        ipFamilyPolicy: 'SingleStack',
        type: 'ClusterIP',
        sessionAffinity: 'None',
        internalTrafficPolicy: 'Cluster',
      });
      expect(spec.clusterIP).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
      expect(made.metadata.name).toBe('plain');
    });

    test('a Service without Pods has one empty slice', async () => {
      const { metadata } = await service('empty', {}, { team: 'a' });
      const [slice, ...others] = await slicesWith('empty', 0);
      expect(others).toEqual([]);
      expect(slice?.addressType).toBe('IPv4');
      expect(slice?.metadata.generateName).toBe('empty-');
      expect(slice?.metadata.labels).toEqual({
        team: 'a',
        'kubernetes.io/service-name': 'empty',
        'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
      });
      expect(slice?.metadata.ownerReferences).toEqual([
        {
          apiVersion: 'v1',
          kind: 'Service',
          name: 'empty',
          uid: metadata.uid,
          controller: true,
          blockOwnerDeletion: true,
        },
      ]);
      expect([slice?.endpoints ?? [], slice?.ports ?? []]).toEqual([[], []]);
    });

    test('endpoints name their Pods', async () => {
      await service('named', { ports: [{ name: 'http', port: 80, targetPort: 8080, appProtocol: 'http' }] });
      const { metadata } = await pod('named-0', 'named', '10.1.0.1');
      // The empty slice of before may still be there.
      const slice = (await slicesWith('named', 1)).find(({ endpoints }) => endpoints?.length);
      expect(slice?.ports).toEqual([{ name: 'http', port: 8080, protocol: 'TCP', appProtocol: 'http' }]);
      await conditionsOf('named', { 'named-0': 'ready serving -' });
      const [found] = await slicesWith('named', 1);
      expect(found?.endpoints).toEqual([
        {
          addresses: ['10.1.0.1'],
          conditions: { ready: true, serving: true, terminating: false },
          nodeName: world.node,
          targetRef: { kind: 'Pod', namespace: world.namespace, name: 'named-0', uid: metadata.uid },
        },
      ]);
    });

    test('endpoints are ready as their Pods are, and say when they end', async () => {
      await service('states');
      await pod('states-ready', 'states', '10.1.1.1');
      await pod('states-unready', 'states', '10.1.1.2', { ready: false });
      await pod('states-done', 'states', '10.1.1.3', { phase: 'Succeeded' });
      await conditionsOf('states', { 'states-ready': 'ready serving -', 'states-unready': '- - -' });
      await world.cluster.delete({ ...podType, name: 'states-ready', namespace: world.namespace });
      await conditionsOf('states', { 'states-ready': '- serving terminating', 'states-unready': '- - -' });
      await world.cluster.delete(
        { ...podType, name: 'states-ready', namespace: world.namespace },
        { gracePeriodSeconds: 0 },
      );
      await conditionsOf('states', { 'states-unready': '- - -' });
    });

    test('all endpoints are ready where that is asked for', async () => {
      await service('published', { publishNotReadyAddresses: true });
      await pod('published-0', 'published', '10.1.2.1', { ready: false });
      await conditionsOf('published', { 'published-0': 'ready - -' });
    });

    test('Pods with other ports behind a name are in slices of their own', async () => {
      await service('ports', { ports: [{ name: 'http', port: 80, targetPort: 'web' }] });
      const named = (containerPort: number) => ({
        spec: { containers: [{ name: 'main', image: 'none', ports: [{ name: 'web', containerPort }] }] },
      });
      await pod('ports-a', 'ports', '10.1.3.1', named(8080));
      await pod('ports-b', 'ports', '10.1.3.2', named(9090));
      await pod('ports-none', 'ports', '10.1.3.3');
      const slices = await slicesWith('ports', 3);
      expect(slices.map(({ ports }) => ports?.[0]?.port ?? 'none').sort()).toEqual([8080, 9090, 'none']);
    });

    test('a Service without an address names the hosts behind it', async () => {
      await service('headless', { clusterIP: 'None' });
      await pod('headless-0', 'headless', '10.1.4.1', {
        spec: { hostname: 'zero', subdomain: 'headless', containers: [{ name: 'main', image: 'none' }] },
      });
      const [slice] = await slicesWith('headless', 1);
      expect(slice?.endpoints?.[0]?.hostname).toBe('zero');
      expect(slice?.metadata.labels).toMatchObject({ 'service.kubernetes.io/headless': '' });
      const { spec } = (await world.cluster.get({
        ...serviceType,
        name: 'headless',
        namespace: world.namespace,
      })) as Service;
      expect([spec.clusterIP, spec.clusterIPs]).toEqual(['None', ['None']]);
    });

    test('a slice that was taken away comes again', async () => {
      await service('again');
      await pod('again-0', 'again', '10.1.5.1');
      // The one that was empty before may still be there, and goes.
      const slice = (await slicesWith('again', 1)).find(({ endpoints }) => endpoints?.length);
      await world.cluster.delete({
        ...sliceType,
        name: slice?.metadata.name ?? '',
        namespace: world.namespace,
      });
      await waitUntil('another slice', 20, async () => {
        const now = (await slicesOf('again')).find(({ endpoints }) => endpoints?.length);
        return now !== undefined && now.metadata.uid !== slice?.metadata.uid;
      });
    });

    test('slices go with their Service', async () => {
      await service('going');
      await slicesWith('going', 0);
      await world.cluster.delete({ ...serviceType, name: 'going', namespace: world.namespace });
      await waitUntil('no slices', 20, async () => (await slicesOf('going')).length === 0);
    });

    test('the older form says the same', async () => {
      await service('older', { ports: [{ port: 80, targetPort: 8080 }] }, { team: 'a' });
      const ready = await pod('older-0', 'older', '10.1.6.1');
      const unready = await pod('older-1', 'older', '10.1.6.2', { ready: false });
      const ref = ({ metadata }: StoredObject) => ({
        kind: 'Pod',
        namespace: world.namespace,
        name: metadata.name,
        uid: metadata.uid,
      });
      const wanted = [
        {
          addresses: [{ ip: '10.1.6.1', nodeName: world.node, targetRef: ref(ready) }],
          notReadyAddresses: [{ ip: '10.1.6.2', nodeName: world.node, targetRef: ref(unready) }],
          ports: [{ port: 8080, protocol: 'TCP' }],
        },
      ];
      const found = await waitUntil('both addresses', 20, async () => {
        const now = await world.cluster
          .get({ ...endpointsType, name: 'older', namespace: world.namespace })
          .catch(() => undefined);
        const [subset] = (now?.['subsets'] ?? []) as { addresses?: unknown; notReadyAddresses?: unknown }[];
        return subset?.addresses && subset.notReadyAddresses ? now : undefined;
      });
      expect(found['subsets']).toEqual(wanted);
      expect(found.metadata.labels).toEqual({
        team: 'a',
        'endpoints.kubernetes.io/managed-by': 'endpoint-controller',
      });
      await world.cluster.delete({ ...serviceType, name: 'older', namespace: world.namespace });
      await waitUntil('none', 20, () =>
        world.cluster.get({ ...endpointsType, name: 'older', namespace: world.namespace }).then(
          () => false,
          error => isReason(error, 'NotFound'),
        ),
      );
    });
  });
}
