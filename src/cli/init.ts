import { mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { finding } from '../api/finding.ts';
import type { RunCommand } from './command.ts';
import { firstCloud } from './first-cloud.ts';
import { sayFindings } from './say-findings.ts';

/** Writes a record and a package to start from, or nothing at all where a file of that name is already there. */
export const run: RunCommand = async ({ words, options }, terminal) => {
  const folder = resolve(terminal.folder, words[0] ?? '.');
  const name = String(options['name']);
  if (!/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name) || name.length > 63) {
    const message = `${JSON.stringify(name)} is no name for a cloud: small letters, digits and dashes, at most 63`;
    terminal.tell(sayFindings([finding('UsageInvalid', message)], terminal.paint));
    return 'usage';
  }
  const files = firstCloud(name).map(({ path, text }) => ({ path: join(folder, path), text }));
  const there = await Promise.all(files.map(async ({ path }) => ((await exists(path)) ? [path] : [])));
  if (there.flat().length > 0) {
    const findings = there
      .flat()
      .map(file => finding('FileExists', 'is already there; nothing was written', { file }));
    terminal.tell(sayFindings(findings, terminal.paint));
    return 'invalid';
  }
  for (const { path, text } of files) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { flag: 'wx' });
  }
  const shown = files.map(({ path }) => `  ${relative(terminal.folder, path)}\n`).join('');
  const record = relative(terminal.folder, join(folder, 'cloud.yaml'));
  terminal.print(`Written:\n${shown}Next: afloat plan ${record}\n`);
  return 'ok';
};

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
