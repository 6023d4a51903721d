import { setImmediate } from 'node:timers/promises';
import { ClusterError } from '../../cluster-error.ts';
import type { HistoryEvent } from './history.ts';
import type { ObjectTable } from './object-table.ts';
import type { RevisionRow } from './revision.ts';
import { Transaction } from './transaction.ts';

/** One write: looks, decides, changes. Synchronous; what it throws refuses this write and no other. */
export type Work<T> = (transaction: Transaction) => T;

interface Waiting {
  readonly work: Work<unknown>;
  readonly done: (value: unknown) => void;
  readonly failed: (error: unknown) => void;
}

type Answer = { readonly value: unknown } | { readonly error: unknown };

/** So many writes share a commit at most, so that readers and watchers have their turn in between. */
const groupSize = 512;

/** What becomes of the rows of a group: written durably, at once or when the promise is kept, or an exception. */
export type Append = (rows: readonly RevisionRow[]) => Promise<void> | undefined;

/**
 * Group commit: writes that arrive while the one before is made durable are carried out one after another in memory and made
 * durable by one commit; each is acknowledged after it, and seen by readers from then on. A write that fails does so alone.
 */
export class WriteQueue {
  readonly #table: ObjectTable;
  readonly #append: Append;
  readonly #now: () => number;
  readonly #afterCommit: (events: readonly HistoryEvent[]) => void;
  #waiting: Waiting[] = [];
  #between: (() => void)[] = [];
  #working: Promise<void> | undefined;
  #closed = false;

  constructor(
    table: ObjectTable,
    more: {
      append: Append;
      now: () => number;
      afterCommit: (events: readonly HistoryEvent[]) => void;
    },
  ) {
    this.#table = table;
    this.#append = more.append;
    this.#now = more.now;
    this.#afterCommit = more.afterCommit;
  }

  write<T>(work: Work<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#closed) return reject(new ClusterError('ServiceUnavailable', 'the store is closed'));
      this.#waiting.push({ work, done: resolve as (value: unknown) => void, failed: reject });
      this.#working ??= this.#workOff();
    });
  }

  /** Does something with the file that may not meet a commit: at once, or before the next write. */
  between(work: () => void): void {
    if (this.#working) this.#between.push(work);
    else work();
  }

  /** Takes nothing more; returns when what was asked for until now is carried out. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#working;
  }

  async #workOff(): Promise<void> {
    // All that is asked for in this turn of the event loop belongs to the first group.
    await setImmediate();
    while (this.#waiting.length > 0 || this.#between.length > 0) {
      for (const work of this.#between.splice(0)) work();
      await this.#flush(this.#waiting.splice(0, groupSize));
      // Readers and watchers have their turn, and whoever was answered may ask for more.
      await setImmediate();
    }
    this.#working = undefined;
  }

  async #flush(group: readonly Waiting[]): Promise<void> {
    if (group.length === 0) return;
    const failure = await this.#commit(group);
    if (failure === undefined) return;
    // Perhaps one of them is too big for the room that is left: each gets its own try.
    for (const one of group) {
      const alone = group.length === 1 ? failure : await this.#commit([one]);
      if (alone !== undefined) one.failed(alone.error);
    }
  }

  /** Carries a group out and answers every write of it; undoes it and answers none when it could not be made durable. */
  async #commit(group: readonly Waiting[]): Promise<{ readonly error: unknown } | undefined> {
    const before = this.#table.version;
    let transaction: Transaction;
    try {
      transaction = new Transaction(this.#table, this.#now());
    } catch (cause) {
      return { error: new ClusterError('InternalError', 'the clock gives no time', { cause }) };
    }
    const answers = group.map(one => this.#carryOut(one, transaction));
    if (transaction.rows.length > 0) {
      try {
        const aside = this.#append(transaction.rows);
        if (aside) await this.#unseen(aside, before, transaction.events);
      } catch (error) {
        this.#table.undoTo(before);
        return { error };
      }
    }
    // Watchers first: whoever wrote goes on at once, and may have much to do.
    if (transaction.events.length > 0) this.#afterCommit(transaction.events);
    for (let at = 0; at < group.length; at++) answer(group[at] as Waiting, answers[at] as Answer);
    return undefined;
  }

  /** Nobody may see what a crash could still take away: while a commit is made aside, what it writes is not there. */
  async #unseen(commit: Promise<void>, before: number, events: readonly HistoryEvent[]): Promise<void> {
    this.#table.undoTo(before);
    await commit;
    this.#table.redo(events);
  }

  #carryOut({ work }: Waiting, transaction: Transaction): Answer {
    const [version, rows] = [this.#table.version, transaction.rows.length];
    try {
      return { value: work(transaction) };
    } catch (error) {
      this.#table.undoTo(version);
      transaction.rows.length = rows;
      transaction.events.length = rows;
      return { error };
    }
  }
}

function answer({ done, failed }: Waiting, what: Answer): void {
  if ('error' in what) failed(what.error);
  else done(what.value);
}
