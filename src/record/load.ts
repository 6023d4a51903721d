import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Finding, finding } from '../api/finding.ts';
import { compareText } from '../base/json.ts';
import { type Parsed, parseYaml, tooLarge } from './parse-yaml.ts';
import { maxTextLength } from './yaml-limits.ts';

/** What standard input is called in messages. */
export const standardInput = '<stdin>';

/**
 * Reads the documents of files, of folders (every *.yaml and *.yml right in it, by name, hidden ones left out) and, for
 * `-`, of the text that came in on standard input. A file that is named twice is read once. What cannot be read is a
 * finding; this never throws for a path.
 */
export async function load(paths: readonly string[], stdin = ''): Promise<Parsed> {
  const results: Parsed[] = [];
  const seen = new Set<string>();
  for (const path of paths) {
    const { files, findings } = path === '-' ? { files: [path], findings: [] } : await listFiles(path);
    results.push({ manifests: [], findings });
    for (const file of files) {
      const identity = file === '-' ? file : resolve(file);
      if (seen.has(identity)) continue;
      seen.add(identity);
      results.push(file === '-' ? parseYaml(standardInput, stdin) : await loadFile(file));
    }
  }
  return {
    manifests: results.flatMap(result => result.manifests),
    findings: results.flatMap(result => result.findings),
  };
}

async function listFiles(path: string): Promise<{ files: readonly string[]; findings: readonly Finding[] }> {
  try {
    if (!(await stat(path)).isDirectory()) return { files: [path], findings: [] };
    const entries = await readdir(path, { withFileTypes: true });
    const files = entries
      .filter(entry => !entry.isDirectory() && /^[^.].*\.ya?ml$/.test(entry.name))
      .map(entry => join(path, entry.name))
      .sort(compareText);
    if (files.length > 0) return { files, findings: [] };
    return {
      files,
      findings: [finding('FileEmpty', 'there is no *.yaml or *.yml in the folder', { file: path })],
    };
  } catch (error) {
    return { files: [], findings: [unreadable(path, error)] };
  }
}

async function loadFile(file: string): Promise<Parsed> {
  let bytes: Uint8Array | undefined;
  try {
    bytes = await readLimited(file);
  } catch (error) {
    return { manifests: [], findings: [unreadable(file, error)] };
  }
  if (!bytes) return { manifests: [], findings: [tooLarge(file)] };
  const text = decode(bytes);
  if (text !== undefined) return parseYaml(file, text);
  const notText = finding('FileNotText', 'the file holds bytes that are not UTF-8', { file });
  return { manifests: [], findings: [notText] };
}

/** The bytes of a file, or undefined when there are too many. A device or pipe has no size, so the limit is kept while reading too. */
async function readLimited(file: string): Promise<Uint8Array | undefined> {
  const handle = await open(file, 'r');
  try {
    if ((await handle.stat()).size > maxTextLength) return undefined;
    return await readUpTo(handle, maxTextLength);
  } finally {
    await handle.close();
  }
}

async function readUpTo(handle: FileHandle, limit: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { bytesRead, buffer } = await handle.read(new Uint8Array(64 * 1024));
    if (bytesRead === 0) return Buffer.concat(chunks);
    size += bytesRead;
    if (size > limit) return undefined;
    chunks.push(buffer.subarray(0, bytesRead));
  }
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function unreadable(file: string, error: unknown): Finding {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason = reasons[code] ?? (code || 'for a reason the system does not tell');
  return finding('FileUnreadable', `it cannot be read: ${reason}`, { file });
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is no folder',
  ELOOP: 'its links go round in a circle',
};
