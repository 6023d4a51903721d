import { compareText } from '../../../base/json.ts';
import type { Endpoint, EndpointStanding, Listener } from '../../forwarder/forwarding-table.ts';
import {
  type EndpointSlice,
  isHeadless,
  type Service,
  type ServicePort,
  type ServingPod,
  type SliceEndpoint,
} from '../service-objects.ts';
import { parseWeights, sliceLabel, weightsAnnotation } from './weights.ts';

/** What the table is made of. */
export interface TableSources {
  readonly services: readonly Service[];
  slicesOf(service: Service): readonly EndpointSlice[];
  pod(namespace: string, name: string): ServingPod | undefined;
  /** Whether the address in the spec is the Service's to have. */
  hasAddress(service: Service): boolean;
}

/** What keeps a Service from being served as it says. */
export interface ServiceProblem {
  readonly service: Service;
  readonly reason: string;
  readonly message: string;
}

const affinitySecondsByDefault = 10_800; // as an API server fills it in
const loopback = '127.0.0.1';

/** Which application protocols have requests that are told apart, and which must not be looked into. */
const protocols: Readonly<Record<string, Listener['protocol']>> = {
  http: 'http',
  'kubernetes.io/ws': 'http',
  tcp: 'tcp',
  https: 'tcp',
  tls: 'tcp',
  'kubernetes.io/h2c': 'tcp',
  'kubernetes.io/wss': 'tcp',
};

/** The listeners of all Services, in an order that does not change by itself, and what is wrong with some. */
export function makeListeners(sources: TableSources): {
  readonly listeners: readonly Listener[];
  readonly problems: readonly ServiceProblem[];
} {
  const problems: ServiceProblem[] = [];
  const listeners = sources.services.flatMap(service => {
    const tell = (reason: string, message: string) => problems.push({ service, reason, message });
    const { type, clusterIP } = service.spec;
    if (type === 'ExternalName' || isHeadless(service) || !clusterIP) return [];
    if (!sources.hasAddress(service)) {
      tell('ClusterIPNotAllocated', `address ${clusterIP} is out of range or belongs to another Service`);
      return [];
    }
    const weights = weightsOf(service, tell);
    return (service.spec.ports ?? []).flatMap(port => {
      if ((port.protocol ?? 'TCP') === 'TCP')
        return listenersOf(service, port, endpointsAt(service, port, weights, sources));
      tell('ProtocolNotForwarded', `port ${port.port} is ${port.protocol}: only TCP is forwarded`);
      return [];
    });
  });
  return { listeners: listeners.sort((a, b) => compareText(a.id, b.id)), problems };
}

function weightsOf(
  service: Service,
  tell: (reason: string, message: string) => void,
): ReadonlyMap<string, number> | undefined {
  const text = service.metadata.annotations?.[weightsAnnotation];
  const weights = text === undefined ? undefined : parseWeights(text);
  if (typeof weights !== 'string') return weights;
  tell('WeightsIgnored', `annotation ${weightsAnnotation}: ${weights}`);
  return undefined;
}

function listenersOf(service: Service, port: ServicePort, endpoints: readonly Endpoint[]): Listener[] {
  const { metadata, spec } = service;
  const { sessionAffinity, sessionAffinityConfig, clusterIP = '' } = spec;
  const id = `${metadata.namespace}/${metadata.name}:${port.port}`;
  const seconds = sessionAffinityConfig?.clientIP?.timeoutSeconds ?? affinitySecondsByDefault;
  const rest = {
    protocol: protocols[port.appProtocol?.toLowerCase() ?? ''] ?? 'auto',
    ...(sessionAffinity === 'ClientIP' ? { affinitySeconds: seconds } : {}),
    endpoints,
  };
  const own = { id, address: clusterIP, port: port.port, ...rest };
  if (!port.nodePort) return [own];
  return [own, { id: `${id} on ${port.nodePort}`, address: loopback, port: port.nodePort, ...rest }];
}

function endpointsAt(
  service: Service,
  port: ServicePort,
  weights: ReadonlyMap<string, number> | undefined,
  sources: TableSources,
): Endpoint[] {
  const found = sources.slicesOf(service).flatMap(slice => {
    const target = slice.ports?.find(
      one => (one.name ?? '') === (port.name ?? '') && (one.protocol ?? 'TCP') === 'TCP',
    );
    if (target?.port === undefined) return [];
    const { port: number } = target;
    return (slice.endpoints ?? []).map(endpoint =>
      endpointOf(endpoint, number, weights, podOf(endpoint, service, sources)),
    );
  });
  // While an endpoint moves from one slice to another it is in both.
  const each = new Map(
    found.map(endpoint => [`${endpoint.id} ${endpoint.address} ${endpoint.port}`, endpoint]),
  );
  return [...each.values()].sort((a, b) => compareText(a.id, b.id));
}

/** The Pod that an endpoint is; `gone` where it was one. */
type PodBehind = ServingPod | 'gone' | undefined;

function podOf({ targetRef }: SliceEndpoint, service: Service, sources: TableSources): PodBehind {
  if (targetRef?.kind !== 'Pod') return undefined;
  const pod = sources.pod(service.metadata.namespace ?? '', targetRef.name ?? '');
  return pod && pod.metadata.uid === targetRef.uid ? pod : 'gone';
}

function endpointOf(
  endpoint: SliceEndpoint,
  port: number,
  weights: ReadonlyMap<string, number> | undefined,
  pod: PodBehind,
): Endpoint {
  const [address = ''] = endpoint.addresses;
  const slice = (typeof pod === 'object' ? pod.metadata.labels?.[sliceLabel] : undefined) ?? '';
  const weight = weights && (weights.get(slice) ?? 0);
  return {
    id: (pod && endpoint.targetRef?.uid) ?? address,
    address,
    port,
    slice,
    ...(weight === undefined ? {} : { weight }),
    // A slice without weight is drained: also clients that were to come back to it go elsewhere, and its end is told at once.
    state: weight === 0 ? 'draining' : standingOf(endpoint, pod),
  };
}

/**
 * A Pod that is to end gets no more as soon as its object says so, whatever its slice still says: whoever ends it looks at the
 * same object, and counts on that.
 */
function standingOf({ conditions = {} }: SliceEndpoint, pod: PodBehind): EndpointStanding {
  const { ready = true, serving = ready, terminating = false } = conditions;
  if (pod === 'gone') return 'draining';
  if (terminating || pod?.metadata.deletionTimestamp) return serving ? 'leaving' : 'draining';
  return ready ? 'serving' : 'draining';
}
