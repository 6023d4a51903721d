import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Isolation } from '../../isolation/isolation.ts';
import type { OpenPod, PodSandbox } from '../containers.ts';
import type { PodRecord, PodStore } from './pod-store.ts';
import type { RunBook } from './run-book.ts';
import { runFolderOf, runKey } from './run-folder.ts';
import type { RunMinder } from './run-minder.ts';

interface RoomParts {
  readonly store: PodStore;
  readonly isolation: Isolation;
  readonly runs: RunBook;
  readonly minder: RunMinder;
  readonly eventsFolder: string;
}

/** The Pods that have room: folder, addresses, network. */
export class PodRooms {
  readonly #parts: RoomParts;
  readonly #open = new Map<string, PodRecord>();
  readonly #opening = new Map<string, Promise<OpenPod>>();

  constructor(parts: RoomParts) {
    this.#parts = parts;
  }

  get(podUid: string): PodRecord | undefined {
    return this.#open.get(podUid);
  }

  all(): PodRecord[] {
    return [...this.#open.values()];
  }

  /** Takes up the Pods that are written down, and ends those whose removal was begun. */
  async adopt(): Promise<void> {
    const { store, runs, minder } = this.#parts;
    const removed: string[] = [];
    for (const uid of store.uids()) {
      const record = store.read(uid);
      if (!record) {
        removed.push(uid);
        continue;
      }
      this.#open.set(uid, record);
      for (const id of store.runsOf(uid)) {
        const run = runs.track(id, runFolderOf(record.room.folder, id));
        // A run that nobody has taken on was never started; a shim that still might is seen when it does.
        if (!run.read().claim) runs.drop(id);
      }
    }
    await Promise.all(runs.all().map(run => minder.look(run)));
    for (const uid of removed) await this.close(uid);
  }

  /** Room for a Pod: made, or made whole. Calls for the same Pod get the same answer. */
  open(pod: PodSandbox): Promise<OpenPod> {
    const known = this.#opening.get(pod.uid);
    if (known) return known;
    const opening = this.#make(pod).finally(() => this.#opening.delete(pod.uid));
    this.#opening.set(pod.uid, opening);
    return opening;
  }

  async #make(pod: PodSandbox): Promise<OpenPod> {
    const { store, isolation } = this.#parts;
    let record = this.#open.get(pod.uid) ?? store.read(pod.uid);
    if (!record) {
      const taken = new Set(this.all().map(({ room }) => room.ip));
      const addresses = isolation.addressFor(pod, taken);
      // In the book before it is on disk, so that the address is not given to another one meanwhile.
      this.#open.set(pod.uid, { pod, room: { ...addresses, folder: store.folderOf(pod.uid) } });
      record = await store.write(pod, addresses);
    }
    this.#open.set(pod.uid, record);
    await isolation.openPod(record.pod, record.room, this.#aliveIn(pod.uid));
    return record.room;
  }

  /** Ends whatever runs of a Pod and takes its room away. */
  async close(podUid: string): Promise<void> {
    await this.#opening.get(podUid)?.catch(() => {});
    const { store, isolation, runs, minder, eventsFolder } = this.#parts;
    // From the folders: also what nobody has taken on yet must not start any more.
    const ids = store.runsOf(podUid);
    const folder = store.folderOf(podUid);
    await Promise.all(ids.map(id => minder.end(runs.track(id, runFolderOf(folder, id)))));
    await isolation.closePod(podUid);
    await store.remove(podUid);
    for (const { id } of runs.ofPod(podUid)) {
      runs.drop(id);
      await rm(join(eventsFolder, runKey(id)), { force: true });
    }
    this.#open.delete(podUid);
  }

  #aliveIn(podUid: string): number | undefined {
    const running = this.#parts.runs.ofPod(podUid).find(run => run.state?.is === 'running');
    return running?.state?.is === 'running' ? running.state.pid : undefined;
  }
}
