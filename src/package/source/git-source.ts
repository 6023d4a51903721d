import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Finding, finding } from '../../api/finding.ts';
import type { Source } from '../../api/openstack-deployment.ts';
import { type PackageLimits, type PackageRead, type PackageSource, packageLimits } from '../source.ts';
import { type GitAnswer, type GitBounds, runGit } from './git-process.ts';
import { checkPath } from './package-path.ts';
import { PackageTree } from './package-tree.ts';

export interface GitOptions {
  /** Addresses that are paths are taken from here. */
  readonly base: string;
  /** Protocols that may be spoken. */
  readonly protocols: readonly ('https' | 'ssh' | 'file')[];
  readonly limits?: PackageLimits;
  /** For each call of git. */
  readonly seconds?: number;
  /** The most that is fetched. */
  readonly fetchBytes?: number;
}

/** One file of a commit. */
interface Blob {
  readonly path: string;
  readonly mode: string;
  readonly id: string;
  readonly size: number;
}

/**
 * Reads packages out of git repositories, at a commit. The real git fetches that commit, and nothing else where the server allows it, into
 * a folder that is gone afterwards; files are taken from there as they were committed. Nothing is checked out, so no filter, hook or
 * submodule of the repository comes into play.
 */
export class GitSource implements PackageSource {
  readonly #options: GitOptions;

  constructor(options: GitOptions) {
    this.#options = options;
  }

  async read(source: Source): Promise<PackageRead> {
    const { commit, path = '' } = source;
    const address = this.#addressOf(source.location);
    if ('refused' in address) return { ok: false, findings: [address.refused] };
    if (commit === undefined || !/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(commit)) {
      const message = `${JSON.stringify(commit ?? '')} is not the full id of a commit`;
      return refuse('FieldInvalid', message, 'Write all 40 or 64 digits: branches and tags can move.');
    }
    const inside = checkPath(path);
    if (!inside.ok) return refuse('PackageUnsafe', `path ${JSON.stringify(path)} ${inside.problem}`);
    const folder = await mkdtemp(join(tmpdir(), 'afloat-git-'));
    try {
      return await this.#readAt(folder, address.url, { ...source, commit, path: inside.parts.join('/') });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #readAt(folder: string, url: string, source: Required<Source>): Promise<PackageRead> {
    const { commit, location, path } = source;
    const git = (words: readonly string[], input?: string) => runGit(folder, words, this.#bounds(), input);
    const fetched = await fetchCommit(git, url, commit);
    if (!fetched.ok) return refuse('GitFailed', `${location}: ${fetched.because}`);
    const listed = await git(['ls-tree', '-r', '-l', '-z', '--full-tree', `${commit}:${path}`]);
    if (!listed.ok) {
      const where = path === '' ? '' : ` with a folder ${path}`;
      return refuse('PackageNotFound', `${location} has no commit ${commit.slice(0, 12)}${where}`);
    }
    return this.#readBlobs(git, location, blobsIn(listed.bytes.toString('utf8')));
  }

  async #readBlobs(git: Git, location: string, blobs: readonly Blob[]): Promise<PackageRead> {
    const tree = new PackageTree(location, this.#options.limits);
    const wanted = blobs.filter(({ path }) => !tree.leavesOut(path));
    for (const { path, size, mode } of wanted)
      if (isBytes(mode) && !tree.isFull && !tree.takeRoom(path, size)) break;
    if (tree.isFull) return tree.finish();
    const ids = [...new Set(wanted.filter(({ mode }) => isBytes(mode)).map(({ id }) => id))];
    const read = await git(['cat-file', '--batch'], ids.map(id => `${id}\n`).join(''));
    if (!read.ok) return refuse('GitFailed', `${location}: ${read.because}`);
    const contents = contentsIn(read.bytes);
    for (const { path, mode, id } of wanted) {
      const bytes = contents.get(id);
      if (!isBytes(mode)) tree.add({ path, content: { type: 'other', what: 'a submodule' } });
      else if (!bytes) return refuse('GitFailed', `${location}: ${path} is not there`);
      else if (mode === '120000')
        tree.add({ path, content: { type: 'symlink', target: bytes.toString('utf8') } });
      else tree.add({ path, content: { type: 'file', bytes, executable: mode === '100755' } });
    }
    return tree.finish();
  }

  #bounds(): GitBounds {
    const { seconds = 120, fetchBytes = 256 * 1024 ** 2, protocols, limits = packageLimits } = this.#options;
    const answerBytes = limits.totalBytes + limits.files * 2048;
    return { seconds, fileBytes: fetchBytes, answerBytes, protocols };
  }

  /** What git is asked for; it must not take a word for an option, nor a helper's name for a protocol. */
  #addressOf(location: string): { readonly url: string } | { readonly refused: Finding } {
    const { protocols, base } = this.#options;
    const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(location) ?? [];
    const isShort = scheme === undefined && /^[\w.-]+@[\w.-]+:[^:]/.test(location);
    const spoken = scheme?.toLowerCase() ?? (isShort ? 'ssh' : 'file');
    const problem = addressProblem(location, spoken, protocols);
    if (problem) return { refused: problem };
    if (scheme !== undefined || isShort) return { url: location };
    return { url: resolve(base, location) };
  }
}

