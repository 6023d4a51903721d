/**
 * Writes everything that is made from the schemas: CRDs and reference pages. With `--check` it writes nothing, names
 * what is missing, stale or extra, and exits with 1 when there is any.
 */
import { join } from 'node:path';
import { allFiles, generatedFolders } from './generate/all-files.ts';
import { compareFiles, writeFiles } from './generate/compare-files.ts';

const root = join(import.meta.dirname, '..');
const check = process.argv.includes('--check');

const differences = await (check ? compareFiles : writeFiles)(root, generatedFolders, allFiles());
for (const { path, state } of differences) {
  console.log(check ? `${state}: ${path}` : `${state === 'extra' ? 'removed' : 'wrote'} ${path}`);
}
if (check && differences.length > 0) {
  console.error('Generated files are not up to date: run `make generate` and commit the result.');
  process.exitCode = 1;
}
