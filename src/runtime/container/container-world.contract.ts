import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { lookForProcesses } from '../process/look-for-processes.ts';
import type { ContainerId, ContainerSpec, ContainerState, IsolationKind, OpenPod } from './containers.ts';
import { type OpenContainersOptions, openContainers } from './open-containers.ts';
import type { ProcessContainers } from './process-containers.ts';

/** Containers in a state folder of their own, and what a test does with them again and again. */
export class ContainerWorld {
  readonly stateFolder: string;
  readonly kind: IsolationKind;
  containers: ProcessContainers;
  readonly #options: Partial<OpenContainersOptions>;
  #names = 0;

  private constructor(
    stateFolder: string,
    containers: ProcessContainers,
    options: Partial<OpenContainersOptions>,
  ) {
    this.stateFolder = stateFolder;
    this.kind = containers.isolation;
    this.containers = containers;
    this.#options = options;
  }

  static async open(
    isolation: IsolationKind,
    options: Partial<OpenContainersOptions> = {},
  ): Promise<ContainerWorld> {
    const stateFolder = await realpath(await mkdtemp(join(tmpdir(), 'afloat-containers-')));
    const containers = await openContainers({ stateFolder, isolation, ...options });
    await containers.adopt();
    return new ContainerWorld(stateFolder, containers, options);
  }

  /** What a next manager does. The old one lets go first, or is left as if it had been killed. */
  async nextManager(): Promise<void> {
    await this.containers.close();
    this.containers = await openContainers({
      stateFolder: this.stateFolder,
      isolation: this.kind,
      ...this.#options,
    });
    await this.containers.adopt();
  }

  pod(uid: string, more: { readonly hostNetwork?: boolean } = {}): Promise<OpenPod> {
    return this.containers.openPod({
      uid,
      namespace: 'default',
      name: uid,
      hostname: uid,
      hostNetwork: false,
      ...more,
    });
  }

  spec(podUid: string, command: readonly string[], more: Partial<ContainerSpec> = {}): ContainerSpec {
    this.#names += 1;
    return { podUid, name: `c${this.#names}`, attempt: 0, command, env: {}, mounts: [], ...more };
  }

  /** Starts a shell script in a Pod that has room, and returns when it runs or has ended. */
  async start(podUid: string, script: string, more: Partial<ContainerSpec> = {}): Promise<ContainerSpec> {
    const spec = this.spec(podUid, ['/bin/sh', '-c', script], more);
    await this.containers.start(spec);
    await until(() => this.containers.state(spec)?.is !== 'starting');
    return spec;
  }

  /** Runs a script to its end and answers with that and with its log. */
  async run(
    podUid: string,
    script: string,
    more: Partial<ContainerSpec> = {},
  ): Promise<Ended & { log: string }> {
    return this.finish(await this.start(podUid, script, more));
  }

  async finish(id: ContainerId): Promise<Ended & { log: string }> {
    const end = await this.ended(id);
    return { ...end, log: await this.log(id) };
  }

  async ended(id: ContainerId): Promise<Ended> {
    let state: ContainerState | undefined;
    await until(() => {
      state = this.containers.state(id);
      return state?.is === 'ended';
    });
    expect(state).toMatchObject({ is: 'ended' });
    return state as Ended;
  }

  async log(id: ContainerId): Promise<string> {
    const parts: Buffer[] = [];
    for await (const part of this.containers.logs(id)) parts.push(part);
    return Buffer.concat(parts).toString('utf8');
  }

  /** Ends everything and looks that nothing is left. */
  async close(): Promise<void> {
    for (const { pod } of this.containers.pods()) await this.containers.closePod(pod.uid);
    await this.containers.takeDown();
    await rm(this.stateFolder, { recursive: true, force: true });
  }
}

export type Ended = Extract<ContainerState, { is: 'ended' }>;

/** Waits for a fact; a test that waits in vain fails by its time limit. */
export async function until(fact: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await fact())) await wait(5);
}

/** Whether a process with that very entry in its environment runs. */
export function runsWith(entry: string): boolean {
  return lookForProcesses([{ mark: entry }]).members.flat().length > 0;
}
