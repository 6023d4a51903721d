import type { StoredObject } from '../cluster/cluster.ts';
import { chooseAddress } from '../runtime/services/address/choose-address.ts';
import {
  type EndpointSlice,
  podType,
  type Service,
  type ServingPod,
  selects,
  serviceNameLabel,
  serviceType,
  sliceType,
} from '../runtime/services/service-objects.ts';
import { decideSlices, managedByLabel, sliceController } from '../runtime/services/slices/decide-slices.ts';
import { wantedEndpoints } from '../runtime/services/slices/wanted-endpoints.ts';
import { claimType } from '../runtime/workload/object/workload-kinds.ts';
import type { NodeObjects } from './node-objects.ts';

/** 10.96.0.0/16. */
const serviceRange = { first: 0x0a600000, count: 65536 };

/** Gives every Service without an address one, as an API server does; the same name tends to get the same. */
export async function giveAddresses(objects: NodeObjects): Promise<void> {
  for (const service of objects.all<Service>(serviceType)) {
    const { type, clusterIP, clusterIPs } = service.spec;
    if (type === 'ExternalName' || service.metadata.deletionTimestamp || clusterIPs?.[0]) continue;
    const taken = new Set(objects.all<Service>(serviceType).map(({ spec }) => spec.clusterIP ?? ''));
    const place = `${service.metadata.namespace}/${service.metadata.name}`;
    const address = clusterIP || chooseAddress(serviceRange, place, taken) || '';
    const spec = {
      ...{ clusterIP: address, clusterIPs: [address] },
      ...{ ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' },
    };
    await objects.patch(service, { spec });
  }
}

/** Brings the EndpointSlices of every Service that selects Pods to what these say. */
export async function writeSlices(objects: NodeObjects): Promise<void> {
  for (const service of objects.all<Service>(serviceType)) {
    const { namespace, name, deletionTimestamp } = service.metadata;
    if (deletionTimestamp || !service.spec.selector || service.spec.type === 'ExternalName') continue;
    const pods = objects
      .all<ServingPod>(podType)
      .filter(pod => pod.metadata.namespace === namespace && selects(service, pod));
    const slices = objects
      .all<EndpointSlice>(sliceType)
      .filter(
        ({ metadata }) =>
          metadata.namespace === namespace &&
          metadata.labels?.[serviceNameLabel] === name &&
          metadata.labels[managedByLabel] === sliceController,
      );
    const { create, update, remove } = decideSlices(service, wantedEndpoints(service, pods), slices);
    for (const slice of create) await objects.create(slice);
    for (const slice of update) await objects.update(slice);
    for (const slice of remove) await objects.delete(slice);
  }
}

interface Claim extends StoredObject {
  readonly spec: {
    readonly volumeName?: string;
    readonly accessModes?: readonly string[];
    readonly resources?: { readonly requests?: Readonly<Record<string, string>> };
  };
  readonly status?: { readonly phase?: string };
}

/** Binds every claim to a volume that is nowhere. */
export async function bindClaims(objects: NodeObjects): Promise<void> {
  for (const claim of objects.all<Claim>(claimType)) {
    const { spec, status, metadata } = claim;
    if (metadata.deletionTimestamp) continue;
    if (!spec.volumeName) await objects.patch(claim, { spec: { volumeName: `pvc-${metadata.name}` } });
    else if (status?.phase !== 'Bound') {
      const capacity = { storage: spec.resources?.requests?.['storage'] ?? '1Gi' };
      await objects.writeStatus(claim, { phase: 'Bound', accessModes: spec.accessModes ?? [], capacity });
    }
  }
}
