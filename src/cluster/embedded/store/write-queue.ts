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

/** What becomes of the rows of a group: written durably, or an exception. */
export type Append = (rows: readonly RevisionRow[]) => void;

/**
 * Group commit: writes that arrive in the same turn of the event loop are carried out one after another in memory and made
 * durable by one commit; each is acknowledged after it. A write that fails does so alone.
 */
export class WriteQueue {
  readonly #table: ObjectTable;
  readonly #append: Append;
  readonly #now: () => number;
  readonly #afterCommit: (events: readonly HistoryEvent[]) => void;
  #waiting: Waiting[] = [];
  #closed = false;

  constructor(
    table: ObjectTable,
    more: { append: Append; now: () => number; afterCommit: (events: readonly HistoryEvent[]) => void },
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
      if (this.#waiting.length === 1) setImmediate(() => this.#flush());
    });
  }

  /** Carries out what is waiting and takes nothing more. */
  close(): void {
    this.#closed = true;
    while (this.#waiting.length > 0) this.#flush();
  }

  #flush(): void {
    const group = this.#waiting.slice(0, groupSize);
    this.#waiting = this.#waiting.slice(groupSize);
    if (this.#waiting.length > 0) setImmediate(() => this.#flush());
    if (group.length === 0) return;
    const failure = this.#commit(group);
    if (failure === undefined) return;
    // Perhaps one of them is too big for the room that is left: each gets its own try.
    for (const one of group) {
      const alone = group.length === 1 ? failure : this.#commit([one]);
      if (alone !== undefined) one.failed(alone.error);
    }
  }

  /** Carries a group out and answers every write of it; undoes it and answers none when it could not be made durable. */
  #commit(group: readonly Waiting[]): { readonly error: unknown } | undefined {
    const before = this.#table.version;
    let transaction: Transaction;
    try {
      transaction = new Transaction(this.#table, this.#now());
    } catch (cause) {
      return { error: new ClusterError('InternalError', 'the clock gives no time', { cause }) };
    }
    const answers = group.map(one => this.#carryOut(one, transaction));
    try {
      if (transaction.rows.length > 0) this.#append(transaction.rows);
    } catch (error) {
      this.#table.undoTo(before);
      return { error };
    }
    for (const [index, { done, failed }] of group.entries()) {
      const answer = answers[index] as Answer;
      if ('error' in answer) failed(answer.error);
      else done(answer.value);
    }
    if (transaction.events.length > 0) this.#afterCommit(transaction.events);
    return undefined;
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
