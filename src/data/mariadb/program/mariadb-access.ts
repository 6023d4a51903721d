import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CodedError } from '../../../base/coded-error.ts';

/** Where a MariaDB server is, and who we are there. */
export interface MariadbTarget {
  readonly socket?: string;
  readonly host?: string;
  readonly port?: number;
  readonly user: string;
  readonly password?: string;
}

/** The environment in which MariaDB's own programs are found. */
export type ToolEnvironment = Readonly<Record<string, string | undefined>>;

/** A way in: programs of MariaDB read a private file for where the server is and the password, which no list of processes shows. */
export interface MariadbAccess {
  readonly environment: ToolEnvironment;
  /** Must be the first word of a program. */
  readonly optionFile: string;
  close(): Promise<void>;
}

/** Makes a way in to a server; who opened it closes it. */
export async function openAccess(
  target: MariadbTarget,
  environment: ToolEnvironment = process.env,
): Promise<MariadbAccess> {
  const folder = await mkdtemp(join(tmpdir(), 'afloat-mariadb-')); // 0700
  const file = join(folder, 'client.cnf');
  await writeFile(file, optionFileText(target), { mode: 0o600 });
  // What we were told, passwords too, is not theirs to know.
  const theirs = Object.entries(environment).filter(([name]) => !name.startsWith('AFLOAT_'));
  return {
    environment: Object.fromEntries(theirs),
    optionFile: `--defaults-file=${file}`,
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

/** The text of an option file for MariaDB's programs. */
export function optionFileText({ socket, host, port, user, password }: MariadbTarget): string {
  const where = socket === undefined ? { host, port, protocol: 'tcp' } : { socket };
  const lines = Object.entries({ user, password, ...where }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${quoted(name, `${value}`)}`],
  );
  return ['[client]', ...lines, ''].join('\n');
}

function quoted(name: string, value: string): string {
  if (/[\n\r\0]/.test(value))
    throw new CodedError('DataTaskInvalid', `the ${name} of the database has a line break in it`);
  return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

/** A program that was started, and what it says when it fails. */
export interface Tool {
  readonly child: ChildProcess;
  /** Ends when the program does; fails when it did not end well. */
  readonly end: Promise<void>;
}

/** Starts one of MariaDB's programs. Its standard output and input are the caller's. */
export function startTool(access: MariadbAccess, name: string, words: readonly string[]): Tool {
  const child = spawn(name, [access.optionFile, ...words], {
    env: { ...access.environment, LC_ALL: 'C.UTF-8' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // Who writes to a program that is gone hears of it by its end.
  child.stdin.on('error', () => {});
  return { child, end: endOf(name, child) };
}

async function endOf(name: string, child: ChildProcess): Promise<void> {
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-4000);
  });
  try {
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
    if (code === 0) return;
    throw toolFailed(name, said, signal ?? `exit code ${code}`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new CodedError('DatabaseToolMissing', `${name} is not there`, { cause: error });
  }
}

/** The number of a MariaDB error in what one of its programs wrote. */
function errorNumber(said: string): number | undefined {
  const [, number] = /\b(?:ERROR|error:|Got error:)\s*\(?(\d{4})\b/i.exec(said) ?? [];
  return number === undefined ? undefined : Number(number);
}

const unreachable = new Set([2002, 2003, 2005, 2006, 2013, 1053, 1927]);
const busy = new Set([1205, 1213]);

/** What a program of MariaDB failed with, by code. */
export function toolFailed(name: string, said: string, end: string): CodedError {
  const number = errorNumber(said);
  const last = said.trim().split('\n').slice(-2).join(' ').slice(-500);
  const code =
    number === undefined
      ? 'DatabaseRefused'
      : unreachable.has(number)
        ? 'DatabaseUnreachable'
        : busy.has(number)
          ? 'DatabaseBusy'
          : 'DatabaseRefused';
  return new CodedError(code, `${name}: ${last || end}`, {
    details: { program: name, ...(number === undefined ? {} : { number }) },
  });
}

/** Runs one of MariaDB's programs to its end, and gives what it printed. */
export async function runTool(
  access: MariadbAccess,
  name: string,
  words: readonly string[],
  input = '',
): Promise<string> {
  const { child, end } = startTool(access, name, words);
  const pieces: Buffer[] = [];
  child.stdout?.on('data', (piece: Buffer) => pieces.push(piece));
  child.stdin?.end(input);
  await end;
  return Buffer.concat(pieces).toString('utf8');
}
