import { quantity } from '../decide/quantity.ts';
import {
  type Container,
  containersOf,
  type FieldRef,
  type Pod,
  type ResourceFieldRef,
} from '../pod-shape.ts';

/** Where a Pod is, for those who ask about themselves. */
export interface Whereabouts {
  readonly podIp: string;
  readonly hostIp: string;
}

/** What this machine has, for those who set no limit. */
export interface Capacity {
  readonly cpus: number;
  readonly memoryBytes: number;
}

/** The value of a field of the Pod; undefined where there is no such field to be told. */
export function fieldValue({ fieldPath }: FieldRef, pod: Pod, where: Whereabouts): string | undefined {
  const { metadata, spec } = pod;
  const entry = /^metadata\.(labels|annotations)\['(.+)'\]$/.exec(fieldPath);
  if (entry) return metadata[entry[1] as 'labels' | 'annotations']?.[entry[2] ?? ''] ?? '';
  switch (fieldPath) {
    case 'metadata.name':
      return metadata.name;
    case 'metadata.namespace':
      return metadata.namespace ?? '';
    case 'metadata.uid':
      return metadata.uid;
    case 'metadata.labels':
      return linesOf(metadata.labels);
    case 'metadata.annotations':
      return linesOf(metadata.annotations);
    case 'spec.nodeName':
      return spec.nodeName ?? '';
    case 'spec.serviceAccountName':
      return spec.serviceAccountName ?? 'default';
    case 'status.podIP':
    case 'status.podIPs':
      return where.podIp;
    case 'status.hostIP':
    case 'status.hostIPs':
      return where.hostIp;
    default:
      return undefined;
  }
}

/** A request or limit in units of its divisor, rounded up; what is not limited is limited by the machine. */
export function resourceValue(ref: ResourceFieldRef, own: Container, pod: Pod, capacity: Capacity): string {
  const container = containersOf(pod.spec).find(({ name }) => name === ref.containerName) ?? own;
  const [side = '', name = ''] = ref.resource.split(/\.(.*)/);
  const { limits, requests } = container.resources ?? {};
  const asked = side === 'requests' ? (requests?.[name] ?? limits?.[name]) : limits?.[name];
  const whole = { cpu: capacity.cpus, memory: capacity.memoryBytes }[name] ?? 0;
  const value = asked === undefined ? (side === 'limits' ? whole : 0) : (quantity(asked) ?? 0);
  const divisor = quantity(ref.divisor ?? 1) || 1;
  // Thousandths, so that 0.1 + 0.2 does not round up to one more.
  return String(Math.ceil(Math.round((value / divisor) * 1000) / 1000));
}

/** As a file of the downward API lists a map. */
function linesOf(map: Readonly<Record<string, string>> = {}): string {
  const quoted = Object.entries(map).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  return quoted.sort().join('\n');
}