type Git = (words: readonly string[], input?: string) => Promise<GitAnswer>;

/** Only the commit, where the server gives it by its id; otherwise all branches and tags, and the commit among them. */
async function fetchCommit(git: Git, url: string, commit: string): Promise<GitAnswer> {
  const format = commit.length === 64 ? ['--object-format=sha256'] : [];
  const made = await git(['init', '--quiet', '--bare', '--template=', ...format]);
  if (!made.ok) return made;
  const fetch = ['fetch', '--quiet', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head'];
  const direct = await git([...fetch, '--depth=1', '--', url, commit]);
  if (
    direct.ok ||
    !/not our ref|unadvertised|no such remote ref|couldn't find remote ref/i.test(direct.because)
  )
    return direct;
  const all = await git([...fetch, '--', url, '+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*']);
  if (!all.ok) return all;
  const there = await git(['cat-file', '-e', `${commit}^{commit}`]);
  return there.ok ? there : { ok: false, because: `no branch or tag has the commit ${commit.slice(0, 12)}` };
}

/** `<mode> <type> <id> <size>\t<path>`, each ended by a NUL. */
function blobsIn(list: string): Blob[] {
  return list
    .split('\0')
    .filter(line => line !== '')
    .map(line => {
      const [about = '', ...path] = line.split('\t');
      const [mode = '', , id = '', size = '0'] = about.split(/ +/);
      return { mode, id, size: Number(size) || 0, path: path.join('\t') };
    });
}

/** `<id> blob <size>\n<bytes>\n`, one after the other. */
function contentsIn(answer: Buffer): ReadonlyMap<string, Buffer> {
  const contents = new Map<string, Buffer>();
  let at = 0;
  while (at < answer.length) {
    const lineEnd = answer.indexOf('\n', at);
    if (lineEnd < 0) break;
    const [id = '', type, size] = answer.subarray(at, lineEnd).toString('latin1').split(' ');
    at = lineEnd + 1;
    if (type === 'missing') continue;
    contents.set(id, answer.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return contents;
}

function isBytes(mode: string): boolean {
  return mode !== '160000';
}

function addressProblem(
  location: string,
  spoken: string,
  protocols: GitOptions['protocols'],
): Finding | undefined {
  if (/^-|\p{Cc}|\s/u.test(location) || /^[\w+.-]+::/.test(location))
    return finding('PackageUnsafe', `${JSON.stringify(location)} is no address of a repository`);
  if (/^[a-z+.-]+:\/\/[^/@]*:[^/@]*@/i.test(location)) {
    const message = 'the address of a repository has a password in it';
    return finding('InlineSecret', message, {}, 'Leave it out, and use a key of ssh or a public address.');
  }
  if (protocols.some(protocol => protocol === spoken)) return undefined;
  const advice = `Use one of ${protocols.join(', ')}.`;
  return finding('PackageUnsafe', `repositories are not read over ${spoken} here`, {}, advice);
}

function refuse(code: Parameters<typeof finding>[0], message: string, advice?: string): PackageRead {
  return { ok: false, findings: [finding(code, message, {}, advice)] };
}
