import { lstat, mkdir } from 'node:fs/promises';
import { join, normalize } from 'node:path';
import type { Mount } from '../../container/containers.ts';
import { expand } from '../env/expand.ts';
import type { Container, VolumeMount } from '../pod-shape.ts';

/** Where a container finds its volumes; or why it cannot, in a kubelet's words. */
export type ContainerMounts = { readonly mounts: readonly Mount[] } | { readonly problem: string };

/** The mounts of a container, outer ones first. Folders that a `subPath` names are made. */
export async function containerMounts(
  { volumeMounts = [] }: Container,
  volumes: ReadonlyMap<string, string>,
  env: Readonly<Record<string, string>>,
): Promise<ContainerMounts> {
  const mounts: Mount[] = [];
  for (const mount of volumeMounts) {
    const volume = volumes.get(mount.name);
    if (volume === undefined) return { problem: `no volume of the name "${mount.name}"` };
    const subPath = subPathOf(mount, env);
    if (subPath.split('/').includes('..') || subPath.startsWith('/')) {
      return {
        problem: `failed to prepare subPath for volumeMount "${mount.name}": it must not contain '..'`,
      };
    }
    const source = subPath === '' ? volume : join(volume, subPath);
    if (subPath !== '') await makeMissing(source);
    mounts.push({ source, target: normalize(mount.mountPath), readOnly: mount.readOnly ?? false });
  }
  return { mounts: mounts.sort((a, b) => depth(a) - depth(b)) };
}

function subPathOf({ subPath, subPathExpr }: VolumeMount, env: Readonly<Record<string, string>>): string {
  return subPathExpr === undefined ? (subPath ?? '') : expand(subPathExpr, name => env[name]);
}

async function makeMissing(source: string): Promise<void> {
  const isThere = await lstat(source).then(
    () => true,
    () => false,
  );
  if (!isThere) await mkdir(source, { recursive: true, mode: 0o755 });
}

function depth({ target }: Mount): number {
  return target.split('/').filter(part => part !== '').length;
}
