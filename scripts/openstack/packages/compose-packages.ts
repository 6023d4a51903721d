import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rootFolder } from '../roots/find-roots.ts';
import { composePackage, serviceVersions, type Variant } from './compose-package.ts';

const tree = join(import.meta.dirname, '../../..');

/** The services that packages are composed of. */
export const composedServices = ['mariadb', 'memcached', 'haproxy', 'keystone', 'glance'] as const;

/** Composes the packages of all versions of all services, as `<folder>/<service>/<version>`. Roots must be there. */
export async function composePackages(
  folder: string,
  /** The router of all that have clients; without it their Services are. */
  router?: string,
): Promise<readonly { service: string; version: string }[]> {
  const composed: { service: string; version: string }[] = [];
  for (const service of composedServices) {
    const { versions } = await serviceVersions(join(tree, 'packages', service));
    for (const version of Object.keys(versions)) {
      await composeOne(service, version, { folder, ...(router === undefined ? {} : { router }) });
      composed.push({ service, version });
    }
  }
  return composed;
}

/** Composes the package of one version, or of a variant that gets this version, as `<folder>/<service>/<version>`. Roots must be there. */
export async function composeOne(
  service: (typeof composedServices)[number],
  version: string,
  { folder, ...more }: { readonly folder: string; readonly variant?: Variant; readonly router?: string },
): Promise<void> {
  const ourPrograms = { 'mariadb-task.js': await readFile(join(tree, 'dist/mariadb-task.js'), 'utf8') };
  await composePackage(version, {
    ...{ source: join(tree, 'packages', service), root: rootFolder, ourPrograms },
    to: join(folder, service, version),
    ...more,
  });
}
