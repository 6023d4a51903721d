import { existsSync, linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  identityLine,
  identityOf,
  type ProcessIdentity,
  parseIdentity,
} from '../../process/process-identity.ts';
import type { ContainerId } from '../containers.ts';
import { unlessDiskFull } from '../disk-full.ts';

/** What stands in the folder of one run: the shim writes it (shim-script.ts), and whoever manages reads it. */
export interface RunRecord {
  /** Who has taken the run on: its shim, or a manager that forbade it. */
  readonly claim?: ProcessIdentity;
  /** The first process of the run. */
  readonly first?: ProcessIdentity;
  /** Everything was made ready and the program started, at this time. */
  readonly startedAt?: string;
  readonly end?: RunEnd;
}

export interface RunEnd {
  readonly exitCode: number;
  readonly problem?: 'StartError' | 'ContainerStatusUnknown';
  readonly message?: string;
  readonly finishedAt: string;
}

/** Where the runs of a container are, one folder each. */
export function runFolderOf(podFolder: string, id: Pick<ContainerId, 'name' | 'attempt'>): string {
  return join(podFolder, 'containers', id.name, String(id.attempt));
}

/** The name of a run in the folder of events, as the shim makes it. */
export function runKey({ podUid, name, attempt }: ContainerId): string {
  return `${podUid}.${name}.${attempt}`;
}

/** The entry of the environment by which the processes of a run are known. */
export function markOfRun(stateId: string, { podUid, name, attempt }: ContainerId): string {
  return `AFLOAT_RUN=${stateId}/${podUid}/${name}/${attempt}`;
}

/** The run of such a name; undefined for a file that is no event. */
export function parseRunKey(key: string): ContainerId | undefined {
  const match = /^(.+)\.([^.]+)\.(\d+)$/.exec(key);
  const [, podUid, name, attempt] = match ?? [];
  return podUid && name && attempt ? { podUid, name, attempt: Number(attempt) } : undefined;
}

/** All that is written of a run so far. */
export function readRun(folder: string): RunRecord {
  const claimText = textOf(folder, 'claim');
  const claim = parseIdentity(claimText);
  const pidText = textOf(folder, 'pid');
  const first = parseIdentity(pidText);
  const end = readEnd(folder) ?? (claim && endInClaim(folder, claimText));
  return {
    ...(claim ? { claim } : {}),
    ...(first ? { first } : {}),
    ...(pidText.endsWith('\nrunning\n') ? { startedAt: timeOf(folder, 'pid') } : {}),
    ...(end ? { end } : {}),
  };
}

function readEnd(folder: string): RunEnd | undefined {
  const end = parseEnd(textOf(folder, 'exit'), () => textOf(folder, 'start-error'));
  return end && { ...end, finishedAt: timeOf(folder, 'exit') };
}

/** Who takes a run on only to end it writes the end behind its name: one step, so that no crash comes in between. */
function endInClaim(folder: string, text: string): RunEnd | undefined {
  const [, exit = '', ...message] = text.split('\n');
  const end = parseEnd(`${exit}\n`, () => message.join('\n'));
  return end && { ...end, finishedAt: timeOf(folder, 'claim') };
}

function parseEnd(line: string, readMessage: () => string): Omit<RunEnd, 'finishedAt'> | undefined {
  const [, code, problem] = /^(\d+)(?: (\w+))?\n/.exec(line) ?? [];
  if (code === undefined) return undefined;
  const known = problem === 'StartError' || problem === 'ContainerStatusUnknown' ? problem : undefined;
  const message = known && readMessage().trim();
  return { exitCode: Number(code), ...(known ? { problem: known } : {}), ...(message ? { message } : {}) };
}

function endLine({ exitCode, problem }: Omit<RunEnd, 'finishedAt'>): string {
  return `${exitCode}${problem ? ` ${problem}` : ''}\n`;
}

/** Ends a run that no shim has taken on, so that none ever will. False when one has. */
export function endUnclaimed(folder: string, end: Omit<RunEnd, 'finishedAt'>): boolean {
  const mine = identityOf(process.pid);
  // Nothing is written where nothing can come of it: the disk may be full.
  if (!mine || existsSync(join(folder, 'claim'))) return false;
  const file = join(folder, `claim.${mine.pid}.${mine.started}.${mine.boot}`);
  writeFileSync(file, `${identityLine(mine)}${endLine(end)}${end.message ?? ''}\n`);
  try {
    linkSync(file, join(folder, 'claim'));
    return true;
  } catch {
    return false;
  } finally {
    // Not left for the next time: it would be the claim itself that is written into.
    rmSync(file, { force: true });
  }
}

/** Forbids the start of a program that was not started yet. On a full disk a shim can start none. */
export function forbidStart(folder: string): void {
  unlessDiskFull(() => writeFileSync(join(folder, 'stop'), ''));
}

/** Writes down the end of a run whose shim is gone; false when the disk is full. */
export function writeEnd(folder: string, end: Omit<RunEnd, 'finishedAt'>): boolean {
  return unlessDiskFull(() => {
    if (end.message) writeFileSync(join(folder, 'start-error'), `${end.message}\n`);
    writeFileSync(join(folder, 'exit'), endLine(end));
  });
}

/** Whether a shim has an exit status to write and, so far, no room for it on the disk. */
export function waitsForRoom(folder: string): boolean {
  return statSync(join(folder, 'exit'), { throwIfNoEntry: false })?.size === 0;
}

/**
 * Takes the files of a run away. What a shim looks for after its claim goes first: one that comes late could claim the run when the
 * old claim is gone, and would start it.
 */
export async function removeRun(folder: string): Promise<void> {
  await rm(join(folder, 'run.sh'), { force: true });
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
}

function textOf(folder: string, name: string): string {
  try {
    return readFileSync(join(folder, name), 'utf8');
  } catch {
    return '';
  }
}

/** The moment a file was last written, which is when what it says happened. */
function timeOf(folder: string, name: string): string {
  return isoSeconds(statSync(join(folder, name)).mtimeMs);
}

export function isoSeconds(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}
