import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ContainerId, ContainerSpec, ContainerState } from '../containers.ts';
import { startErrorMessage } from '../shim/start-error.ts';
import { isoSeconds, type RunEnd, type RunRecord, readRun } from './run-folder.ts';

/** One run as the manager knows it: what its folder said when it was last looked at. */
export class TrackedRun {
  readonly id: ContainerId;
  readonly folder: string;
  /** Undefined as long as nobody was asked to start it. */
  state: ContainerState | undefined;
  record: RunRecord = {};
  #spec: ContainerSpec | undefined;
  /** The looks at its folder happen one after the other. */
  looking: Promise<void> = Promise.resolve();
  /** The look that has not begun yet: whoever asks meanwhile is served by it. */
  nextLook: Promise<void> | undefined;
  #wakers: (() => void)[] = [];

  constructor(id: ContainerId, folder: string) {
    this.id = { podUid: id.podUid, name: id.name, attempt: id.attempt };
    this.folder = folder;
  }

  /** What was asked for. The spec of a run that an earlier manager started is in its folder. */
  get spec(): ContainerSpec | undefined {
    if (this.#spec) return this.#spec;
    try {
      this.#spec = JSON.parse(readFileSync(join(this.folder, 'spec.json'), 'utf8')) as ContainerSpec;
    } catch {
      return undefined;
    }
    return this.#spec;
  }

  set spec(spec: ContainerSpec) {
    this.#spec = spec;
  }

  get hasEnded(): boolean {
    return this.state?.is === 'ended';
  }

  read(): RunRecord {
    this.record = readRun(this.folder);
    return this.record;
  }

  /** An end for which there is no room on the disk. */
  endUnwritten(end: Omit<RunEnd, 'finishedAt'>, milliseconds: number): void {
    this.record = { ...this.record, end: { ...end, finishedAt: isoSeconds(milliseconds) } };
  }

  /** What the record means, once everything of the run that is over has been ended. True when that is news. */
  settle(isStarting: boolean): boolean {
    const before = JSON.stringify(this.state);
    this.state = stateOf(this.record, isStarting, () => this.spec?.command[0] ?? '');
    const isNews = JSON.stringify(this.state) !== before;
    if (isNews) this.wake();
    return isNews;
  }

  /** Returns at the next news, or when the time is over. */
  async nextChange(sleep: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const stop = new AbortController();
    this.#wakers.push(() => stop.abort());
    await sleep(stop.signal);
  }

  wake(): void {
    for (const wake of this.#wakers.splice(0)) wake();
  }
}

function stateOf(record: RunRecord, isStarting: boolean, program: () => string): ContainerState | undefined {
  const { claim, first, startedAt, end } = record;
  if (end) {
    const { exitCode, finishedAt, problem, message } = end;
    return {
      is: 'ended',
      exitCode,
      startedAt: startedAt ?? finishedAt,
      finishedAt,
      ...(problem ? { problem } : {}),
      ...(message
        ? { message: problem === 'StartError' ? startErrorMessage(message, program()) : message }
        : {}),
    };
  }
  if (first && startedAt) return { is: 'running', pid: first.pid, startedAt };
  return claim || isStarting ? { is: 'starting' } : undefined;
}
