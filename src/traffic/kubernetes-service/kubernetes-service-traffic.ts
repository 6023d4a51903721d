import { besideLabel, managedBy, managedByLabel } from '../../api/labels.ts';
import type { Cluster, ClusterObject, ObjectRef } from '../../cluster/cluster.ts';
import { ClusterError, isReason } from '../../cluster/cluster-error.ts';
import { findObject } from '../../cluster/find-object.ts';
import {
  endpointSliceType,
  isSliceKey,
  isStaying,
  packageSelector,
  podSelector,
  podType,
  type RouteEndpoints,
  type RoutePod,
  type RouteService,
  routeSpec,
  serviceNameLabel,
  serviceType,
  sliceOf,
} from '../route-objects.ts';
import type { Preview, Route, SliceMeter, Traffic, TrafficReport, Weights } from '../traffic.ts';
import { isPreviewOf, previewName, previewOfLabel, previewService } from './preview-service.ts';
import { reportRoute, slicesOf } from './report-route.ts';
import { keptSlices, weightsAnnotation, weightsPatch, wouldServe } from './service-weights.ts';

const fieldManager = 'afloat';
/** Somebody else's write in between is answered by reading anew; nobody writes that often. */
const mostTries = 5;

export interface ServiceTrafficOptions {
  readonly cluster: Cluster;
  /** What the embedded forwarder counts; without it shares are all or nothing, and nobody knows what is in flight. */
  readonly meter?: SliceMeter;
}

/** Traffic by Kubernetes Services: the selector says who is served, and an annotation the shares where a forwarder heeds it. */
export function openServiceTraffic(options: ServiceTrafficOptions): Traffic {
  return new KubernetesServiceTraffic(options);
}

/** A route is a Service. Who is served is read from it each time. */
export class KubernetesServiceTraffic implements Traffic {
  readonly #cluster: Cluster;
  readonly #meter: SliceMeter | undefined;

  constructor({ cluster, meter }: ServiceTrafficOptions) {
    this.#cluster = cluster;
    this.#meter = meter;
  }

