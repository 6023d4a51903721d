import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import type { ContainerSpec } from '../container/containers.ts';

/** Where programs of the system are looked for, beside what the manager's own PATH says. */
export const systemPath: string = [
  ...new Set([
    ...(process.env['PATH'] ?? '').split(':').filter(folder => folder.startsWith('/')),
    '/usr/sbin',
    '/usr/bin',
    '/sbin',
    '/bin',
  ]),
].join(':');

/** The full path of a program of the system; undefined when it is not there. */
export function systemProgram(name: string): string | undefined {
  return systemPath
    .split(':')
    .map(folder => join(folder, name))
    .find(path => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** Why a program cannot have the user and group that it shall have; undefined when it can. */
export function refusedUser({ user, group }: Pick<ContainerSpec, 'user' | 'group'>): string | undefined {
  const uid = process.getuid?.();
  const gid = process.getgid?.();
  if (uid === 0) {
    const isNeeded = user !== undefined || group !== undefined;
    return isNeeded && !systemProgram('unshare')
      ? 'changing the user needs the program unshare of util-linux'
      : undefined;
  }
  if (user !== undefined && user !== uid) return `only root can run a program as user ${user}`;
  if (group !== undefined && group !== gid) return `only root can run a program as group ${group}`;
  return undefined;
}

/**
 * The words that change root, folder and user, in one program: unshare, which unshares nothing here. Empty where nothing is to be
 * changed.
 */
export function leadToProgram(
  spec: Pick<ContainerSpec, 'user' | 'group'>,
  place?: { readonly root: string | undefined; readonly workingDir: string },
): string[] {
  const isRoot = process.getuid?.() === 0;
  const changesUser = isRoot && (spec.user !== undefined || spec.group !== undefined);
  if (!changesUser && !place) return [];
  return [
    systemProgram('unshare') ?? 'unshare',
    ...(place?.root === undefined ? [] : [`--root=${place.root}`]),
    ...(place ? [`--wd=${place.workingDir}`] : []),
    ...(changesUser ? [`--setgid=${spec.group ?? 0}`, `--setuid=${spec.user ?? 0}`] : []),
    '--',
  ];
}
