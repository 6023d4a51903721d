import { createInterface } from 'node:readline';
import { CodedError } from '../../../base/coded-error.ts';
import type { JsonObject } from '../../../base/json.ts';
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
  // The heads of events say how many rows they hold: the rows themselves, a line a column, would take longer than the restore.
  const heads = new LossCounter(database, 'heads');
  await readLog(access, since, [], heads);
  if (!heads.isUnsure) return heads.loss();
  const rows = new LossCounter(database, 'rows');
  await readLog(access, since, ['--verbose'], rows);
  return rows.loss();
}

async function readLog(
  access: MariadbAccess,
  { file, position }: LogPosition,
  more: readonly string[],
  counter: LossCounter,
): Promise<void> {
  const words = ['--read-from-remote-server', '--base64-output=decode-rows', '--to-last-log', ...more];
  const { child, end } = startTool(access, 'mariadb-binlog', [
    ...words,
    `--start-position=${position}`,
    file,
  ]);
  child.stdin?.end();
  end.catch(() => {}); // told below, when all it said is read
  if (child.stdout === null) throw new CodedError('Bug', 'a program without output');
  for await (const line of createInterface({ input: child.stdout })) counter.line(line);
  await end;
}

async function reachesBack(access: MariadbAccess, { file, position }: LogPosition): Promise<boolean> {
  const logs = await withSession(access, undefined, async session => {
    const kept = await session.value('SELECT @@GLOBAL.log_bin');
    return kept === '1' ? session.query('SHOW BINARY LOGS') : [];
  });
  return logs.some(([name, size]) => name === file && Number(size) >= position);
}

const mapLine = /^#\d{6} .*\tTable_map: `(.*)`\.`(.*)` mapped to number (\d+)/;
const rowsLine = /^#\d{6} .*\t(Write|Update|Delete)\w*_rows\w*: table id (\d+)/i;
const numberLine = /^# Number of rows: (\d+)/;
const changes = { write: 'inserted', update: 'updated', delete: 'deleted' } as const;
const rowLine = /^### (INSERT INTO|UPDATE|DELETE FROM) `(.*)`\.`(.*)`$/;
const statementLine =
  /^(?:\s|\/\*.*?\*\/)*(INSERT|REPLACE|UPDATE|DELETE|TRUNCATE|LOAD|ALTER|DROP|CREATE|RENAME)\b/i;
const tableOf =
  /\b(?:INTO|UPDATE|FROM|TRUNCATE(?:\s+TABLE)?)\s+(?:IGNORE\s+)?(?:`?([\w$]+)`?\.)?`?([\w$]+)`?/i;
const losing = new Set(['INSERT', 'REPLACE', 'UPDATE', 'DELETE', 'TRUNCATE', 'LOAD']);

/** Counts what the lines of `mariadb-binlog` say of one database: by the heads of events, or with `--verbose` row by row. */
export class LossCounter {
  readonly #database: string;
  readonly #tables = new Map<
    string,
    { inserted: number; updated: number; deleted: number; statements: number }
  >();
  readonly #by: 'heads' | 'rows';
  /** Tables of the database by the number that stands for them in what follows. */
  readonly #mapped = new Map<string, string>();
  /** The event whose number of rows has not been said yet. */
  #open: { readonly table: string; readonly change: (typeof changes)[keyof typeof changes] } | undefined;
  #isUnsure = false;
  #schemaChanges = 0;
  #used = '';

  constructor(database: string, by: 'heads' | 'rows') {
    this.#database = database;
    this.#by = by;
  }

  /** Whether there are rows of which the heads did not tell how many they are: older programs do not. */
  get isUnsure(): boolean {
    return this.#isUnsure || this.#open !== undefined;
  }

  line(line: string): void {
    if (this.#by === 'heads' && line.startsWith('#')) this.#head(line);
    else this.#text(line);
  }

  #head(line: string): void {
    const [, said] = numberLine.exec(line) ?? [];
    if (said !== undefined) {
      if (this.#open) this.#of(this.#open.table)[this.#open.change] += Number(said);
      this.#open = undefined;
      return;
    }
    const [, schema, table = '', number = ''] = mapLine.exec(line) ?? [];
    if (schema !== undefined) {
      // Numbers are given anew when a table was changed.
      if (schema === this.#database) this.#mapped.set(number, table);
      else this.#mapped.delete(number);
      return;
    }
    const [, verb, id = ''] = rowsLine.exec(line) ?? [];
    if (verb === undefined) return;
    if (this.#open) this.#isUnsure = true;
    const mapped = this.#mapped.get(id);
    const change = changes[verb.toLowerCase() as keyof typeof changes];
    this.#open = mapped === undefined ? undefined : { table: mapped, change };
  }

  #text(line: string): void {
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
  return `written since the backup: ${loss.tables.map(one => `${one.table}: ${changesText(one)}`).join('; ')}`;
}

function changesText({ inserted, updated, deleted, statements }: TableLoss): string {
  return [
    ...(inserted > 0 ? [`${inserted} inserted`] : []),
    ...(updated > 0 ? [`${updated} updated`] : []),
    ...(deleted > 0 ? [`${deleted} deleted`] : []),
    ...(statements > 0 ? [`${statements} statements`] : []),
  ].join(', ');
}

/** A loss as the manager is told it: table by table, and no longer than that; what does not fit is counted. */
export function lossTold(loss: Loss | undefined, longest: number): JsonObject {
  if (!loss) return { message: lossText(loss) };
  const tables = loss.tables.map(one => ({ table: one.table, says: changesText(one) }));
  const fits: typeof tables = [];
  let left = longest;
  for (const one of tables) {
    left -= JSON.stringify(one).length + 1;
    if (left < 0) break;
    fits.push(one);
  }
  const more = tables.length - fits.length;
  return { tables: fits, ...(more === 0 ? {} : { message: `and ${more} more tables` }) };
}
