import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** One task that began or ended. */
export interface LedgerLine {
  readonly at: number;
  readonly service: string;
  readonly version: string;
  readonly task: string;
  readonly state: 'began' | 'done' | 'failed';
  readonly slice?: string;
}

/** What the programs of a journey keep: rows and schema of each service, the ledger of tasks, and which faults they shall have. */
export class DataFolder {
  readonly folder: string;
  readonly #faults: Record<string, readonly string[]> = {};

  constructor(folder: string) {
    this.folder = folder;
  }

  /** What the tasks of a service did, in order, as `version task state`. */
  ledger(service: string): string[] {
    return this.lines(service).map(({ version, task, state }) => `${version} ${task} ${state}`);
  }

  lines(service: string): LedgerLine[] {
    return jsonLines<LedgerLine>(textOf(join(this.folder, 'ledger.jsonl'))).filter(
      line => line.service === service,
    );
  }

  /** The rows of a service as they are now, sorted; undefined where there is no database. */
  rows(service: string): string[] | undefined {
    if (this.schema(service) === undefined) return undefined;
    return rowsIn(textOf(join(this.folder, service, 'rows.jsonl')));
  }

  /** The rows that the worker of a version says it has written. */
  worked(service: string, version: string): string[] {
    const lines = jsonLines<{ version: string; id: string }>(
      textOf(join(this.folder, `${service}.worked.jsonl`)),
    );
    return lines.filter(line => line.version === version).map(({ id }) => `work/${id} {"id":"${id}"}`);
  }

  /** The rows in a backup, in the same form. */
  backup(location: string): string[] {
    return rowsIn((JSON.parse(textOf(location)) as { dump: string }).dump);
  }

  schema(service: string): { expandedTo?: string; contractedTo?: string } | undefined {
    const text = textOf(join(this.folder, service, 'schema.json'));
    return text === '' ? undefined : JSON.parse(text);
  }

  /** From now on this version has these faults, beside those of its package; see `PackageWish`. Takes effect at once. */
  setFaults(service: string, version: string, ...faults: readonly string[]): void {
    this.#faults[`${service}@${version}`] = faults;
    const path = join(this.folder, 'faults.json');
    writeFileSync(`${path}.new`, JSON.stringify(this.#faults));
    renameSync(`${path}.new`, path);
  }
}

function rowsIn(text: string): string[] {
  const rows = new Map<string, unknown>();
  for (const { table, id, row } of jsonLines<{ table: string; id: string; row: unknown }>(text))
    rows.set(`${table}/${id}`, row);
  return [...rows]
    .filter(([, row]) => row !== null)
    .map(([key, row]) => `${key} ${JSON.stringify(row)}`)
    .sort();
}

function jsonLines<T>(text: string): T[] {
  const lines = text.split('\n');
  return lines.filter(line => line !== '').map(line => JSON.parse(line) as T);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
