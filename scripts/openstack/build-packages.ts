import { inCache } from '../debian-programs.ts';
import { composePackages } from './packages/compose-packages.ts';

/** Composes the packages of real services, into the folder that is named or into the cache, and prints where they are. */
const [folder = inCache('packages')] = process.argv.slice(2).filter(word => word !== '');
for (const { service, version } of await composePackages(folder))
  process.stdout.write(`${service} ${version} ${folder}/${service}/${version}\n`);
