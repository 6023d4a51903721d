import { placeOf } from '../../reconcile/informer.ts';
import type { ContainerId, ContainerSpec, Containers, OpenPod, PodSandbox } from '../container/containers.ts';

interface Room {
  readonly pod: PodSandbox;
  readonly room: OpenPod;
  /** Oldest first. */
  runs: readonly ContainerId[];
}

/** How many runs of a container are kept: the newest and the one before it. */
const keptRuns = 2;

/** Which Pods have room, where they are, and which runs they had: what `containers` knows, found by Pod. */
export class PodRooms {
  readonly #containers: Containers;
  readonly #rooms = new Map<string, Room>();
  /** Several Pods may have had the same name. */
  readonly #byPlace = new Map<string, Set<string>>();

  constructor(containers: Containers) {
    this.#containers = containers;
  }

  /** Takes up what an earlier process left. `containers` has adopted. */
  adopt(): void {
    for (const { pod, room, runs } of this.#containers.pods()) {
      this.#keep({ pod, room, runs: [...runs].sort((a, b) => a.attempt - b.attempt) });
    }
  }

  /** The Pods of this name that have room, by uid. */
  at(place: string): readonly string[] {
    return [...(this.#byPlace.get(place) ?? [])];
  }

  /** The names of all Pods with room. */
  places(): readonly string[] {
    return [...this.#byPlace.keys()];
  }

  placeOf(podUid: string): string | undefined {
    const room = this.#rooms.get(podUid);
    return room && placeOf(room.pod.namespace, room.pod.name);
  }

  room(podUid: string): OpenPod | undefined {
    return this.#rooms.get(podUid)?.room;
  }

  runs(podUid: string): readonly ContainerId[] {
    return this.#rooms.get(podUid)?.runs ?? [];
  }

  async open(pod: PodSandbox): Promise<OpenPod> {
    const known = this.#rooms.get(pod.uid);
    if (known) return known.room;
    const room = await this.#containers.openPod(pod);
    this.#keep({ pod, room, runs: [] });
    return room;
  }

  async close(podUid: string): Promise<void> {
    const place = this.placeOf(podUid);
    await this.#containers.closePod(podUid);
    this.#rooms.delete(podUid);
    if (place === undefined) return;
    const uids = this.#byPlace.get(place);
    uids?.delete(podUid);
    if (uids?.size === 0) this.#byPlace.delete(place);
  }

  /** Starts a run, and lets go of those that are too old to be asked for. */
  async start(spec: ContainerSpec): Promise<void> {
    const room = this.#rooms.get(spec.podUid);
    await this.#containers.start(spec);
    if (!room) return;
    const { podUid, name, attempt } = spec;
    if (!room.runs.some(run => run.name === name && run.attempt === attempt)) {
      room.runs = [...room.runs, { podUid, name, attempt }];
    }
    const old = room.runs.filter(run => run.name === name).slice(0, -keptRuns);
    for (const run of old) {
      await this.#containers.forget(run);
      room.runs = room.runs.filter(one => one !== run);
    }
  }

  #keep(room: Room): void {
    const place = placeOf(room.pod.namespace, room.pod.name);
    this.#rooms.set(room.pod.uid, room);
    this.#byPlace.set(place, (this.#byPlace.get(place) ?? new Set()).add(room.pod.uid));
  }
}
