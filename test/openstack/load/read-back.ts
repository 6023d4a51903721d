import { headersOf, type Identity } from './keystone-acts.ts';
import { ask, bodyOf, sayAnswered } from './keystone-request.ts';
import { type RowsInSql, readRows, type SqlRow } from './sql-rows.ts';
import type { Entry } from './write-ledger.ts';

/** What reading everything back found. A line for each thing. */
export interface ReadBack {
  readonly checked: number;
  /** Acknowledged, and not so: gone, back again, or as it was before. Where SQL can be asked, it is what counts. */
  readonly lost: readonly string[];
  /** The database has it as it was acknowledged, and the API still tells of something older. */
  readonly stale: readonly string[];
  /** The API gave no answer that says anything. */
  readonly unread: readonly string[];
}

/** What one thing is, as somebody tells it; undefined where they do not say. */
type Told = { readonly isThere: boolean; readonly description?: string | undefined } | undefined;

const readers = 8;

/** Reads every acknowledged write back, over the API and, where it can be asked, from the database itself. */
export async function readBack(url: URL, identity: Identity, readSql?: RowsInSql): Promise<ReadBack> {
  const sure = identity.ledger.entries.filter(({ isUnsure }) => !isUnsure);
  const rows = readSql ? await readRows(readSql, sure) : undefined;
  const found = { lost: [] as string[], stale: [] as string[], unread: [] as string[] };
  const queue = sure.values();
  const reader = async () => {
    for (const entry of queue) await judge(entry);
  };
  const judge = async (entry: Entry) => {
    const api = await overApi(url, identity, entry);
    const inSql = rows === undefined || entry.kind === 'token' ? undefined : inRows(rows, entry);
    const apiIsRight = api.told !== undefined && isAsWritten(entry, api.told);
    const line = `${sayEntry(entry)}: the API says ${api.says}${inSql ? `, the database ${sayTold(inSql)}` : ''}`;
    if (inSql ? !isAsWritten(entry, inSql) : api.told && !apiIsRight) found.lost.push(line);
    else if (!api.told) found.unread.push(line);
    else if (!apiIsRight) found.stale.push(line);
  };
  await Promise.all(Array.from({ length: readers }, reader));
  return { checked: sure.length, ...found };
}

async function overApi(url: URL, identity: Identity, entry: Entry): Promise<{ told: Told; says: string }> {
  const method = entry.kind === 'role assignment' ? ('HEAD' as const) : ('GET' as const);
  const headers = headersOf(identity, entry);
  const answer = await ask(url, { method, path: entry.path, headers, status: 200 });
  const says = sayAnswered(answer);
  if ('failure' in answer) return { told: undefined, says };
  if (answer.status === 404) return { told: { isThere: false }, says };
  if (answer.status === 204) return { told: { isThere: true }, says };
  if (answer.status !== 200) return { told: undefined, says };
  const field = entry.kind.replace(' ', '_');
  const description = bodyOf(answer, field)?.['description'];
  const told = typeof description === 'string' ? { isThere: true, description } : { isThere: true };
  return { told, says: `${answer.status} ${description ?? ''}`.trim() };
}

function inRows(rows: ReadonlyMap<string, SqlRow>, entry: Entry): NonNullable<Told> {
  const row = rows.get(entry.assigned?.join('/') ?? entry.id);
  if (!row) return { isThere: false };
  // Users keep it in a column of JSON, beside other things.
  const { description } = entry;
  return {
    isThere: true,
    description: description && row.text.includes(description) ? description : row.text,
  };
}

function isAsWritten(entry: Entry, told: NonNullable<Told>): boolean {
  if (entry.isThere !== told.isThere) return false;
  return !entry.isThere || entry.description === undefined || entry.description === told.description;
}

function sayEntry({ kind, id, isThere, description }: Entry): string {
  return `${kind} ${id} was acknowledged as ${isThere ? (description ?? 'there') : 'removed'}`;
}

function sayTold({ isThere, description }: NonNullable<Told>): string {
  return isThere ? description || 'that it is there' : 'that it is not there';
}
