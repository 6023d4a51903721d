import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MariadbAccess, openAccess, runTool } from '../../src/data/mariadb/program/mariadb-access.ts';
import {
  startThrowAwayServer,
  type ThrowAwayServer,
} from '../../src/data/mariadb/program/throw-away-server.ts';
import { findMariadb } from './find-mariadb.ts';

/** What a server that serves has, and a throw-away one has not: a binary log of rows, and data that survives a kill. */
const servingWords = [
  ...['--skip-networking', '--log-bin=bin', '--server-id=1', '--binlog-format=ROW', '--sync-binlog=1'],
  ...['--innodb-flush-log-at-trx-commit=1', '--character-set-server=utf8mb4'],
];

/** A real MariaDB server for tests, and a folder for its backups. */
export interface ServingMariadb {
  readonly server: ThrowAwayServer;
  readonly access: MariadbAccess;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** An empty folder, gone with the server. */
  readonly folder: string;
  /** Runs SQL, and gives what the client prints, without names of columns. */
  sql(text: string, database?: string): Promise<string>;
  /** Ends it and removes all it had. */
  remove(): Promise<void>;
}

/** Starts Debian's MariaDB as a server that serves. It dies with this process, whatever becomes of it. */
export async function startServingMariadb(words: readonly string[] = servingWords): Promise<ServingMariadb> {
  const { environment: found } = await findMariadb();
  const environment = { ...process.env, ...found };
  const folder = await mkdtemp(join(tmpdir(), 'afloat-backups-'));
  const server = await startThrowAwayServer({ environment, words });
  const access = await openAccess(server.target, environment);
  return {
    server,
    access,
    environment,
    folder,
    sql: (text, database) => {
      const words = ['--batch', '--skip-column-names', '--default-character-set=utf8mb4', '--binary-mode'];
      return runTool(access, 'mariadb', [...words, ...(database === undefined ? [] : [database])], text);
    },
    async remove() {
      await access.close();
      await server.remove();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
