import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rootFolder } from '../roots/find-roots.ts';
import { composePackage, serviceVersions } from './compose-package.ts';

const tree = join(import.meta.dirname, '../../..');

/** The services that packages are composed of. */
export const composedServices = ['mariadb', 'memcached', 'keystone'] as const;

/** Composes the packages of all versions of all services, as `<folder>/<service>/<version>`. Roots must be there. */
export async function composePackages(
  folder: string,
): Promise<readonly { service: string; version: string }[]> {
  const ourPrograms = { 'mariadb-task.js': await readFile(join(tree, 'dist/mariadb-task.js'), 'utf8') };
  const composed: { service: string; version: string }[] = [];
  for (const service of composedServices) {
    const source = join(tree, 'packages', service);
    for (const version of Object.keys((await serviceVersions(source)).versions)) {
      const to = join(folder, service, version);
      await composePackage(version, { source, root: rootFolder, ourPrograms, to });
      composed.push({ service, version });
    }
  }
  return composed;
}
