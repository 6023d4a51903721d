import { type DebianPrograms, type DebianWanted, findDebianPrograms } from '../debian-programs.ts';

/** Debian's MariaDB: server, client, `mariadb-dump`, `mariadb-binlog`, `mariadb-install-db`. */
export const debianMariadb: DebianWanted = {
  name: 'mariadb',
  packages: ['mariadb-server-core', 'mariadb-client-core', 'mariadb-client', 'mariadb-server'],
  program: 'usr/sbin/mariadbd',
};

/** Debian's MariaDB, unpacked into the cache where it is not there yet. */
export function findMariadb(): Promise<DebianPrograms> {
  return findDebianPrograms(debianMariadb);
}
