import type { PackageFile, PackageLimits } from '../source.ts';
import { parentParts } from './package-path.ts';

/** A file or link of a package; folders are known by what lies in them. */
export type TreeNode =
  | { readonly type: 'file'; readonly bytes: Uint8Array; readonly executable: boolean }
  | { readonly type: 'symlink' | 'hardlink'; readonly target: string };

/** A link that cannot be followed. */
export interface LinkProblem {
  readonly code: 'PackageUnsafe' | 'PackageInvalid' | 'PackageTooLarge';
  readonly path: string;
  readonly message: string;
}

type Resolved =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly problem: Omit<LinkProblem, 'path'> };

/** As many links in one path as Linux follows. */
const maxHops = 40;

/**
 * Puts in the place of every link what it leads to: a file, or all files of a folder. A link that leads out of the
 * package, round in circles or to nothing is a problem. `top` are the folders that were taken away from around the
 * nodes; names in hard links still begin with them. Copies count against the limits, so that a few links to each
 * other cannot become a million files.
 */
export function followLinks(
  nodes: ReadonlyMap<string, TreeNode>,
  top: readonly string[],
  limits: PackageLimits,
): { files: readonly PackageFile[]; problems: readonly LinkProblem[] } {
  const follower = new LinkFollower(nodes, top, limits);
  for (const path of nodes.keys()) follower.take(path, path, []);
  return { files: follower.files, problems: follower.problems };
}

class LinkFollower {
  readonly files: PackageFile[] = [];
  readonly problems: LinkProblem[] = [];
  readonly #nodes: ReadonlyMap<string, TreeNode>;
  readonly #top: readonly string[];
  readonly #limits: PackageLimits;
  #followed = 0;
  #bytes = 0;
  #full = false;

  constructor(nodes: ReadonlyMap<string, TreeNode>, top: readonly string[], limits: PackageLimits) {
    this.#nodes = nodes;
    this.#top = top;
    this.#limits = limits;
  }

  /** Puts what is at `from` to `to`. `open` are the folders being copied right now. */
  take(from: string, to: string, open: readonly string[]): void {
    const node = this.#nodes.get(from);
    if (node === undefined || !this.#hasRoom(to, node)) return;
    if (node.type === 'file') {
      this.files.push({ path: to, bytes: node.bytes, executable: node.executable });
      return;
    }
    const resolved = this.#resolve(from, node);
    if (!resolved.ok) this.#refuse(to, resolved.problem);
    else if (this.#nodes.has(resolved.path)) this.take(resolved.path, to, open);
    else this.#takeFolder({ link: from, folder: resolved.path, to, open });
  }

  #takeFolder(copy: { link: string; folder: string; to: string; open: readonly string[] }): void {
    const { link, folder, to, open } = copy;
    const prefix = folder === '' ? '' : `${folder}/`;
    if (link.startsWith(prefix) || open.includes(folder)) {
      this.#refuse(to, circle);
      return;
    }
    const inside = [...this.#nodes.keys()].filter(path => path.startsWith(prefix));
    if (inside.length === 0) this.#refuse(to, nothing);
    for (const path of inside) this.take(path, `${to}/${path.slice(prefix.length)}`, [...open, folder]);
  }

  /** Where a link leads, walking part by part as the system does, since a part may be a link itself. */
  #resolve(from: string, link: Exclude<TreeNode, { type: 'file' }>): Resolved {
    const start = this.#start(from, link);
    if (!start.ok) return start;
    const { at, ahead } = start;
    for (let hops = 0; ahead.length > 0; ) {
      const part = ahead.shift();
      if (part === undefined || part === '' || part === '.') continue;
      if (part === '..') {
        if (at.pop() === undefined) return { ok: false, problem: out };
        continue;
      }
      at.push(part);
      const node = this.#nodes.get(at.join('/'));
      if (node === undefined || node.type === 'file') continue;
      if (++hops > maxHops) return { ok: false, problem: circle };
      const next = this.#start(at.join('/'), node);
      if (!next.ok) return next;
      at.splice(0, at.length, ...next.at);
      ahead.unshift(...next.ahead);
    }
    return { ok: true, path: at.join('/') };
  }

  #start(
    from: string,
    link: Exclude<TreeNode, { type: 'file' }>,
  ): { ok: true; at: string[]; ahead: string[] } | { ok: false; problem: Omit<LinkProblem, 'path'> } {
    const ahead = link.target.split('/').filter(part => part !== '' && part !== '.');
    if (link.target.startsWith('/')) return { ok: false, problem: out };
    if (link.type === 'symlink') return { ok: true, at: parentParts(from), ahead };
    const isInTop = this.#top.every((part, index) => ahead[index] === part);
    return isInTop ? { ok: true, at: [], ahead: ahead.slice(this.#top.length) } : { ok: false, problem: out };
  }

  #hasRoom(path: string, node: TreeNode): boolean {
    if (this.#full) return false;
    if (node.type === 'file') this.#bytes += node.bytes.length;
    else this.#followed++;
    const { files, totalBytes } = this.#limits;
    if (this.files.length < files && this.#followed <= files && this.#bytes <= totalBytes) return true;
    this.#full = true;
    this.#refuse(path, {
      code: 'PackageTooLarge',
      message: 'and other links copy more than a package may hold',
    });
    return false;
  }

  #refuse(path: string, problem: Omit<LinkProblem, 'path'>): void {
    this.problems.push({ ...problem, path });
  }
}

const out = { code: 'PackageUnsafe', message: 'is a link that leads out of the package' } as const;
const circle = { code: 'PackageUnsafe', message: 'is a link that leads round in a circle' } as const;
const nothing = { code: 'PackageInvalid', message: 'is a link that leads to nothing' } as const;
