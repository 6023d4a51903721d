import { type Finding, finding } from '../../api/finding.ts';
import { compareText } from '../../base/json.ts';
import { type PackageLimits, type PackageRead, packageLimits } from '../source.ts';
import { followLinks, type TreeNode } from './follow-links.ts';
import { checkPath, isVersionControl } from './package-path.ts';

/** One entry as a folder or an archive has it. Nothing about it is trusted yet. */
export interface TreeEntry {
  readonly path: string;
  readonly content:
    | { readonly type: 'file'; readonly bytes: Uint8Array; readonly executable: boolean }
    | { readonly type: 'folder' }
    /** From the folder of the link, as the system resolves it. */
    | { readonly type: 'symlink'; readonly target: string }
    /** A second name of an entry of the same archive, from the root of the archive. */
    | { readonly type: 'hardlink'; readonly target: string }
    /** Anything that is not content: a device, a pipe, a socket. */
    | { readonly type: 'other'; readonly what: string };
}

/**
 * The one place that decides what a package may hold, whatever it is read from. A source asks `takeRoom` before it
 * reads the bytes of a file, adds every entry, ends its walk when `isFull`, and hands on what `finish` gives: the
 * files, or every entry that is refused.
 */
export class PackageTree {
  readonly #location: string;
  readonly #limits: PackageLimits;
  readonly #nodes = new Map<string, TreeNode>();
  readonly #folders = new Set<string>();
  readonly #findings: Finding[] = [];
  #entries = 0;
  #bytes = 0;
  #full = false;

  constructor(location: string, limits: PackageLimits = packageLimits) {
    this.#location = location;
    this.#limits = limits;
  }

  /** Whether a limit is passed; nothing more needs to be read, the package is refused. */
  get isFull(): boolean {
    return this.#full;
  }

  /** Whether the entry is no part of the package, so that its content need not be read. */
  leavesOut(path: string): boolean {
    return isVersionControl(path.split('/'));
  }

  /** Takes room for the bytes of a file. False when there is none; the walk then ends. */
  takeRoom(path: string, size: number): boolean {
    const { fileBytes, totalBytes } = this.#limits;
    if (size > fileBytes) return this.#tooLarge(`${quote(path)} has more than ${fileBytes} bytes`);
    this.#bytes += size;
    return this.#bytes <= totalBytes || this.#tooLarge(`its files have more than ${totalBytes} bytes`);
  }

  /** Adds an entry; one that is refused is kept as a finding, and the walk goes on to find the others. */
  add({ path: written, content }: TreeEntry): void {
    // Counted before it is looked at: a million refused entries are too many, too.
    if (this.leavesOut(written) || !this.#countsUp(content.type)) return;
    const checked = checkPath(written);
    if (!checked.ok) {
      this.#unsafe(written, checked.problem);
      return;
    }
    const path = checked.parts.join('/');
    const problem = this.#problemWith(path, content);
    if (problem !== undefined) this.#unsafe(path || written, problem);
    else if (content.type === 'folder') this.#folders.add(path);
    else if (content.type !== 'other') this.#nodes.set(path, content);
  }

  #problemWith(path: string, content: TreeEntry['content']): string | undefined {
    if (content.type === 'other') return `is ${content.what}`;
    const isFolder = content.type === 'folder';
    if (path === '') return isFolder ? undefined : 'is not a path';
    if (this.#nodes.has(path) && !isFolder) return 'is there twice';
    const isBoth = isFolder ? this.#nodes.has(path) : this.#folders.has(path);
    return isBoth ? 'is there as a folder and as something else' : undefined;
  }

  /** The files with links followed and lone top folders taken away, or the findings. */
  finish(): PackageRead {
    this.#findNodesBelowNodes();
    if (this.#findings.length > 0) return { ok: false, findings: this.#findings };
    const { nodes, top } = withoutTopFolder(this.#nodes);
    const followed = followLinks(nodes, top, this.#limits);
    for (const problem of followed.problems) {
      this.#findings.push(finding(problem.code, this.#says(`${quote(problem.path)} ${problem.message}`)));
    }
    if (this.#findings.length > 0) return { ok: false, findings: this.#findings };
    const files = [...followed.files].sort((a, b) => compareText(a.path, b.path));
    return { ok: true, files };
  }

  /** A path below a file or a link would be written through it by a careless reader. */
  #findNodesBelowNodes(): void {
    for (const path of [...this.#nodes.keys(), ...this.#folders]) {
      const parts = path.split('/');
      for (let end = 1; end < parts.length; end++) {
        const above = parts.slice(0, end).join('/');
        if (this.#nodes.has(above)) this.#unsafe(path, `lies below ${quote(above)}, which is no folder`);
      }
    }
  }

  #countsUp(type: TreeEntry['content']['type']): boolean {
    this.#entries++;
    const { files } = this.#limits;
    const nodes = this.#nodes.size + (type === 'folder' ? 0 : 1);
    // Folders are no files, but millions of empty ones must not keep us busy either.
    if (nodes <= files && this.#entries <= 4 * files) return true;
    return this.#tooLarge(`it has more than ${files} files`);
  }

  #tooLarge(message: string): false {
    if (!this.#full) this.#findings.push(finding('PackageTooLarge', this.#says(message)));
    this.#full = true;
    return false;
  }

  #unsafe(path: string, message: string): void {
    this.#findings.push(finding('PackageUnsafe', this.#says(`${quote(path)} ${message}`)));
  }

  #says(message: string): string {
    return `package ${this.#location}: ${message}`;
  }
}

/**
 * An archive is often packed with its folder around it. What lies in one top folder is read as if that were the root,
 * however deep, so that a folder and every way to pack it give the same files.
 */
function withoutTopFolder(nodes: ReadonlyMap<string, TreeNode>): {
  nodes: ReadonlyMap<string, TreeNode>;
  top: readonly string[];
} {
  const paths = [...nodes.keys()].map(path => path.split('/'));
  const [first = []] = paths;
  let depth = 0;
  // No path ends where another goes on: that was refused before.
  while (first.length > depth + 1 && paths.every(parts => parts[depth] === first[depth])) depth++;
  const cut = [...nodes].map(([path, node]) => [path.split('/').slice(depth).join('/'), node] as const);
  return { nodes: new Map(cut), top: first.slice(0, depth) };
}

/** Paths come from strangers: control characters must not reach a terminal. */
function quote(path: string): string {
  return JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}...` : path);
}
