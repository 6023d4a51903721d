import { canonicalJson } from '../../../base/json.ts';
import type { Service, ServicePort, ServingPod, SliceEndpoint, SlicePort } from '../service-objects.ts';

/** Endpoints that serve on the same ports. */
export interface PortGroup {
  readonly ports: readonly SlicePort[];
  readonly endpoints: readonly SliceEndpoint[];
}

/**
 * Every endpoint of a Service, by the ports they serve on: with named ports these may differ from Pod to Pod. A Pod with none of the names
 * is an endpoint without ports.
 */
export function wantedEndpoints(service: Service, pods: readonly ServingPod[]): readonly PortGroup[] {
  const groups = new Map<string, { ports: readonly SlicePort[]; endpoints: SliceEndpoint[] }>();
  for (const pod of pods) {
    if (!mayBeEndpoint(pod)) continue;
    const ports = portsAt(service, pod);
    const key = canonicalJson(ports);
    const group = groups.get(key) ?? { ports, endpoints: [] };
    group.endpoints.push(endpointOf(service, pod));
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** It has an address and has not ended. */
function mayBeEndpoint({ status }: ServingPod): boolean {
  return Boolean(status?.podIP) && status?.phase !== 'Succeeded' && status?.phase !== 'Failed';
}

/** A Pod as an endpoint, as the endpoint slice controller of a cluster writes it. */
function endpointOf(service: Service, pod: ServingPod): SliceEndpoint {
  const { metadata, spec, status } = pod;
  const serving =
    status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
  const terminating = metadata.deletionTimestamp !== undefined;
  const ready = service.spec.publishNotReadyAddresses === true || (serving && !terminating);
  const hasHostname = spec.hostname && spec.subdomain === service.metadata.name;
  return {
    addresses: [status?.podIP ?? ''],
    conditions: { ready, serving, terminating },
    ...(hasHostname ? { hostname: spec.hostname } : {}),
    ...(spec.nodeName ? { nodeName: spec.nodeName } : {}),
    targetRef: { kind: 'Pod', namespace: metadata.namespace ?? '', name: metadata.name, uid: metadata.uid },
  };
}

function portsAt({ spec }: Service, pod: ServingPod): SlicePort[] {
  return (spec.ports ?? []).flatMap(port => {
    const { name = '', protocol = 'TCP', appProtocol } = port;
    const number = targetPort(port, pod);
    if (number === undefined) return [];
    return [{ name, port: number, protocol, ...(appProtocol ? { appProtocol } : {}) }];
  });
}

/** The port of a Pod that a port of a Service leads to; undefined where the Pod has none of that name. */
function targetPort(
  { port, targetPort = port, protocol = 'TCP' }: ServicePort,
  { spec }: ServingPod,
): number | undefined {
  if (typeof targetPort === 'number') return targetPort === 0 ? port : targetPort;
  // Init containers that stay serve too.
  const staying = (spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  const named = [...spec.containers, ...staying]
    .flatMap(({ ports = [] }) => ports)
    .find(one => one.name === targetPort && (one.protocol ?? 'TCP') === protocol);
  return named?.containerPort;
}