  async observe(route: Route): Promise<TrafficReport> {
    // Endpoints before Pods: a Pod that comes after them is seen, one that goes is told as a stranger.
    const [service, endpoints] = await Promise.all([this.#find(route), this.#endpoints(route)]);
    if (!service) return { exists: false, slices: {}, canWeigh: this.#meter !== undefined };
    const pods = await this.#pods(service);
    return reportRoute({ service, endpoints, pods, meter: this.#meter });
  }

  async wouldServe(route: Route, slice: string): Promise<boolean> {
    const service = await this.#find(route);
    if (!service) return false;
    const present = slicesOf((await this.#pods(service)).filter(isStaying));
    return wouldServe(service, slice, { present, canWeigh: this.#meter !== undefined });
  }

  async ensure(route: Route, object: ClusterObject): Promise<void> {
    const spec = routeSpec(object);
    await persist(async () => {
      const now = await this.#find(route);
      const kept = keptSlices(now);
      const selector = Object.fromEntries(Object.entries(spec.selector).filter(([key]) => !isSliceKey(key)));
      const { [weightsAnnotation]: _, ...annotations } = object.metadata.annotations ?? {};
      await this.#apply({
        ...object,
        metadata: {
          ...object.metadata,
          name: route.service,
          namespace: route.namespace,
          labels: { ...object.metadata.labels, [managedByLabel]: managedBy },
          annotations: { ...annotations, ...kept.annotations },
          // A share that was set since then would be set back.
          ...(now ? { resourceVersion: now.metadata.resourceVersion } : {}),
        },
        spec: { ...spec, selector: { ...selector, ...kept.selector } },
      });
    });
  }

  async setWeights(route: Route, weights: Weights): Promise<void> {
    await persist(async () => {
      const service = (await this.#cluster.get(refOf(route))) as RouteService;
      const pods = await this.#pods(service);
      const patch = weightsPatch(service, weights, {
        present: slicesOf(pods.filter(isStaying)),
        known: slicesOf(pods),
        canWeigh: this.#meter !== undefined,
        isBeside: (slice, other) =>
          pods
            .filter(pod => sliceOf(pod) === slice)
            .every(({ metadata }) => metadata.labels?.[besideLabel(other)] !== undefined),
      });
      if (patch) await this.#cluster.patch(refOf(route), { type: 'merge', value: patch }, { fieldManager });
    });
  }

  async preview(route: Route, slice: string): Promise<Preview | undefined> {
    const name = previewName(route, slice);
    const [service, known] = await Promise.all([this.#find(route), this.#find({ ...route, service: name })]);
    if (!service) return undefined;
    if (known && known.metadata.labels?.[previewOfLabel] !== route.service) throw notOurs(known);
    // It is asked for in every pass, and written only where it does not lead there.
    const leadsThere = known && isPreviewOf(known, service, slice);
    const made = leadsThere ? known : ((await this.#apply(previewService(service, slice))) as RouteService);
    const { clusterIP = '', ports = [] } = made.spec;
    if (clusterIP === '') return undefined;
    return {
      address: clusterIP,
      madeAt: Date.parse(made.metadata.creationTimestamp),
      ports: ports.map(({ name, port, protocol = 'TCP' }) => ({
        ...(name === undefined ? {} : { name }),
        port,
        ...(protocol === 'TCP' ? {} : { protocol }),
      })),
      ...(this.#meter
        ? metered(this.#meter.counts(route.namespace, name).get(slice))
        : await this.#announced({ ...route, service: name })),
    };
  }

  async removePreview(route: Route, slice: string): Promise<void> {
    await this.#remove({ ...route, service: previewName(route, slice) });
  }

  async remove(route: Route): Promise<void> {
    const previews = await this.#cluster.list(serviceType, {
      namespace: route.namespace,
      labelSelector: `${previewOfLabel}=${route.service},${managedByLabel}=${managedBy}`,
    });
    // The route last: who is interrupted finds it, and the previews with it.
    for (const { metadata } of previews.items) await this.#remove({ ...route, service: metadata.name });
    await this.#remove(route);
  }

  /** Without an endpoint nobody answers; with one, the nodes have heard of it, or will. */
  async #announced(route: Route): Promise<Pick<Preview, 'isServed'>> {
    const slices = (await this.#endpoints(route)).flatMap(({ endpoints }) => endpoints ?? []);
    return slices.some(({ conditions }) => conditions?.ready !== false) ? {} : { isServed: false };
  }

  async #endpoints({ namespace, service }: Route): Promise<readonly RouteEndpoints[]> {
    const labelSelector = `${serviceNameLabel}=${service}`;
    const { items } = await this.#cluster.list(endpointSliceType, { namespace, labelSelector });
    return items as readonly RouteEndpoints[];
  }

  async #find(route: Route): Promise<RouteService | undefined> {
    return (await findObject(this.#cluster, refOf(route))) as RouteService | undefined;
  }

  async #pods(service: RouteService): Promise<readonly RoutePod[]> {
    const labelSelector = podSelector(packageSelector(service));
    if (labelSelector === '') return [];
    const { namespace = '' } = service.metadata;
    const { items } = await this.#cluster.list(podType, { namespace, labelSelector });
    return items as readonly RoutePod[];
  }

  async #apply(value: ClusterObject): Promise<ClusterObject> {
    const { name = '', namespace = '' } = value.metadata;
    // By force: the selector belongs to whoever set the shares last, and that was us.
    return this.#cluster.patch(
      { ...serviceType, name, namespace },
      { type: 'apply', value, fieldManager, force: true },
    );
  }

  async #remove(route: Route): Promise<void> {
    const service = await this.#find(route);
    if (!service) return;
    if (service.metadata.labels?.[managedByLabel] !== managedBy) throw notOurs(service);
    try {
      await this.#cluster.delete(refOf(route), { preconditions: { uid: service.metadata.uid } });
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error;
    }
  }
}

/** What came by the address of a preview; a meter that knows nothing of it has seen nobody serve there. */
function metered(
  counted: { readonly requests: number; readonly isServed?: boolean } | undefined,
): Pick<Preview, 'requests' | 'isServed'> {
  return { requests: counted?.requests ?? 0, isServed: counted?.isServed ?? false };
}

function refOf({ namespace, service }: Route): ObjectRef {
  return { ...serviceType, namespace, name: service };
}

function notOurs({ metadata }: RouteService): ClusterError {
  const message = `Service ${metadata.namespace}/${metadata.name} was not made by Afloat: it has no label ${managedByLabel}=${managedBy}`;
  return new ClusterError('Forbidden', message);
}

/** Does it again, from what is there then, where somebody else wrote in between. */
async function persist(attempt: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (!isReason(error, 'Conflict') || tries >= mostTries) throw error;
    }
  }
}
