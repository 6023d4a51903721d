/**
 * Builds or fetches everything the Kubernetes suite runs, into the cache, so that nothing of it is built while tests wait. Says what is
 * missing where it cannot.
 */
import { cacheFolder, findArgo, findHelm, findNodePrograms, findPrograms } from './build/find-programs.ts';
import { findDebianTools } from './node/debian-tools.ts';

const say = (line: string) => console.error(line);

await findPrograms(say);
await findNodePrograms(say);
await findDebianTools(cacheFolder(), say);
await findHelm(say);
await findArgo(say);
say('everything for the Kubernetes suite is there');
