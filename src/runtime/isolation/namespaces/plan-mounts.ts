import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { CodedError } from '../../../base/coded-error.ts';
import type { ContainerSpec, Mount } from '../../container/containers.ts';
import { findInside } from '../find-inside.ts';
import type { RunPlace } from '../isolation.ts';
import { findInRoot, type PlaceInRoot } from './find-in-root.ts';
import { bind, kernelFilesystem, type MountLine, overlayTakes } from './mount-line.ts';
import { layerOver, makeMountPoint, mountEntries, smallDev } from './private-root.ts';

/** What to mount for a run, and the root to change to; without one, the machine's. */
export interface MountPlan {
  readonly lines: readonly MountLine[];
  readonly root?: string;
}

interface Target extends Mount {
  readonly place: PlaceInRoot;
  readonly isFolder: boolean;
}

/**
 * What a run sees where. A place to mount on that does not exist is never made on the machine's own filesystem: the nearest folder that
 * exists gets a private layer for this run, and where it cannot have one (mounts below it would be hidden, or the state folder is in
 * it) the run gets a private root with the machine's folders mounted into it.
 */
export function planMounts(spec: ContainerSpec, place: RunPlace): MountPlan {
  const targets = targetsOf(spec, place);
  if (spec.root !== undefined) return inImage(spec.root, targets, place);
  const inner = targets.filter(target => isBelowAnother(target, targets));
  const outer = targets.filter(target => !inner.includes(target));
  const missing = outer.filter(target => !target.place.exists);
  const parents = [...new Set(missing.map(target => target.place.nearest))].toSorted(byDepth);
  const withMounts = new Set(parents.filter(parent => !canHaveLayer(parent, place)));
  const coversState = outer.some(target => isWithin(place.runFolder, target.place.path));
  const root = withMounts.size > 0 || coversState ? join(place.runFolder, 'root') : '';
  const lines = [
    ...(root ? mountEntries('/', root, root).filter(line => !line.startsWith('/proc ')) : []),
    kernelFilesystem('proc', join(root, '/proc'), 'nosuid,nodev,noexec'),
  ];
  parents.forEach((parent, index) => {
    const layer = join(place.runFolder, 'layers', String(index));
    const at = join(root, parent);
    const upper = parent === '/' ? root : join(layer, 'upper');
    if (parent !== '/' && withMounts.has(parent)) {
      lines.push(bind(upper, at, { readOnly: false, recursive: false }), ...mountEntries(parent, upper, at));
    } else if (parent !== '/') lines.push(layerOver(parent, layer, at));
    for (const target of missing.filter(one => one.place.nearest === parent)) {
      makeMountPoint(upper, parent, posix.relative(parent, target.place.path), target.isFolder);
    }
  });
  lines.push(...bindAll([...outer, ...inner], root));
  return root ? { lines, root } : { lines };
}

/** The root that a run with such a plan was given; undefined where it has the machine's. */
export function rootOf(runFolder: string): string | undefined {
  const root = join(runFolder, 'root');
  return existsSync(root) ? root : undefined;
}

/** A folder as the root: with a private layer, so that runs do not change the image or each other. */
function inImage(image: string, targets: readonly Target[], place: RunPlace): MountPlan {
  const root = join(place.runFolder, 'root');
  const layer = join(place.runFolder, 'layers', 'image');
  makeMountPoint(root, image, '', true);
  const lines = [layerOver(image, layer, root)];
  const own: readonly { readonly path: string; readonly isFolder: boolean }[] = [
    ...['/proc', '/dev', '/sys'].map(path => ({ path: findInRoot(image, path).path, isFolder: true })),
    ...targets
      .filter(one => !isBelowAnother(one, targets))
      .map(one => ({ path: one.place.path, isFolder: one.isFolder })),
  ];
  for (const { path, isFolder } of own) {
    // `/dev` is not the image's but the run's own, and so are places in it.
    if (path.startsWith('/dev/')) {
      makeMountPoint(join(place.runFolder, 'dev'), image, path.slice('/dev/'.length), isFolder);
    } else if (!existsSync(join(image, path))) makeMountPoint(join(layer, 'upper'), image, path, isFolder);
  }
  lines.push(
    kernelFilesystem('proc', join(root, 'proc'), 'nosuid,nodev,noexec'),
    kernelFilesystem('sysfs', join(root, 'sys'), 'ro,nosuid,nodev,noexec'),
    ...smallDev(join(place.runFolder, 'dev'), join(root, 'dev')),
    ...bindAll(targets, root),
  );
  return { lines, root };
}

function targetsOf(spec: ContainerSpec, { podFolder }: RunPlace): Target[] {
  const hosts = { source: join(podFolder, 'etc-hosts'), target: '/etc/hosts', readOnly: false };
  const hasOwn = spec.mounts.some(mount => posix.normalize(mount.target) === hosts.target);
  const mounts = !hasOwn && existsSync(hosts.source) ? [hosts, ...spec.mounts] : spec.mounts;
  return mounts
    .map(mount => ({
      ...mount,
      place: findInRoot(spec.root ?? '/', mount.target),
      isFolder: statSync(mount.source, { throwIfNoEntry: false })?.isDirectory() ?? true,
    }))
    .toSorted((a, b) => byDepth(a.place.path, b.place.path));
}

/** Outer ones first. Where one is inside another volume, its mount point is made there, as on a cluster. */
function bindAll(targets: readonly Target[], root: string): MountLine[] {
  return targets
    .toSorted((a, b) => byDepth(a.place.path, b.place.path))
    .map(target => {
      const outer = targets.findLast(
        other => other !== target && isWithin(target.place.path, other.place.path),
      );
      if (outer?.isFolder) makeInside(outer, target);
      return bind(target.source, join(root, target.place.path), {
        readOnly: target.readOnly,
        recursive: target.isFolder,
      });
    });
}

/** A program may have put a link on the way: the machine's own folders are none of its. */
function makeInside(outer: Target, target: Target): void {
  const inside = findInside(outer.source, posix.relative(outer.place.path, target.place.path));
  if (!inside) {
    throw new CodedError(
      'MountRefused',
      `${target.target}: a link in the volume at ${outer.target} leads out of it`,
    );
  }
  if (inside.exists) return;
  const volume = realpathSync(outer.source);
  makeMountPoint(volume, volume, posix.relative(volume, inside.path), target.isFolder);
}

function isBelowAnother(target: Target, targets: readonly Target[]): boolean {
  return targets.some(other => other !== target && isWithin(target.place.path, other.place.path));
}

/** A layer hides what is mounted below, and must not be part of what it lies over. */
function canHaveLayer(folder: string, { runFolder }: RunPlace): boolean {
  if (folder === '/' || isWithin(runFolder, folder)) return false;
  if (!overlayTakes(folder) || !overlayTakes(runFolder)) return false;
  const mounted = readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .map(line => line.split(' ')[4] ?? '');
  return !mounted.some(path => path !== folder && isWithin(path, folder));
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || folder === '/' || path.startsWith(`${folder}/`);
}

function byDepth(a: string, b: string): number {
  return a.split('/').length - b.split('/').length || (a < b ? -1 : 1);
}
