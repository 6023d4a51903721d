import { constants } from 'node:fs';
import { lstat, open, realpath } from 'node:fs/promises';
import { isAbsolute, join, normalize, sep } from 'node:path';
import { type Finding, finding } from '../../api/finding.ts';
import type { Source } from '../../api/openstack-deployment.ts';
import { type PackageLimits, type PackageRead, type PackageSource, packageLimits } from '../source.ts';
import { unreadable } from './unreadable.ts';

/**
 * Reads packages and single files below one folder of the operator, and nothing outside it, whatever a location says and wherever links
 * lead. An absolute location that does not lie there is taken from that folder too: existing manifests name paths of the machine they were
 * written for.
 */
export class RootedSource implements PackageSource {
  readonly #root: string;
  readonly #inside: (base: string) => PackageSource;
  readonly #limits: PackageLimits;

  /** `inside` reads a package at a place that was found to be below the root. */
  constructor(root: string, inside: (base: string) => PackageSource, limits: PackageLimits = packageLimits) {
    this.#root = normalize(root);
    this.#inside = inside;
    this.#limits = limits;
  }

  async read(source: Source): Promise<PackageRead> {
    if (source.type === 'git') return refuse('PackageNotFound', `${source.location} is no folder or archive`);
    const place = await this.#placeOf(source.location);
    if ('findings' in place) return { ok: false, findings: place.findings };
    const read = await this.#inside(place.root).read({ ...source, location: place.path });
    if (read.ok) return read;
    // What is shown is what was written, not where it lies on this machine.
    const shown = (text: string) => text.replaceAll(place.path, source.location);
    return { ok: false, findings: read.findings.map(one => ({ ...one, message: shown(one.message) })) };
  }

  async readFile(location: string): Promise<PackageRead> {
    const place = await this.#placeOf(location);
    if ('findings' in place) return { ok: false, findings: place.findings };
    try {
      const file = await open(place.path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
      try {
        const stat = await file.stat();
        if (!stat.isFile()) return refuse('PackageNotFound', `${location} is no file`);
        if (stat.size > this.#limits.fileBytes)
          return refuse('PackageTooLarge', `${location} is larger than ${this.#limits.fileBytes} bytes`);
        const bytes = await file.readFile();
        const path = place.path.slice(place.path.lastIndexOf(sep) + 1);
        return { ok: true, files: [{ path, bytes, executable: false }] };
      } finally {
        await file.close();
      }
    } catch (error) {
      return { ok: false, findings: [unreadable(location, error)] };
    }
  }

  /** Where a location really lies; findings where that is nowhere, or outside. */
  async #placeOf(
    location: string,
  ): Promise<{ readonly root: string; readonly path: string } | { readonly findings: readonly Finding[] }> {
    if (location.includes('\0') || location.split('/').includes('..')) return outside(location);
    try {
      const root = await realpath(this.#root);
      const isBelow = isAbsolute(location) && isIn(this.#root, normalize(location));
      const path = await realpath(isBelow ? location : join(root, location));
      if (!isIn(root, path)) return outside(location);
      await lstat(path);
      return { root, path };
    } catch (error) {
      return { findings: [unreadable(location, error)] };
    }
  }
}

function isIn(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);
}

function outside(location: string): { readonly findings: readonly Finding[] } {
  const advice = 'Name a place below the folder that the operator was given as `--package-root`.';
  return { findings: [finding('PackageUnsafe', `${location} leads out of the package root`, {}, advice)] };
}

function refuse(code: Parameters<typeof finding>[0], message: string): PackageRead {
  return { ok: false, findings: [finding(code, message)] };
}
