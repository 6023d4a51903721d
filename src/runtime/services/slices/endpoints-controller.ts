import { canonicalJson, compareText, sameJson } from '../../../base/json.ts';
import type { ClusterObject } from '../../../cluster/cluster.ts';
import { partsOf, placeOf } from '../../../reconcile/informer.ts';
import type { Controller, Reconciling } from '../../../reconcile/reconcile.ts';
import {
  endpointsType,
  isHeadless,
  podType,
  type Service,
  type ServingPod,
  type SliceEndpoint,
  type SlicePort,
  selects,
  servicesOf,
  serviceType,
} from '../service-objects.ts';
import { type PortGroup, wantedEndpoints } from './wanted-endpoints.ts';

const managedBy = { 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' };
const headless = { 'service.kubernetes.io/headless': '' };

/**
 * Keeps the Endpoints of Services that select Pods: the older form of slices. Charts wait for them (`kubernetes-entrypoint` in
 * OpenStack-Helm does), so they are there.
 */
export function endpointsController(reconciling: Reconciling): Controller {
  const services = reconciling.informer(serviceType);
  const pods = reconciling.informer(podType);
  const known = reconciling.informer(endpointsType);
  const ownKey = ({ metadata }: ClusterObject) => [placeOf(metadata.namespace, metadata.name ?? '')];
  return {
    name: 'endpoints of',
    watches: [
      { type: serviceType, keysOf: ownKey },
      { type: endpointsType, keysOf: ownKey },
      { type: podType, keysOf: pod => servicesOf(pod, services).flatMap(ownKey) },
    ],
    async pass(key) {
      const { namespace, name } = partsOf(key);
      const service = services.get(namespace, name) as Service | undefined;
      const existing = known.get(namespace, name);
      if (!service) {
        // Named after the Service and not owned by it: nobody else takes it away.
        const { uid } = existing?.metadata ?? {};
        const isOurs = Object.keys(managedBy).some(label => existing?.metadata.labels?.[label] !== undefined);
        if (uid && isOurs)
          await reconciling.delete({ ...endpointsType, namespace, name }, { preconditions: { uid } });
        return undefined;
      }
      if (!service.spec.selector || service.spec.type === 'ExternalName') return undefined;
      const selected = (pods.all() as ServingPod[]).filter(
        pod => pod.metadata.namespace === namespace && selects(service, pod),
      );
      const wanted = endpointsOf(service, wantedEndpoints(service, selected));
      if (!existing) await reconciling.create(wanted);
      else if (!saysSame(existing, wanted)) {
        await reconciling.update({
          ...existing,
          ...wanted,
          metadata: { ...existing.metadata, labels: wanted.metadata.labels ?? {} },
        });
      }
      return undefined;
    },
  };
}

function saysSame(existing: ClusterObject, wanted: ClusterObject): boolean {
  return sameJson(
    [existing['subsets'] ?? [], existing.metadata.labels],
    [wanted['subsets'], wanted.metadata.labels],
  );
}

function endpointsOf(service: Service, groups: readonly PortGroup[]): ClusterObject {
  const { name, namespace = '', labels } = service.metadata;
  const own = { ...labels, ...managedBy, ...(isHeadless(service) ? headless : {}) };
  return {
    ...endpointsType,
    metadata: { name, namespace, labels: own },
    subsets: subsetsOf(service, groups),
  };
}

/** By ports, as slices are; within one, those that are ready and those that are not. */
function subsetsOf({ spec }: Service, groups: readonly PortGroup[]) {
  const publishes = spec.publishNotReadyAddresses === true;
  return groups
    .flatMap(({ ports, endpoints }) => {
      const staying = endpoints
        .filter(({ conditions }) => publishes || !conditions?.terminating)
        .sort(byAddress);
      const ready = staying.filter(({ conditions }) => conditions?.ready).map(addressOf);
      const notReady = staying.filter(({ conditions }) => !conditions?.ready).map(addressOf);
      if (staying.length === 0 || (ports.length === 0 && spec.ports?.length)) return [];
      return [
        {
          ...(ready.length > 0 ? { addresses: ready } : {}),
          ...(notReady.length > 0 ? { notReadyAddresses: notReady } : {}),
          ...(ports.length > 0 ? { ports: ports.map(portOf) } : {}),
        },
      ];
    })
    .sort((a, b) => compareText(canonicalJson(a.ports), canonicalJson(b.ports)));
}

function byAddress(a: SliceEndpoint, b: SliceEndpoint): number {
  return compareText(a.addresses[0] ?? '', b.addresses[0] ?? '');
}

function addressOf({ addresses, hostname, nodeName, targetRef }: SliceEndpoint) {
  return {
    ip: addresses[0] ?? '',
    ...(hostname ? { hostname } : {}),
    ...(nodeName ? { nodeName } : {}),
    ...(targetRef ? { targetRef } : {}),
  };
}

function portOf({ name, ...rest }: SlicePort) {
  return name ? { name, ...rest } : rest;
}
