import type { Clock } from '../../../cluster/clock.ts';
import type { StoredObject } from '../../../cluster/cluster.ts';
import { placeOf } from '../../../reconcile/informer.ts';
import type { Reconciling } from '../../../reconcile/reconcile.ts';
import type { Containers, OpenPod } from '../../container/containers.ts';
import type { Images } from '../../image/images.ts';
import type { BackOffRule } from '../decide/restart.ts';
import type { Endings } from '../end/endings.ts';
import type { TrafficGate } from '../end/traffic-gate.ts';
import type { EnvSources } from '../env/container-env.ts';
import type { Capacity } from '../env/downward-field.ts';
import type { Service } from '../env/service-links.ts';
import type { HostsKeeper } from '../host/hosts-keeper.ts';
import type { PodEvents } from '../pod-events.ts';
import type { PodRooms } from '../pod-rooms.ts';
import type { Pod } from '../pod-shape.ts';
import type { Probes } from '../probe/probes.ts';
import type { KeptVolumes } from '../volume/pod-volumes.ts';
import type { Beginnings } from './beginnings.ts';
import type { LastWords } from './last-words.ts';

export const podType = { apiVersion: 'v1', kind: 'Pod' } as const;
export const configMapType = { apiVersion: 'v1', kind: 'ConfigMap' } as const;
export const secretType = { apiVersion: 'v1', kind: 'Secret' } as const;
export const serviceType = { apiVersion: 'v1', kind: 'Service' } as const;

/** Under this index objects are kept by namespace. */
export const byNamespace = 'namespace';

export function namespaceOf({ metadata }: StoredObject): readonly string[] {
  return [metadata.namespace ?? ''];
}

/** Everything that the passes over Pods work with. */
export interface PodParts {
  readonly reconciling: Reconciling;
  readonly containers: Containers;
  readonly rooms: PodRooms;
  readonly images: Images;
  readonly claims: KeptVolumes;
  readonly probes: Probes;
  readonly endings: Endings;
  readonly events: PodEvents;
  readonly hosts: HostsKeeper;
  readonly lastWords: LastWords;
  readonly beginnings: Beginnings;
  readonly gate: TrafficGate;
  readonly clock: Clock;
  readonly backOff: BackOffRule;
  readonly capacity: Capacity;
  readonly node: string;
  readonly signal: AbortSignal;
  /** A pass over this Pod soon. */
  readonly wake: (pod: Pod) => void;
}

/** What variables and volumes of a Pod are made of. */
export function sourcesFor(pod: Pod, room: OpenPod, { reconciling, capacity }: PodParts): EnvSources {
  const namespace = pod.metadata.namespace ?? '';
  const services = reconciling.informer(serviceType);
  const api = namespace === 'default' ? undefined : services.get('default', 'kubernetes');
  const known = [...services.by(byNamespace, namespace), ...(api ? [api] : [])];
  return {
    pod,
    where: { podIp: room.ip, hostIp: room.hostIp },
    capacity,
    services: known as unknown as readonly Service[],
    configMap: name => reconciling.informer(configMapType).get(namespace, name),
    secret: name => reconciling.informer(secretType).get(namespace, name),
  };
}

/** The key of a Pod's passes. */
export function keyOf({ metadata }: StoredObject): string {
  return placeOf(metadata.namespace, metadata.name);
}
