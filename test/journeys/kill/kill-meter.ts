import { sliceLabel } from '../../../src/api/labels.ts';
import type { Cluster, StoredObject } from '../../../src/cluster/cluster.ts';
import { readWeights } from '../../../src/traffic/kubernetes-service/service-weights.ts';
import {
  endpointSliceType,
  podType,
  type RouteEndpoints,
  type RoutePod,
  type RouteService,
  serviceNameLabel,
  serviceType,
  sliceOf,
} from '../../../src/traffic/route-objects.ts';
import type { SliceMeter } from '../../../src/traffic/traffic.ts';

interface Counted {
  readonly requests: number;
  readonly errors: number;
  readonly inFlight: number;
  readonly isOut: boolean;
  readonly isServed: boolean;
}

/** Who of a Service takes requests now. */
export interface Serving {
  readonly service: RouteService;
  /** Shares above zero of slices that have an address which takes requests. */
  readonly slices: ReadonlyMap<string, number>;
}

/**
 * Stands in for the forwarder: counts what clients and tests send, from the objects alone. Clients ask whoever has a share, at every
 * look; a test asks the address it was given, once, and reaches whoever answers there. A slice that loses its share has one request in
 * flight until the next look.
 */
export class KillMeter implements SliceMeter {
  readonly #counts = new Map<string, Map<string, Counted>>();
  #asked: string[] = [];
  #busy = new Set<string>();

  counts(namespace: string, service: string): ReadonlyMap<string, Counted> {
    return this.#counts.get(`${namespace}/${service}`) ?? new Map();
  }

  podIsOut(uid: string): boolean {
    return !this.#busy.has(uid);
  }

  /** A test sends its requests there. */
  ask(address: string): void {
    this.#asked.push(address);
  }

  /** One round of clients. Returns who served them. */
  async look(cluster: Cluster): Promise<readonly Serving[]> {
    const services = (await cluster.list(serviceType)).items as readonly RouteService[];
    const pods = (await cluster.list(podType)).items as readonly RoutePod[];
    const endpoints = (await cluster.list(endpointSliceType)).items as readonly RouteEndpoints[];
    const asked = this.#asked;
    this.#asked = [];
    this.#busy = new Set();
    return services.map(service => {
      const open = openSlices(service, endpoints, pods);
      const weights = readWeights(service, [...open.keys()]);
      const slices = new Map(
        [...open.keys()].flatMap(slice => (weights[slice] ? [[slice, weights[slice]] as const] : [])),
      );
      const hits = asked.filter(address => address === service.spec.clusterIP).length;
      this.#count(service, { slices, hits });
      for (const slice of slices.keys()) for (const uid of open.get(slice) ?? []) this.#busy.add(uid);
      return { service, slices };
    });
  }

  #count(
    { metadata }: StoredObject,
    { slices, hits }: { slices: ReadonlyMap<string, number>; hits: number },
  ): void {
    const place = `${metadata.namespace}/${metadata.name}`;
    const before = this.#counts.get(place) ?? new Map<string, Counted>();
    const isRoute = metadata.name === 'book';
    const names = new Set([...before.keys(), ...slices.keys()]);
    const after = [...names].map(slice => {
      const { requests = 0, isOut = true, inFlight = 0 } = before.get(slice) ?? {};
      const serves = slices.has(slice);
      const came = serves ? (isRoute ? 10 : hits) : 0;
      const rests = !serves && !isOut && inFlight === 0 && isRoute;
      return [
        slice,
        {
          requests: requests + came,
          errors: 0,
          inFlight: rests ? 1 : 0,
          isOut: !serves && !rests,
          isServed: serves,
        },
      ] as const;
    });
    this.#counts.set(place, new Map(after));
  }
}

/** Pods that take requests of a Service, by slice. */
function openSlices(
  service: RouteService,
  endpoints: readonly RouteEndpoints[],
  pods: readonly RoutePod[],
): Map<string, string[]> {
  const { name, namespace } = service.metadata;
  const own = endpoints.filter(
    ({ metadata }) => metadata.namespace === namespace && metadata.labels?.[serviceNameLabel] === name,
  );
  const open = new Map<string, string[]>();
  for (const { conditions = {}, targetRef } of own.flatMap(one => one.endpoints ?? [])) {
    const pod = pods.find(({ metadata }) => metadata.uid === targetRef?.uid);
    if (!pod || conditions.ready === false) continue;
    const slice = pod.metadata.labels?.[sliceLabel] === undefined ? '' : sliceOf(pod);
    open.set(slice, [...(open.get(slice) ?? []), pod.metadata.uid]);
  }
  return open;
}
