import { createInterface } from 'node:readline';
import { CodedError } from '../../../base/coded-error.ts';
import type { LogPosition } from './database-facts.ts';
import { type MariadbAccess, startTool } from './mariadb-access.ts';
import { withSession } from './mariadb-session.ts';

/** What was written into one table. */
export interface TableLoss {
  readonly table: string;
  readonly inserted: number;
  readonly updated: number;
  readonly deleted: number;
  /** Statements of which the log does not tell the rows: the server does not log rows. */
  readonly statements: number;
}

/** All that was written into a database since a place in the log. */
export interface Loss {
  readonly tables: readonly TableLoss[];
  /** Statements that changed the schema. */
  readonly schemaChanges: number;
}

/** Whether anything would be lost. */
export function losesSomething(loss: Loss | undefined): boolean {
  return loss === undefined || loss.tables.length > 0;
}

/**
 * What was written into a database since a place in the binary log, table by table. Undefined where the log cannot tell: there is none, or
 * it no longer reaches back so far.
 */
export async function listLoss(
  access: MariadbAccess,
  database: string,
  since: LogPosition | undefined,
): Promise<Loss | undefined> {
  if (!since || !(await reachesBack(access, since))) return undefined;
  const words = ['--read-from-remote-server', '--base64-output=decode-rows', '--verbose', '--to-last-log'];
  const { child, end } = startTool(access, 'mariadb-binlog', [
    ...words,
    `--start-position=${since.position}`,
    since.file,
  ]);
  child.stdin?.end();
  end.catch(() => {}); // told below, when all it said is read
  const counter = new LossCounter(database);
  if (child.stdout === null) throw new CodedError('Bug', 'a program without output');
  for await (const line of createInterface({ input: child.stdout })) counter.line(line);
  await end;
  return counter.loss();
}

async function reachesBack(access: MariadbAccess, { file, position }: LogPosition): Promise<boolean> {
  const logs = await withSession(access, undefined, async session => {
    const kept = await session.value('SELECT @@GLOBAL.log_bin');
    return kept === '1' ? session.query('SHOW BINARY LOGS') : [];
  });
  return logs.some(([name, size]) => name === file && Number(size) >= position);
}

const rowLine = /^### (INSERT INTO|UPDATE|DELETE FROM) `(.*)`\.`(.*)`$/;
const statementLine =
  /^(?:\s|\/\*.*?\*\/)*(INSERT|REPLACE|UPDATE|DELETE|TRUNCATE|LOAD|ALTER|DROP|CREATE|RENAME)\b/i;
const tableOf =
  /\b(?:INTO|UPDATE|FROM|TRUNCATE(?:\s+TABLE)?)\s+(?:IGNORE\s+)?(?:`?([\w$]+)`?\.)?`?([\w$]+)`?/i;
const losing = new Set(['INSERT', 'REPLACE', 'UPDATE', 'DELETE', 'TRUNCATE', 'LOAD']);

/** Counts what the lines of `mariadb-binlog --verbose` say of one database. */
export class LossCounter {
  readonly #database: string;
  readonly #tables = new Map<
    string,
    { inserted: number; updated: number; deleted: number; statements: number }
  >();
  #schemaChanges = 0;
  #used = '';

  constructor(database: string) {
    this.#database = database;
  }

  line(line: string): void {
    const [, verb, schema, table = ''] = rowLine.exec(line) ?? [];
    if (verb !== undefined) {
      if (schema !== this.#database) return;
      const count = this.#of(table);
      if (verb === 'INSERT INTO') count.inserted++;
      else if (verb === 'UPDATE') count.updated++;
      else count.deleted++;
      return;
    }
    const [, used] = /^use `(.*)`\/\*!\*\/;$/.exec(line) ?? [];
    if (used !== undefined) this.#used = used;
    else if (!line.startsWith('#')) this.#statement(line);
  }

  #statement(line: string): void {
    const [, verb] = statementLine.exec(line) ?? [];
    if (verb === undefined) return;
    const [, schema = this.#used, table = ''] = tableOf.exec(line) ?? [];
    if (schema !== this.#database) return;
    if (losing.has(verb.toUpperCase())) this.#of(table).statements++;
    else this.#schemaChanges++;
  }

  #of(table: string) {
    const found = this.#tables.get(table) ?? { inserted: 0, updated: 0, deleted: 0, statements: 0 };
    this.#tables.set(table, found);
    return found;
  }

  loss(): Loss {
    const tables = [...this.#tables].map(([table, counts]) => ({ table, ...counts }));
    return {
      tables: tables.sort((a, b) => (a.table < b.table ? -1 : 1)),
      schemaChanges: this.#schemaChanges,
    };
  }
}

/** A loss in a sentence. */
export function lossText(loss: Loss | undefined): string {
  if (!loss) return 'what was written since cannot be told: the binary log does not reach back to the backup';
  if (loss.tables.length === 0) return 'nothing was written since the backup';
  const one = ({ table, inserted, updated, deleted, statements }: TableLoss) =>
    `${table}: ${[
      ...(inserted > 0 ? [`${inserted} inserted`] : []),
      ...(updated > 0 ? [`${updated} updated`] : []),
      ...(deleted > 0 ? [`${deleted} deleted`] : []),
      ...(statements > 0 ? [`${statements} statements`] : []),
    ].join(', ')}`;
  return `written since the backup: ${loss.tables.map(one).join('; ')}`;
}
