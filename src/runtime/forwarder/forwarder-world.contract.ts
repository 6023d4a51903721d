import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { freePorts } from '../../../scripts/kubernetes/process/free-ports.ts';
import { waitUntil } from '../../../scripts/kubernetes/process/wait-until.ts';
import { systemClock } from '../../cluster/clock.ts';
import { Forwarder } from './forwarder.ts';
import { forwarderFiles, readReports, replaceFile } from './forwarder-files.ts';
import { ownIdentity } from './forwarder-identity.ts';
import type { ForwarderReport, ListenerReport } from './forwarder-report.ts';
import { type ForwarderProgram, type Listener, tableVersion } from './forwarding-table.ts';
import { nodeFlags } from './node-flags.ts';

/** The forwarder as one file, as it is shipped. */
export async function bundleForwarder(outfile: string, mark = ''): Promise<void> {
  await build({
    entryPoints: [join(import.meta.dirname, 'run-forwarder.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    banner: { js: `// ${mark}` },
    logLevel: 'error',
  });
}

/** A state folder with a forwarder, in this process or as processes of its own, and whoever writes its table. */
export class ForwarderWorld {
  readonly folder = mkdtempSync(join(tmpdir(), 'afloat-forwarder-'));
  readonly files = forwarderFiles(this.folder);
  readonly #processes: ChildProcess[] = [];
  #here: Forwarder | undefined;
  #generation = 0;
  program: ForwarderProgram = { command: ['none'], digest: 'digest' };

  /** Ports below those that the kernel gives out, so that nobody else gets them meanwhile. */
  static async port(): Promise<number> {
    const [port = 0] = await freePorts(1);
    return port;
  }

  write(listeners: readonly Listener[]): number {
    this.#generation += 1;
    const { program } = this;
    const table = { version: tableVersion, generation: this.#generation, program, listeners };
    replaceFile(this.files.table, JSON.stringify(table));
    return this.#generation;
  }

  /** Forwards in this process. */
  async startHere(): Promise<Forwarder> {
    const itself = { identity: ownIdentity(), program: this.program.digest };
    this.#here = new Forwarder(this.files, itself, systemClock);
    await this.#here.start();
    return this.#here;
  }

  /** Forwards in a process of its own. */
  async startProcess(file: string, digest = this.program.digest): Promise<ChildProcess> {
    const child = spawn(process.execPath, [...nodeFlags, file, this.folder, digest], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    this.#processes.push(child);
    await once(child, 'spawn');
    return child;
  }

  /** Writes a table and waits until every forwarder goes by it. */
  async apply(listeners: readonly Listener[]): Promise<void> {
    const generation = this.write(listeners);
    await this.until('the table is taken in', reports => {
      return reports.length > 0 && reports.every(report => report.generation >= generation);
    });
  }

  async until(
    what: string,
    isSo: (reports: readonly ForwarderReport[]) => boolean,
  ): Promise<readonly ForwarderReport[]> {
    return waitUntil(what, 20, async () => {
      const reports = readReports(this.files);
      return isSo(reports) ? reports : undefined;
    });
  }

  /** What a listener says now, or as soon as it says that. */
  async listener(
    id: string,
    isSo: (report: ListenerReport) => boolean = () => true,
  ): Promise<ListenerReport> {
    const find = (reports: readonly ForwarderReport[]) =>
      reports.flatMap(({ listeners }) => listeners).find(one => one.id === id);
    const reports = await this.until(`listener ${id}`, reports => {
      const found = find(reports);
      return found !== undefined && isSo(found);
    });
    return find(reports) as ListenerReport;
  }

  async close(): Promise<void> {
    this.#here?.stop();
    for (const child of this.#processes)
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    for (const { identity } of readReports(this.files)) {
      const pid = Number.parseInt(identity, 10);
      if (pid !== process.pid) process.kill(pid, 'SIGKILL');
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}
