import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pidOf, runs } from './forwarder-identity.ts';
import type { ForwarderReport } from './forwarder-report.ts';
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

/** The reports of forwarders that run: the one that has the folder, and those it relieved. */
export function readReports(files: ForwarderFiles): ForwarderReport[] {
  return readdirSync(files.reports).flatMap(name => {
    const text = name.endsWith('.json') ? textOf(join(files.reports, name)) : undefined;
    const report = text === undefined ? undefined : (JSON.parse(text) as ForwarderReport);
    return report?.version === tableVersion && runs(report.identity) ? [report] : [];
  });
}
