import { mkdir } from 'node:fs/promises';
import { join, normalize } from 'node:path';
import type { Mount } from '../../container/containers.ts';
import { findInside } from '../../isolation/find-inside.ts';
import { expand } from '../env/expand.ts';
import type { Container, VolumeMount } from '../pod-shape.ts';

/** Where a container finds its volumes; or why it cannot, in a kubelet's words. */
export type ContainerMounts = { readonly mounts: readonly Mount[] } | { readonly problem: string };

/** The mounts of a container, outer ones first. Folders that a `subPath` names are made. */
export async function containerMounts(
  { name, volumeMounts = [] }: Container,
  volumes: ReadonlyMap<string, string>,
  env: Readonly<Record<string, string>>,
): Promise<ContainerMounts> {
  const mounts: Mount[] = [];
  for (const mount of volumeMounts) {
    const volume = volumes.get(mount.name);
    if (volume === undefined) return { problem: `no volume of the name "${mount.name}"` };
    const subPath = subPathOf(mount, env);
    if (!(await prepare(volume, subPath))) {
      return {
        problem: `failed to prepare subPath for volumeMount "${mount.name}" of container "${name}"`,
      };
    }
    // Named with its links: without root a mount is a link too, and follows the files of a ConfigMap that changes.
    const source = subPath === '' ? volume : join(volume, subPath);
    mounts.push({ source, target: normalize(mount.mountPath), readOnly: mount.readOnly ?? false });
  }
  return { mounts: mounts.sort((a, b) => depth(a) - depth(b)) };
}

function subPathOf({ subPath, subPathExpr }: VolumeMount, env: Readonly<Record<string, string>>): string {
  return subPathExpr === undefined ? (subPath ?? '') : expand(subPathExpr, name => env[name]);
}

/** Makes what a `subPath` names, where it is missing. False where it is not in the volume, also by a link that a program made there. */
async function prepare(volume: string, subPath: string): Promise<boolean> {
  if (subPath === '') return true;
  if (subPath.split('/').includes('..') || subPath.startsWith('/')) return false;
  try {
    const found = findInside(volume, subPath);
    if (found?.exists === false) await mkdir(found.path, { recursive: true, mode: 0o755 });
    return found !== undefined;
  } catch {
    return false;
  }
}

function depth({ target }: Mount): number {
  return target.split('/').filter(part => part !== '').length;
}
