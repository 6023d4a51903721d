import { createInterface } from 'node:readline';
import { CodedError } from '../../../base/coded-error.ts';
import { type MariadbAccess, startTool, type Tool } from './mariadb-access.ts';

const clientWords = [
  '--batch',
  '--skip-column-names',
  '--unbuffered',
  '--skip-reconnect', // a snapshot or a lock would be gone without a word
  '--default-character-set=utf8mb4',
  '--max-allowed-packet=1G',
];

/** What ends one answer. Nobody stores such a line. */
const endMark = 'afloat end of answer 6f1d3c';

/**
 * One connection that stays open, so that what belongs to a connection (a snapshot, a lock) lasts: MariaDB's own client, spoken to line
 * by line. The first statement that fails ends it.
 */
export class MariadbSession {
  readonly #tool: Tool;
  readonly #waiting: ((line: string) => void)[] = [];
  #last: Promise<unknown> = Promise.resolve();

  constructor(access: MariadbAccess, database?: string) {
    this.#tool = startTool(access, 'mariadb', [
      ...clientWords,
      ...(database === undefined ? [] : [database]),
    ]);
    const { child } = this.#tool;
    if (child.stdout === null) throw new CodedError('Bug', 'a client without output');
    createInterface({ input: child.stdout, crlfDelay: Number.POSITIVE_INFINITY }).on('line', line =>
      this.#waiting[0]?.(line),
    );
    this.#tool.end.catch(() => {}); // whoever asks next hears of it
  }

  /** The rows of one statement, every field as text; NULL is the text `NULL`. Statements that are asked for at once wait for each other. */
  query(statement: string): Promise<string[][]> {
    const asked = this.#last.then(() => this.#ask(statement));
    this.#last = asked.catch(() => {});
    return asked;
  }

  /** The first field of the first row. */
  async value(statement: string): Promise<string | undefined> {
    return (await this.query(statement))[0]?.[0];
  }

  async #ask(statement: string): Promise<string[][]> {
    const rows: string[][] = [];
    const answered = new Promise<void>(resolve => {
      this.#waiting.push(line => {
        if (line === endMark) resolve();
        else rows.push(fieldsOf(line));
      });
    });
    this.#tool.child.stdin?.write(`${statement};\nSELECT '${endMark}';\n`);
    const gone = this.#tool.end.then(() => {
      throw new CodedError('DatabaseUnreachable', 'the connection was closed');
    });
    gone.catch(() => {});
    await Promise.race([answered, gone]);
    this.#waiting.shift();
    return rows;
  }

  /** Ends the connection; what it held is given up. */
  async close(): Promise<void> {
    this.#tool.child.stdin?.end();
    const timer = setTimeout(() => this.#tool.child.kill('SIGKILL'), 2000);
    await this.#tool.end.catch(() => {}); // it was asked to end: how it does is no news
    clearTimeout(timer);
  }
}

/** Does some work over a connection of its own. */
export async function withSession<T>(
  access: MariadbAccess,
  database: string | undefined,
  work: (session: MariadbSession) => Promise<T>,
): Promise<T> {
  const session = new MariadbSession(access, database);
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', '0': '\0', '\\': '\\' };

/** The fields of one line of the client's batch output. */
export function fieldsOf(line: string): string[] {
  return line
    .split('\t')
    .map(field => field.replace(/\\([nt0\\])/g, (_, letter: string) => escapes[letter] ?? letter));
}

/** A name as it stands in a statement. */
export function identifier(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}

/** A text as it stands in a statement. */
export function literal(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
