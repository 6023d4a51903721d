import { isReason } from '../../../cluster/cluster-error.ts';
import { partsOf, placeOf } from '../../../reconcile/informer.ts';
import type { Controller, Reconciling } from '../../../reconcile/reconcile.ts';
import {
  type EndpointSlice,
  podType,
  type Service,
  type ServingPod,
  selects,
  serviceNameLabel,
  servicesOf,
  serviceType,
  sliceType,
} from '../service-objects.ts';
import { decideSlices, managedByLabel, sliceController as manager } from './decide-slices.ts';
import { wantedEndpoints } from './wanted-endpoints.ts';

/** Keeps the EndpointSlices of Services that select Pods. */
export function sliceController(reconciling: Reconciling): Controller {
  const services = reconciling.informer(serviceType);
  const pods = reconciling.informer(podType);
  const slices = reconciling.informer(sliceType);

  const slicesOf = ({ metadata }: Service) =>
    (slices.all() as EndpointSlice[]).filter(
      slice =>
        slice.metadata.namespace === metadata.namespace &&
        slice.metadata.labels?.[serviceNameLabel] === metadata.name &&
        slice.metadata.labels[managedByLabel] === manager,
    );

  return {
    name: 'endpoint slices of',
    watches: [
      { type: serviceType, keysOf: ({ metadata }) => [placeOf(metadata.namespace, metadata.name)] },
      {
        type: podType,
        keysOf: pod =>
          servicesOf(pod, services).map(({ metadata }) => placeOf(metadata.namespace, metadata.name)),
      },
      {
        type: sliceType,
        keysOf: ({ metadata: { namespace, labels } }) =>
          labels?.[managedByLabel] === manager ? [placeOf(namespace, labels[serviceNameLabel] ?? '')] : [],
      },
    ],
    async pass(key) {
      const { namespace, name } = partsOf(key);
      const service = services.get(namespace, name) as Service | undefined;
      // What belongs to a Service that is gone goes with it.
      if (!service || service.metadata.deletionTimestamp || !service.spec.selector) return undefined;
      if (service.spec.type === 'ExternalName') return undefined;
      const selected = (pods.all() as ServingPod[]).filter(
        pod => pod.metadata.namespace === namespace && selects(service, pod),
      );
      const changes = decideSlices(service, wantedEndpoints(service, selected), slicesOf(service));
      for (const slice of changes.create) await reconciling.create(slice);
      for (const slice of changes.update) await reconciling.update(slice);
      for (const { metadata } of changes.remove) {
        const { uid } = metadata;
        await reconciling
          .delete({ ...sliceType, namespace, name: metadata.name }, { preconditions: { uid } })
          .catch(error => {
            if (!isReason(error, 'NotFound')) throw error;
          });
      }
      return undefined;
    },
  };
}
