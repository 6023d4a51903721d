import { type DebianPrograms, type DebianWanted, findDebianPrograms } from './debian-programs.ts';

/** Debian's nginx. */
export const debianNginx: DebianWanted = { name: 'nginx', packages: ['nginx'], program: 'usr/sbin/nginx' };

/** Debian's nginx, unpacked into the cache where it is not there yet. */
export function findNginx(): Promise<DebianPrograms> {
  return findDebianPrograms(debianNginx);
}
