import { inCache } from '../debian-programs.ts';
import { composePackages } from './packages/compose-packages.ts';
import { findRoots, missingForRoots } from './roots/find-roots.ts';

/**
 * Composes the packages of real services, into the folder that is named or into the cache, and prints where they are; a second word is the
 * router of all that have clients. They name the roots that they run in, and read their schemas from them: those are built first where they are missing.
 */
const [, , to = '', router = ''] = process.argv;
const folder = to === '' ? inCache('packages') : to;
const missing = await missingForRoots();
if (missing !== undefined) {
  console.error(missing);
  process.exit(1);
}
await findRoots();
for (const { service, version } of await composePackages(folder, router === '' ? undefined : router))
  process.stdout.write(`${service} ${version} ${folder}/${service}/${version}\n`);
