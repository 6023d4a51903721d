import { existsSync } from 'node:fs';
import type { Server } from 'node:net';
import type { Clock } from '../../cluster/clock.ts';
import { type ForwarderFiles, replaceFile, reportFile } from './forwarder-files.ts';
import type { ForwarderReport } from './forwarder-report.ts';
import {
  type ForwarderProgram,
  type ForwardingTable,
  type Listener,
  tableVersion,
} from './forwarding-table.ts';
import type { HandedPort } from './handed-port.ts';
import { ListenerState } from './listener-state.ts';
import { TableReader } from './table-reader.ts';
import { watchFolder } from './watch-folder.ts';

/** Who a forwarder is. */
export interface Itself {
  readonly identity: string;
  /** Digest of the program. */
  readonly program: string;
}

/** Ports that another forwarder handed over, by address and port. */
export type HandedPorts = ReadonlyMap<string, HandedPort>;

/** What a report is behind at most: what somebody may wait for is written at once, counts are not. */
const reportMilliseconds = { soon: 5, counts: 1000 };
const tidyMilliseconds = 1000;

/**
 * Listens and forwards by the table of a folder, and reports. Ends nothing by itself.
 */
export class Forwarder {
  readonly #files: ForwarderFiles;
  readonly #itself: Itself;
  readonly #clock: Clock;
  readonly #reader: TableReader;
  readonly #listeners = new Map<string, ListenerState>();
  /** Out of the table, with clients that are still there. */
  readonly #leaving = new Set<ListenerState>();
  readonly #timers: NodeJS.Timeout[] = [];
  #stopWatching = () => {};
  #retired = false;
  #reportDue: NodeJS.Timeout | undefined;
  #written = '';
  #handOverProblem: string | undefined;
  /** Told after each table, also after one that is not understood. */
  onTable: () => void = () => {};
  /** Told when it is retired and its last connection has ended. */
  onEmpty: () => void = () => {};

  constructor(files: ForwarderFiles, itself: Itself, clock: Clock) {
    this.#files = files;
    this.#itself = itself;
    this.#clock = clock;
    this.#reader = new TableReader(files.table);
  }

  /** Begins to forward, on ports that were handed over where there are such. Returns when each port was tried once. */
  async start(handed: HandedPorts = new Map()): Promise<void> {
    // Before the table is read: who writes a later one and finds no report of ours may go by it at once.
    this.#report();
    this.#reader.look();
    const first = this.#reader.table?.listeners.map(listener => this.#open(listener, handed)) ?? [];
    const adopted = new Set(this.#reader.table?.listeners.map(portKey));
    for (const [key, port] of handed) if (!adopted.has(key)) port.drop();
    await Promise.all(first);
    this.#stopWatching = watchFolder(this.#files.folder, () => this.#look());
    this.#timers.push(setInterval(() => this.#tidy(), tidyMilliseconds));
    this.#timers.push(setInterval(() => this.#report(), reportMilliseconds.counts));
    this.#report();
    this.#look();
  }

  /** The servers that listen, with what they are for. */
  ports(): { readonly key: string; readonly server: Server }[] {
    return [...this.#listeners.values()].flatMap(({ port: { place, server } }) =>
      server ? [{ key: portKey(place), server }] : [],
    );
  }

  /** Another forwarder took over: takes no more connections and goes on with those that are there. */
  retire(): void {
    this.#retired = true;
    for (const listener of this.#listeners.values()) listener.retire();
    this.#reportSoon();
    this.#tidy();
  }

  /** Why the ports were not handed over. */
  set handOverProblem(problem: string | undefined) {
    this.#handOverProblem = problem;
    this.#reportSoon();
  }

  /** Who shall forward. */
  get program(): ForwarderProgram | undefined {
    return this.#reader.program;
  }

  stop(): void {
    this.#stopWatching();
    clearTimeout(this.#reportDue);
    for (const timer of this.#timers) clearInterval(timer);
    for (const listener of [...this.#listeners.values(), ...this.#leaving]) listener.end();
  }

  #look(): void {
    if (!this.#reader.look()) return;
    const { table } = this.#reader;
    if (table) this.#takeIn(table);
    this.#report();
    this.onTable();
  }

  #takeIn(table: ForwardingTable): void {
    const wanted = new Map(table.listeners.map(listener => [listenerKey(listener), listener]));
    for (const [key, state] of this.#listeners) {
      if (wanted.has(key)) continue;
      this.#listeners.delete(key);
      this.#leaving.add(state);
      state.giveUp();
    }
    for (const [key, listener] of wanted) {
      const known = this.#listeners.get(key);
      if (known) known.set(listener);
      else if (!this.#retired) void this.#open(listener, new Map());
    }
  }

  #open(listener: Listener, handed: HandedPorts): Promise<void> {
    const state = new ListenerState(listener, this.#clock, () => this.#reportSoon());
    this.#listeners.set(listenerKey(listener), state);
    return state.open(handed.get(portKey(listener)));
  }

  #tidy(): void {
    for (const listener of [...this.#listeners.values(), ...this.#leaving]) listener.tidy();
    for (const listener of this.#leaving) if (listener.isEmpty) this.#leaving.delete(listener);
    const isEmpty =
      [...this.#listeners.values()].every(listener => listener.isEmpty) && this.#leaving.size === 0;
    if (this.#retired && isEmpty) this.onEmpty();
  }

  #reportSoon(): void {
    this.#reportDue ??= setTimeout(() => this.#report(), reportMilliseconds.soon);
  }

  /** Writes the report where it says something new or was taken away. A full disk is no reason to stop forwarding. */
  #report(): void {
    clearTimeout(this.#reportDue);
    this.#reportDue = undefined;
    const text = JSON.stringify(this.report());
    const path = reportFile(this.#files, this.#itself.identity);
    if (text === this.#written && existsSync(path)) return;
    try {
      replaceFile(path, text);
      this.#written = text;
    } catch {
      this.#written = ''; // tried again with the next counts
    }
  }

  report(): ForwarderReport {
    const problems = [this.#reader.problem, this.#handOverProblem].filter(problem => problem !== undefined);
    return {
      version: tableVersion,
      ...this.#itself,
      generation: this.#reader.table?.generation ?? -1,
      retired: this.#retired,
      problems,
      listeners: [...this.#listeners.values(), ...this.#leaving].map(listener => listener.report()),
    };
  }
}

/** A listener whose place changed is another one. */
function listenerKey(listener: Listener): string {
  return `${listener.id} ${portKey(listener)}`;
}

/** One port of one address. */
export function portKey({ address, port }: { readonly address: string; readonly port: number }): string {
  return `${address} ${port}`;
}
