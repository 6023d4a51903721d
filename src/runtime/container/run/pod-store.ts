import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject } from '../../../base/json.ts';
import type { ContainerId, OpenPod, PodSandbox } from '../containers.ts';
import { removeRun, runFolderOf } from './run-folder.ts';

/** A Pod and its room, as written down. */
export interface PodRecord {
  readonly pod: PodSandbox;
  readonly room: OpenPod;
}

/** The folders of Pods under the state folder: `pods/<uid>`, with `pod.json` in each as soon as the Pod has addresses. */
export class PodStore {
  readonly #folder: string;

  constructor(stateFolder: string) {
    this.#folder = join(stateFolder, 'pods');
  }

  folderOf(podUid: string): string {
    return join(this.#folder, podUid);
  }

  /** Every Pod that has a folder, whether it was written to the end or not. */
  uids(): string[] {
    return foldersIn(this.#folder);
  }

  read(podUid: string): PodRecord | undefined {
    const folder = this.folderOf(podUid);
    try {
      const value: unknown = JSON.parse(readFileSync(join(folder, 'pod.json'), 'utf8'));
      if (!isObject(value) || !isObject(value['pod']) || !isObject(value['room'])) return undefined;
      const { pod, room } = value as unknown as PodRecord;
      return { pod, room: { ...room, folder } };
    } catch {
      return undefined;
    }
  }

  /** Writes a Pod down; a crash leaves the whole of it or nothing. */
  async write(
    pod: PodSandbox,
    addresses: { readonly ip: string; readonly hostIp: string },
  ): Promise<PodRecord> {
    const folder = this.folderOf(pod.uid);
    await mkdir(join(folder, 'containers'), { recursive: true, mode: 0o711 });
    writeFileSync(
      join(folder, 'etc-hosts'),
      `127.0.0.1\tlocalhost\n::1\tlocalhost\n${addresses.ip}\t${pod.hostname}\n`,
    );
    const room = { ip: addresses.ip, hostIp: addresses.hostIp, folder };
    writeFileSync(join(folder, 'pod.json.new'), `${JSON.stringify({ pod, room })}\n`);
    renameSync(join(folder, 'pod.json.new'), join(folder, 'pod.json'));
    return { pod, room };
  }

  /** The runs that have a folder, oldest first. */
  runsOf(podUid: string): ContainerId[] {
    const containers = join(this.folderOf(podUid), 'containers');
    return foldersIn(containers)
      .flatMap(name =>
        foldersIn(join(containers, name))
          .filter(attempt => /^\d+$/.test(attempt))
          .map(attempt => ({ podUid, name, attempt: Number(attempt) })),
      )
      .map(id => ({ id, born: statSync(runFolderOf(this.folderOf(podUid), id)).birthtimeMs }))
      .toSorted((a, b) => a.born - b.born)
      .map(({ id }) => id);
  }

  /** Makes all Pods such as are to be removed. */
  forgetAll(): void {
    for (const uid of this.uids()) rmSync(join(this.folderOf(uid), 'pod.json'), { force: true });
  }

  /** Takes everything of a Pod away; links in it are not followed. None of its processes runs. */
  async remove(podUid: string): Promise<void> {
    // First, so that a Pod of which only a part is left is known as one to be removed.
    await rm(join(this.folderOf(podUid), 'pod.json'), { force: true });
    for (const id of this.runsOf(podUid)) await removeRun(runFolderOf(this.folderOf(podUid), id));
    await rm(this.folderOf(podUid), { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
  }
}

/** Folders only: a file that somebody left there is not ours. */
function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap(entry =>
      entry.isDirectory() ? [entry.name] : [],
    );
  } catch {
    return [];
  }
}
