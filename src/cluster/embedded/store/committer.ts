import { performance } from 'node:perf_hooks';
import type Database from 'libsql';
import PromiseDatabase from 'libsql/promise';

/** Where this thread was busy for less of the time of a commit than this, going aside did not pay. */
const worthwhile = 0.25;
/** So many commits are made in place before it is tried aside again. */
const inPlace = 15;

/**
 * Commits transactions: in place while this thread has nothing else to do, and on a thread of the library's own while it does. Aside
 * costs two hops between threads, but whoever else has work goes on while the disk syncs.
 */
export class Committer {
  readonly #database: Database.Database;
  #left = 0;

  constructor(database: Database.Database) {
    this.#database = database;
  }

  /** Makes the open transaction durable, or throws. Until it is done nothing else may be asked of the connection. */
  async commit(): Promise<void> {
    if (this.#left > 0) {
      this.#left -= 1;
      this.#database.exec('COMMIT');
      return;
    }
    const before = performance.eventLoopUtilization();
    await commitAside(this.#database);
    if (performance.eventLoopUtilization(before).utilization < worthwhile) this.#left = inPlace;
  }
}

/**
 * The library offers this for connections that were opened by its other half, all of whose calls hop between threads. Both
 * halves keep the same handle under the same name, and this call needs nothing else of them.
 */
async function commitAside(database: Database.Database): Promise<void> {
  await PromiseDatabase.prototype.exec.call(database as unknown as PromiseDatabase, 'COMMIT');
}
