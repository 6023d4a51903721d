import { CodedError } from '../../../base/coded-error.ts';
import { type LogPosition, sumTables, type TableSum, withGtid, workUnderWay } from './database-facts.ts';
import { type MariadbAccess, startTool, type Tool } from './mariadb-access.ts';
import { identifier, MariadbSession, withSession } from './mariadb-session.ts';

/** Writers of the database wait no longer than this for a backup to begin, and a backup no longer for them. */
const lockSeconds = 2;
const lockTries = 5;
/** The header of a dump is shorter. */
const headBytes = 64 * 1024;

const dumpWords = [
  '--single-transaction',
  '--quick',
  '--skip-triggers', // they come with the programs, after the rows
  '--no-autocommit',
  '--skip-dump-date',
  '--default-character-set=utf8mb4',
  '--max-allowed-packet=1G',
];

/** A dump that goes on, and the checksums of the very rows that it holds. */
export interface ConsistentDump {
  /** The SQL of all tables. Must be read to its end. */
  readonly text: AsyncIterable<Buffer>;
  /** Where the binary log stood; undefined where the server keeps none. */
  readonly position: LogPosition | undefined;
  /** How it was made sure that both see the same rows. */
  readonly by: 'log position' | 'lock';
  /** Ends when the dump and the checksums do. */
  readonly sums: Promise<readonly TableSum[]>;
  /** Gives up. */
  abort(): Promise<void>;
}

/**
 * Begins a dump and, on a second connection, the checksums of the same rows. A connection cannot be given the snapshot of another one, so
 * both take one of their own, and that the two are the same is proved by the binary log: a snapshot knows its position there. Where
 * somebody wrote in between, the tables of this database, and no others, are locked against writes while the two begin: for some tens
 * of milliseconds, and never waiting longer than two seconds for a transaction that is open.
 */
export async function startConsistentDump(
  access: MariadbAccess,
  database: string,
  tables: readonly string[],
): Promise<ConsistentDump> {
  const quiet = await begin(access, database, tables);
  if (samePlace(quiet)) return running(quiet, 'log position', database, tables);
  await quiet.abort();
  for (let turn = 1; ; turn++) {
    try {
      return await withLock(access, database, tables, async () =>
        running(await begin(access, database, tables), 'lock', database, tables),
      );
    } catch (error) {
      if (!(error instanceof CodedError) || error.code !== 'DatabaseBusy') throw error;
      if (turn >= lockTries) throw await whoIsBusy(access, database, error);
    }
  }
}

/** A snapshot, a dump, and where each of them stands in the log. */
interface Begun {
  readonly session: MariadbSession;
  readonly dump: Tool;
  readonly text: AsyncIterable<Buffer>;
  readonly snapshotAt: LogPosition | undefined;
  readonly dumpAt: LogPosition | undefined;
  abort(): Promise<void>;
}

async function begin(access: MariadbAccess, database: string, tables: readonly string[]): Promise<Begun> {
  const session = new MariadbSession(access, database);
  try {
    await session.query('SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    await session.query('START TRANSACTION WITH CONSISTENT SNAPSHOT');
    const snapshotAt = await snapshotPosition(session);
    const logged = snapshotAt ? ['--master-data=2'] : [];
    // Without tables, mariadb-dump would take all there are.
    const words = tables.length === 0 ? ['--no-data', '--no-create-info', database] : [database, ...tables];
    const dump = startTool(access, 'mariadb-dump', [...dumpWords, ...logged, ...words]);
    dump.child.stdin?.end();
    dump.end.catch(() => {}); // told when the text is read
    const abort = async () => {
      dump.child.kill('SIGKILL');
      dump.child.stdout?.destroy(); // nobody reads the rest, and its end is only seen when nothing is left to read
      await Promise.all([dump.end.catch(() => {}), session.close()]);
    };
    try {
      const { text, dumpAt } = await readHead(dump);
      return { session, dump, text, snapshotAt, dumpAt, abort };
    } catch (error) {
      await abort();
      throw error;
    }
  } catch (error) {
    await session.close();
    throw error;
  }
}

/** The dump's first bytes, by which its snapshot is taken, and then all of it. */
async function readHead(
  dump: Tool,
): Promise<{ text: AsyncIterable<Buffer>; dumpAt: LogPosition | undefined }> {
  const pieces = (dump.child.stdout as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  let head: Buffer = Buffer.alloc(0);
  while (head.length < headBytes && headPosition(head) === undefined) {
    const { value, done } = await pieces.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  async function* all(): AsyncGenerator<Buffer> {
    yield head;
    for (;;) {
      const { value, done } = await pieces.next();
      if (done) break;
      yield value;
    }
    await dump.end; // or a dump that died would look like one that is short
  }
  if (head.length === 0) await dump.end;
  return { text: all(), dumpAt: headPosition(head) };
}

/** The place in the binary log that a dump names at its head. */
export function headPosition(head: Buffer): LogPosition | undefined {
  const [, file, position] =
    /^-- CHANGE MASTER TO MASTER_LOG_FILE='([^']+)', MASTER_LOG_POS=(\d+);/m.exec(head.toString('latin1')) ??
    [];
  return file === undefined ? undefined : { file, position: Number(position) };
}

async function snapshotPosition(session: MariadbSession): Promise<LogPosition | undefined> {
  const rows = await session.query("SHOW STATUS LIKE 'binlog_snapshot_%'");
  const values = new Map(rows.map(([name, value]) => [name?.toLowerCase(), value]));
  const file = values.get('binlog_snapshot_file');
  return file ? { file, position: Number(values.get('binlog_snapshot_position')) } : undefined;
}

function samePlace({ snapshotAt, dumpAt }: Begun): boolean {
  if (!snapshotAt || !dumpAt) return false;
  return snapshotAt.file === dumpAt.file && snapshotAt.position === dumpAt.position;
}

async function running(
  begun: Begun,
  by: ConsistentDump['by'],
  database: string,
  tables: readonly string[],
): Promise<ConsistentDump> {
  const { session, dump, text, dumpAt, abort } = begun;
  const position = dumpAt ? await withGtid(session, dumpAt) : undefined;
  const sums = (async () => {
    try {
      return await sumTables(session, database, tables);
    } catch (error) {
      dump.child.kill('SIGKILL'); // half of the proof is gone: the other half is no use
      throw error;
    } finally {
      await session.close();
    }
  })();
  sums.catch(() => {}); // told to who waits for it
  return { text, position, by, sums, abort };
}

async function withLock<T>(
  access: MariadbAccess,
  database: string,
  tables: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  return withSession(access, database, async session => {
    await session.query(`SET SESSION lock_wait_timeout = ${lockSeconds}`);
    const locks = tables.map(name => `${identifier(database)}.${identifier(name)} READ`);
    if (locks.length > 0) await session.query(`LOCK TABLES ${locks.join(', ')}`);
    return work();
  });
}

async function whoIsBusy(access: MariadbAccess, database: string, cause: CodedError): Promise<CodedError> {
  const who = await withSession(access, undefined, session => workUnderWay(session, database));
  const by = who.length === 0 ? 'somebody' : who.join('; ');
  return new CodedError('DatabaseBusy', `tables of ${database} are held by ${by}`, {
    cause,
    details: { who },
  });
}
