/**
 * Writes everything that is made from the schemas: CRDs and reference pages. With `--check` it writes nothing, names
 * what is missing, stale or extra, and exits with 1 when there is any. A schema that has changed is a new generation, which a person
 * writes down: where that is missing it exits with 1 too.
 */
import { join } from 'node:path';
import { allFiles, generatedFolders } from './generate/all-files.ts';
import { compareFiles, writeFiles } from './generate/compare-files.ts';
import { missingGeneration } from './generate/missing-generation.ts';

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

const missing = missingGeneration();
if (missing !== undefined) {
  console.error(missing);
  process.exitCode = 1;
}
