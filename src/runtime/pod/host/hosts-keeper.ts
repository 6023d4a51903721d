import type { StoredObject } from '../../../cluster/cluster.ts';
import { partsOf } from '../../../reconcile/informer.ts';
import type { Controller, Reconciling } from '../../../reconcile/reconcile.ts';
import type { OpenPod } from '../../container/containers.ts';
import type { Service } from '../env/service-links.ts';
import type { PodRooms } from '../pod-rooms.ts';
import type { Pod } from '../pod-shape.ts';
import { isTerminal } from '../pod-status-shape.ts';
import { hostsFile, hostsPath, writeInPlace } from './hosts-file.ts';
import { type EndpointSlice, serviceLabel, serviceLines } from './service-names.ts';

const podType = { apiVersion: 'v1', kind: 'Pod' } as const;
const serviceType = { apiVersion: 'v1', kind: 'Service' } as const;
const sliceType = { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice' } as const;

/** Under this index slices are kept by their Service. */
const byService = 'service';

/** All files are looked after in one pass: they nearly all change together. */
const everyFile = 'all';

/** Keeps the hosts files of all Pods as the Services are. */
export class HostsKeeper {
  readonly #reconciling: Reconciling;
  readonly #rooms: PodRooms;
  /** What was last written, by Pod. */
  readonly #written = new Map<string, string>();

  constructor(reconciling: Reconciling, rooms: PodRooms) {
    this.#reconciling = reconciling;
    this.#rooms = rooms;
    reconciling.informer(serviceType);
    reconciling.informer(sliceType, { [byService]: serviceOf });
  }

  /** Brings the file of one Pod up to date, or makes it. */
  async write(pod: Pod, room: OpenPod): Promise<void> {
    await this.#write(pod, room, this.#lines(pod.metadata.namespace ?? ''));
  }

  /** The Pod is gone. */
  drop(podUid: string): void {
    this.#written.delete(podUid);
  }

  readonly controller: Controller = {
    name: 'hosts files',
    watches: [
      { type: serviceType, keysOf: () => [everyFile] },
      { type: sliceType, keysOf: slice => (this.#isHeadless(slice) ? [everyFile] : []) },
    ],
    pass: async () => {
      const lines = new Map<string, readonly string[]>();
      for (const place of this.#rooms.places()) {
        const { namespace, name } = partsOf(place);
        const pod = this.#reconciling.informer(podType).get(namespace, name) as Pod | undefined;
        const room = pod && this.#rooms.room(pod.metadata.uid);
        if (!room || isTerminal(pod.status?.phase)) continue;
        const known = lines.get(namespace) ?? this.#lines(namespace);
        lines.set(namespace, known);
        await this.#write(pod, room, known);
      }
      return undefined;
    },
  };

  async #write(pod: Pod, room: OpenPod, lines: readonly string[]): Promise<void> {
    const text = hostsFile(pod, room.ip, lines);
    if (this.#written.get(pod.metadata.uid) === text) return;
    await writeInPlace(hostsPath(room.folder), text);
    this.#written.set(pod.metadata.uid, text);
  }

  #lines(namespace: string): readonly string[] {
    const services = this.#reconciling.informer(serviceType).all() as readonly Service[];
    const slices = this.#reconciling.informer(sliceType);
    return serviceLines(
      namespace,
      services,
      ({ metadata }) =>
        slices.by(byService, `${metadata.namespace ?? ''}/${metadata.name}`) as readonly EndpointSlice[],
    );
  }

  #isHeadless(slice: StoredObject): boolean {
    const name = slice.metadata.labels?.[serviceLabel] ?? '';
    const service = this.#reconciling.informer(serviceType).get(slice.metadata.namespace, name);
    return (service as Service | undefined)?.spec.clusterIP === 'None';
  }
}

function serviceOf({ metadata }: StoredObject): readonly string[] {
  const name = metadata.labels?.[serviceLabel];
  return name === undefined ? [] : [`${metadata.namespace ?? ''}/${name}`];
}
