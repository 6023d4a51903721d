import { lstat, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { type Finding, finding } from '../api/finding.ts';
import { makeFolder } from '../app/make-folder.ts';
import type { RunCommand } from './command.ts';
import { firstCloud } from './first-cloud.ts';
import { sayFindings } from './say-findings.ts';

interface NewFile {
  readonly path: string;
  readonly text: string;
}

/** Writes a record and a package to start from, or nothing at all where a file of that name is already there. */
export const run: RunCommand = async ({ words, options }, terminal) => {
  const folder = resolve(terminal.folder, words[0] ?? '.');
  const shown = (path: string) => {
    const near = relative(terminal.folder, path);
    return near.startsWith('..') ? path : near;
  };
  const name = String(options['name']);
  if (!/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name) || name.length > 63) {
    const message = `${JSON.stringify(name)} is no name for a cloud: small letters, digits and dashes, at most 63`;
    terminal.tell(sayFindings([finding('UsageInvalid', message)], terminal.paint));
    return 'usage';
  }
  const files = firstCloud(name).map(({ path, text }) => ({ path: join(folder, path), text }));
  const findings = await filesInTheWay(files);
  if (findings.length === 0) findings.push(...(await writeAll(files)));
  if (findings.length > 0) {
    const places = findings.map(({ file, ...found }) => ({ ...found, file: shown(file ?? folder) }));
    terminal.tell(sayFindings(places, terminal.paint));
    return 'invalid';
  }
  const list = files.map(({ path }) => `  ${shown(path)}\n`).join('');
  const record = shellWord(shown(join(folder, 'cloud.yaml')));
  terminal.print(`Written:\n${list}Next: afloat plan ${record}\n`);
  return 'ok';
};

async function filesInTheWay(files: readonly NewFile[]): Promise<Finding[]> {
  const there = await Promise.all(files.map(async ({ path }) => ((await exists(path)) ? [path] : [])));
  return there.flat().map(file => finding('FileExists', 'is already there; nothing was written', { file }));
}

/** A link counts, even one that leads nowhere. */
async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** All files or none: what was written before a failure is taken away again. */
async function writeAll(files: readonly NewFile[]): Promise<Finding[]> {
  const written: string[] = [];
  for (const { path, text } of files) {
    try {
      await makeFolder(dirname(path));
      await writeFile(path, text, { flag: 'wx' });
      written.push(path);
    } catch (error) {
      await Promise.all(written.map(file => rm(file)));
      const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
      return [finding('FileUnwritable', `cannot be written (${code})`, { file: path })];
    }
  }
  return [];
}

/** A path that can be pasted into a shell. */
function shellWord(path: string): string {
  return /^[\w./@%+=:,-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
