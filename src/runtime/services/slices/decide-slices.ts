import { sameJson } from '../../../base/json.ts';
import type { ClusterObject } from '../../../cluster/cluster.ts';
import {
  type EndpointSlice,
  isHeadless,
  type Service,
  type SliceEndpoint,
  serviceNameLabel,
  serviceType,
  sliceType,
} from '../service-objects.ts';
import type { PortGroup } from './wanted-endpoints.ts';

export const managedByLabel = 'endpointslice.kubernetes.io/managed-by';
/** The name under which the controller of a cluster manages slices: who looks for it finds ours. */
export const sliceController = 'endpointslice-controller.k8s.io';
const headlessLabel = 'service.kubernetes.io/headless';
const endpointsPerSlice = 100;

/** What is to be written. */
export interface SliceChanges {
  readonly create: readonly ClusterObject[];
  readonly update: readonly ClusterObject[];
  readonly remove: readonly EndpointSlice[];
}

/**
 * What makes the slices of a Service say where it is served. Endpoints stay in the slice they are in, and free places are filled first, so
 * that one Pod more changes one slice. A Service without endpoints has one empty slice.
 */
export function decideSlices(
  service: Service,
  wanted: readonly PortGroup[],
  existing: readonly EndpointSlice[],
): SliceChanges {
  const left = new Set(existing);
  const filled: { slice: EndpointSlice | undefined; group: PortGroup }[] = [];
  for (const group of wanted.length > 0 ? wanted : [{ ports: [], endpoints: [] }]) {
    const fitting = existing.filter(slice => left.has(slice) && sameJson(slice.ports ?? [], group.ports));
    for (const { slice, endpoints } of fill(fitting, group.endpoints)) {
      if (slice) left.delete(slice);
      filled.push({ slice, group: { ports: group.ports, endpoints } });
    }
  }
  const written = filled.map(({ slice, group }) => ({ slice, object: sliceOf(service, group, slice) }));
  return {
    create: written.flatMap(({ slice, object }) => (slice ? [] : [object])),
    update: written.flatMap(({ slice, object }) => (slice && !saysSame(slice, object) ? [object] : [])),
    remove: [...left],
  };
}

/** Endpoints put into slices: those that are in one stay there. At least one slice, for an empty list says something too. */
function fill(
  existing: readonly EndpointSlice[],
  wanted: readonly SliceEndpoint[],
): { slice: EndpointSlice | undefined; endpoints: SliceEndpoint[] }[] {
  const byId = new Map(wanted.map(endpoint => [idOf(endpoint), endpoint]));
  const filled: { slice: EndpointSlice | undefined; endpoints: SliceEndpoint[] }[] = existing.map(slice => {
    const kept = (slice.endpoints ?? []).flatMap(endpoint => {
      const id = idOf(endpoint);
      const now = byId.get(id);
      byId.delete(id);
      return now ? [now] : [];
    });
    return { slice, endpoints: kept };
  });
  const fresh = [...byId.values()];
  for (const one of filled) {
    if (one.endpoints.length > 0 || wanted.length === 0)
      one.endpoints.push(...fresh.splice(0, endpointsPerSlice - one.endpoints.length));
  }
  for (const one of filled) {
    if (one.endpoints.length === 0) one.endpoints.push(...fresh.splice(0, endpointsPerSlice));
  }
  while (fresh.length > 0) filled.push({ slice: undefined, endpoints: fresh.splice(0, endpointsPerSlice) });
  const inUse = filled.filter(({ endpoints }) => endpoints.length > 0);
  if (inUse.length > 0) return inUse;
  return [filled[0] ?? { slice: undefined, endpoints: [] }];
}

function idOf({ targetRef, addresses }: SliceEndpoint): string {
  return `${targetRef?.uid ?? ''} ${addresses[0]}`;
}

function sliceOf(
  service: Service,
  { ports, endpoints }: PortGroup,
  slice: EndpointSlice | undefined,
): ClusterObject {
  const { name, namespace = '', uid } = service.metadata;
  const owner = { ...serviceType, name, uid, controller: true, blockOwnerDeletion: true };
  const metadata = slice?.metadata ?? { generateName: `${name}-`, namespace };
  return {
    ...sliceType,
    metadata: { ...metadata, labels: labelsOf(service, slice), ownerReferences: [owner] },
    addressType: 'IPv4',
    endpoints,
    ports,
  };
}

/** Those of the Service, and what says whose it is. */
function labelsOf(service: Service, slice: EndpointSlice | undefined): Record<string, string> {
  const { [headlessLabel]: _, ...own } = { ...slice?.metadata.labels, ...service.metadata.labels };
  return {
    ...own,
    ...(isHeadless(service) ? { [headlessLabel]: '' } : {}),
    [serviceNameLabel]: service.metadata.name,
    [managedByLabel]: sliceController,
  };
}

function saysSame(slice: EndpointSlice, object: ClusterObject): boolean {
  const { labels, ownerReferences } = slice.metadata;
  return (
    sameJson(slice.endpoints ?? [], object['endpoints']) &&
    sameJson(slice.ports ?? [], object['ports']) &&
    sameJson([labels, ownerReferences], [object.metadata.labels, object.metadata.ownerReferences])
  );
}
