import type Database from 'libsql';
import PromiseDatabase from 'libsql/promise';

/**
 * Commits the open transaction on a thread of the library's own, so that this one goes on while the disk syncs. Until it is done
 * nothing else may be asked of the connection.
 *
 * The library offers this for connections that were opened by its other half, all of whose calls hop between threads. Both
 * halves keep the same handle under the same name, and this call needs nothing else of them.
 */
export async function commitAside(database: Database.Database): Promise<void> {
  await PromiseDatabase.prototype.exec.call(database as unknown as PromiseDatabase, 'COMMIT');
}
