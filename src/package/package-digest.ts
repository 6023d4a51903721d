import { type Digest, digestBytes, digestJson } from '../base/digest.ts';
import { compareText } from '../base/json.ts';
import type { PackageFiles } from './source.ts';

/**
 * The digest of a package's content: of every file its path, its executable bit and its bytes, in path order. Nothing
 * of the machine, the archive or the moment goes in, so that a folder and its archive have the same digest everywhere.
 */
export function packageDigest(files: PackageFiles): Digest {
  const lines = files
    .map(({ path, executable, bytes }) => [path, executable, digestBytes(bytes)] as const)
    .sort(([a], [b]) => compareText(a, b));
  return digestJson(lines);
}
