import { performance } from 'node:perf_hooks';
import type Database from 'libsql';
import PromiseDatabase from 'libsql/promise';

/** What going to another thread and back costs, in milliseconds: about so much more than a commit in place. */
const hops = 0.06;
/** So many commits are made in place before it is tried aside again, and twice as many each time that it does not pay. */
const inPlace = { first: 15, most: 60 };
/** After so many aside one is made in place, to know what that takes by now. */
const aside = 100;

/**
 * Commits transactions: in place while this thread has little else to do, and on a thread of the library's own while it has. Aside
 * costs two hops between threads, but whoever else has work goes on while the disk syncs.
 */
export class Committer {
  readonly #database: Database.Database;
  /** What a commit in place takes, in milliseconds, by the last ones. */
  #takes: number | undefined;
  #inPlaceNext = inPlace.first;
  #inPlaceLeft = inPlace.first;
  #asideLeft = aside;

  constructor(database: Database.Database) {
    this.#database = database;
  }

  /**
   * Makes the open transaction durable: at once, or aside, and then the answer is a promise and until it is kept nothing else may be
   * asked of the connection. Throws, or the promise does, what kept it from being durable.
   */
  commit(): Promise<void> | undefined {
    return this.#goesAside ? this.#commitAside() : this.#commitInPlace();
  }

  get #goesAside(): boolean {
    return this.#inPlaceLeft === 0;
  }

  #commitInPlace(): undefined {
    this.#inPlaceLeft -= 1;
    const start = performance.now();
    this.#database.exec('COMMIT');
    const took = performance.now() - start;
    // One that is slow by chance does not count for much.
    this.#takes = this.#takes === undefined ? took : this.#takes * 0.8 + took * 0.2;
  }

  async #commitAside(): Promise<void> {
    this.#asideLeft -= 1;
    const before = performance.eventLoopUtilization();
    await commitAside(this.#database);
    // What this thread did meanwhile it would have done later: only what it waited is lost, as all of it is in place.
    const { idle } = performance.eventLoopUtilization(before);
    const hasPaid = idle + hops < (this.#takes ?? 0);
    if (!hasPaid) this.#inPlaceLeft = this.#inPlaceNext;
    else if (this.#asideLeft <= 0) this.#inPlaceLeft = 1;
    if (this.#asideLeft <= 0) this.#asideLeft = aside;
    this.#inPlaceNext = hasPaid ? inPlace.first : Math.min(this.#inPlaceNext * 2, inPlace.most);
  }
}

/**
 * The library offers this for connections that were opened by its other half, all of whose calls hop between threads. Both
 * halves keep the same handle under the same name, and this call needs nothing else of them.
 */
async function commitAside(database: Database.Database): Promise<void> {
  await PromiseDatabase.prototype.exec.call(database as unknown as PromiseDatabase, 'COMMIT');
}
