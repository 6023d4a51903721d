import { join } from 'node:path';
import type { Clock } from '../../cluster/clock.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import type { Reconciling } from '../../reconcile/reconcile.ts';
import type { Containers, ExecResult } from '../container/containers.ts';
import { ConfigMapImages } from '../image/config-map-images.ts';
import { type BackOffRule, kubeletBackOff } from './decide/restart.ts';
import { Endings } from './end/endings.ts';
import { noTraffic, type TrafficGate } from './end/traffic-gate.ts';
import { HostsKeeper } from './host/hosts-keeper.ts';
import { machineAddress } from './node/machine-address.ts';
import { capacityOfMachine, keepNode, nodeType } from './node/node-object.ts';
import { schedulerController } from './node/scheduler.ts';
import { Beginnings } from './pass/beginnings.ts';
import { LastWords } from './pass/last-words.ts';
import {
  byNamespace,
  configMapType,
  keyOf,
  namespaceOf,
  type PodParts,
  podType,
  secretType,
  serviceType,
} from './pass/pod-parts.ts';
import { byReference, podController, referencesOf } from './pass/pod-worker.ts';
import { PodEvents } from './pod-events.ts';
import { type ContainerOf, type KnownPods, type PodLogOptions, podExec, podLogs } from './pod-logs.ts';
import { PodRooms } from './pod-rooms.ts';
import type { Pod } from './pod-shape.ts';
import { Probes } from './probe/probes.ts';
import { VolumeClaims } from './volume/volume-claims.ts';

export interface PodsOptions {
  readonly cluster: Cluster;
  readonly reconciling: Reconciling;
  /** Has adopted what was left. */
  readonly containers: Containers;
  /** Where volumes are kept that outlive Pods. */
  readonly folder: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onTrouble: (doing: string, error: unknown) => void;
  readonly gate?: TrafficGate;
  readonly backOff?: BackOffRule;
}

/** The part of the runtime that makes containers of Pods: node, scheduler, volumes, hosts files, and the passes over Pods. */
export class Pods {
  readonly #options: PodsOptions;
  readonly #rooms: PodRooms;
  readonly #images: ConfigMapImages;
  readonly #claims: VolumeClaims;
  readonly #hosts: HostsKeeper;
  #events: PodEvents | undefined;

  /** Asks for its informers: to be made before the reconciling starts. */
  constructor(options: PodsOptions) {
    const { reconciling, containers, folder, onTrouble } = options;
    this.#options = options;
    this.#rooms = new PodRooms(containers);
    reconciling.informer(podType, { [byReference]: referencesOf, [byNamespace]: namespaceOf });
    reconciling.informer(secretType);
    reconciling.informer(serviceType, { [byNamespace]: namespaceOf });
    reconciling.informer(nodeType);
    this.#images = new ConfigMapImages(reconciling.informer(configMapType), onTrouble);
    this.#claims = new VolumeClaims(reconciling, join(folder, 'volumes'));
    this.#hosts = new HostsKeeper(reconciling, this.#rooms);
  }

  /** Begins to work. The reconciling has started. */
  async start(): Promise<void> {
    const { cluster, reconciling, containers, clock, signal, onTrouble } = this.#options;
    this.#rooms.adopt();
    const hostIp = containers.pods()[0]?.room.hostIp ?? machineAddress();
    const node = await keepNode(cluster, hostIp, clock);
    reconciling.informer(nodeType).saw(node);
    const { name } = node.metadata;
    const events = new PodEvents({ cluster, clock, node: name, onTrouble });
    this.#events = events;
    const probes = new Probes();
    signal.addEventListener('abort', () => probes.close(), { once: true });
    const parts: PodParts = {
      reconciling,
      containers,
      rooms: this.#rooms,
      images: this.#images,
      claims: this.#claims,
      hosts: this.#hosts,
      probes,
      endings: new Endings({ containers, clock, signal, onTrouble }),
      events,
      lastWords: new LastWords(containers),
      beginnings: new Beginnings(clock),
      gate: this.#options.gate ?? noTraffic,
      backOff: this.#options.backOff ?? kubeletBackOff,
      capacity: capacityOfMachine(),
      clock,
      node: name,
      signal,
      wake: pod => queue.add(keyOf(pod)),
    };
    reconciling.run(this.#claims.controller);
    reconciling.run(this.#hosts.controller);
    const queue = reconciling.run(podController(parts));
    reconciling.run(schedulerController({ reconciling, node: name, events, clock }));
    this.#wakeOnChange(parts, key => queue.add(key));
  }

  /** After the signal, when no pass goes on: what was said is written. */
  async ended(): Promise<void> {
    await this.#events?.settled();
  }

  logs(of: ContainerOf, options: PodLogOptions = {}): AsyncIterable<Buffer> {
    return podLogs(of, options, this.#known);
  }

  exec(of: ContainerOf, command: readonly string[], timeoutSeconds: number): Promise<ExecResult> {
    return podExec(of, command, timeoutSeconds, this.#known);
  }

  get #known(): KnownPods {
    const { reconciling, containers } = this.#options;
    return { reconciling, containers, rooms: this.#rooms };
  }

  /** What no watch of objects tells. */
  #wakeOnChange({ containers, gate, reconciling }: PodParts, add: (key: string) => void): void {
    const byUid = (podUid: string) => {
      const place = this.#rooms.placeOf(podUid);
      if (place !== undefined) add(place);
    };
    containers.onChange(byUid);
    gate.onChange(byUid);
    this.#images.onChange(namespace => {
      const pods = reconciling.informer(podType).by(byNamespace, namespace) as readonly Pod[];
      for (const pod of pods) if (pod.status?.phase === 'Pending' || !pod.status) add(keyOf(pod));
    });
    // Also those whose objects are gone: what runs of them is to end.
    for (const place of this.#rooms.places()) add(place);
  }
}
