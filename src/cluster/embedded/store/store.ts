import type { CodedError } from '../../../base/coded-error.ts';
import { ClusterError } from '../../cluster-error.ts';
import type { HistoryEvent } from './history.ts';
import type { Migration } from './migrations.ts';
import { ObjectTable } from './object-table.ts';
import { isFull, whyNotOpened } from './open-database.ts';
import type { RevisionRow } from './revision.ts';
import { RevisionFile } from './revision-file.ts';
import { storeFull, storeUnwritable } from './store-errors.ts';
import { type StoreOptions, type StoreSettings, settingsOf } from './store-options.ts';
import { type Work, WriteQueue } from './write-queue.ts';

/** What one commit wrote, in order. */
export type Commit = readonly HistoryEvent[];

/**
 * Objects of any kind in a folder: durable, versioned, with a history. Knows nothing of what an object means.
 */
export class Store {
  readonly table = new ObjectTable();
  readonly settings: StoreSettings;
  readonly #file: RevisionFile;
  readonly #queue: WriteQueue;
  readonly #listeners = new Set<(commit: Commit) => void>();
  #compacting: NodeJS.Immediate | undefined;

  private constructor(file: RevisionFile, settings: StoreSettings) {
    this.#file = file;
    this.settings = settings;
    this.#queue = new WriteQueue(this.table, {
      append: rows => this.#append(rows),
      now: () => settings.clock.wall(),
      afterCommit: events => this.#afterCommit(events),
    });
  }

  /** Opens a folder, or makes it. Throws a `CodedError`: `StoreHeld`, `StoreNewer`, `StoreDamaged`, `StoreFull`, `StoreUnusable`. */
  static open(folder: string, options: StoreOptions = {}, steps?: readonly Migration[]): Store {
    const settings = settingsOf(options);
    const { maxPages } = settings;
    const file = RevisionFile.open(folder, {
      ...(maxPages === undefined ? {} : { maxPages }),
      ...(steps === undefined ? {} : { steps }),
    });
    try {
      const store = new Store(file, settings);
      const forgotten = store.table.load(file.revisions(), file.compacted());
      if (forgotten.length > 0) store.#tryToCompact(forgotten);
      return store;
    } catch (error) {
      file.close();
      throw whyNotOpened(error, folder);
    }
  }

  write<T>(work: Work<T>): Promise<T> {
    return this.#queue.write(work);
  }

  /** Calls `listener` after every commit; the answer takes it back. */
  onCommit(listener: (commit: Commit) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Throws away history that is over its limits; with `all`, all of it. */
  compact(all = false): void {
    const { table, settings } = this;
    const oldest = settings.clock.wall() - settings.historySeconds * 1000;
    const forgotten = table.forget(
      event =>
        all ||
        table.eventCount > settings.historyEvents ||
        table.eventBytes > settings.historyBytes ||
        event.time < oldest,
    );
    if (forgotten.length > 0) this.#tryToCompact(forgotten);
  }

  /** Carries out what was asked for until now, and lets the folder go. */
  async close(): Promise<void> {
    if (this.#compacting) clearImmediate(this.#compacting);
    await this.#queue.close();
    this.#file.close();
  }

  #tryToCompact(forgotten: readonly number[]): void {
    const { compacted } = this.table;
    this.#queue.between(() => {
      try {
        this.#file.compact(compacted, forgotten);
      } catch (error) {
        // A full disk: the rows stay, and go after the next start.
        if (!isFull(error)) this.settings.onTrouble(storeUnwritable(this.#file.folder, error));
      }
    });
  }

  #append(rows: readonly RevisionRow[]): Promise<void> | undefined {
    const { folder } = this.#file;
    try {
      return this.#file.append(rows)?.catch((error: unknown) => {
        throw refusedWrite(folder, error);
      });
    } catch (error) {
      throw refusedWrite(folder, error);
    }
  }

  #afterCommit(commit: Commit): void {
    for (const kind of new Set(commit.map(one => one.kind))) this.table.of(kind).history.wake();
    for (const listener of this.#listeners) listener(commit);
    const { historyEvents, historyBytes } = this.settings;
    // A tenth more than allowed, so that it is done rarely and for many at once.
    const isOver = this.table.eventCount > historyEvents * 1.1 || this.table.eventBytes > historyBytes * 1.1;
    if (!isOver || this.#compacting) return;
    this.#compacting = setImmediate(() => {
      this.#compacting = undefined;
      this.compact();
    });
  }
}

/** A write that could not be made durable, in the words of the port, with the store's own error as its cause. */
function refusedWrite(folder: string, error: unknown): ClusterError {
  const cause: CodedError = isFull(error) ? storeFull(folder, error) : storeUnwritable(folder, error);
  return new ClusterError('ServiceUnavailable', cause.message, { cause, retryAfterSeconds: 5 });
}
