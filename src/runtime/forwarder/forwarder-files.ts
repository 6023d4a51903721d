import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { identityOf } from '../process/process-identity.ts';
import { pidOf, runs } from './forwarder-identity.ts';
import { type ForwarderReport, parseReport } from './forwarder-report.ts';
import { tableVersion } from './forwarding-table.ts';

/** Where the forwarder of a state folder and its manager meet. */
export interface ForwarderFiles {
  readonly folder: string;
  readonly table: string;
  readonly claims: string;
  readonly reports: string;
  readonly log: string;
}

/** The files of a state folder; the folders are made where they are missing, for us alone. */
export function forwarderFiles(stateFolder: string): ForwarderFiles {
  const folder = join(stateFolder, 'forwarder');
  const files = {
    folder,
    table: join(folder, 'table.json'),
    claims: join(folder, 'claims'),
    reports: join(folder, 'reports'),
    log: join(folder, 'log'),
  };
  for (const path of [files.claims, files.reports]) mkdirSync(path, { recursive: true, mode: 0o700 });
  return files;
}

/** Replaces a file as a whole: who reads it has the old text or the new one. */
export function replaceFile(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, text, { mode: 0o600 });
  renameSync(temporary, path);
}

/** The text of a file, or undefined where there is none that can be read. */
export function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Where a forwarder writes its report. */
export function reportFile(files: ForwarderFiles, identity: string): string {
  return join(files.reports, `${pidOf(identity)}.json`);
}

/** A forwarder that ends takes its report away. */
export function removeReport(files: ForwarderFiles, identity: string): void {
  rmSync(reportFile(files, identity), { force: true });
}

/** A report, or what was to become one, with the id of the process that wrote it. */
const reportName = /^(\d+)\.json(\.\d+\.tmp)?$/;

/**
 * The reports of forwarders that run: the one that has the folder, and those it relieved. What cannot be read is not there, and what no
 * process that runs has written is taken away: a file that a crash or a full disk left must not keep anybody from going on.
 */
export function readReports(files: ForwarderFiles): ForwarderReport[] {
  return namesIn(files.reports).flatMap(name => {
    const [, pid, isTemporary] = reportName.exec(name) ?? [];
    if (pid === undefined) return [];
    const path = join(files.reports, name);
    if (isTemporary !== undefined) {
      if (!identityOf(Number(pid))) takeAway(path);
      return [];
    }
    const text = textOf(path);
    const report = text === undefined ? undefined : parseReport(text);
    // A forwarder whose report is taken away writes it again.
    if (!report || !runs(report.identity)) takeAway(path);
    else if (report.version === tableVersion) return [report as ForwarderReport];
    return [];
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function takeAway(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // It is not counted either way.
  }
}
