import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fieldNumbersFile, findTypeSources } from './field-numbers-file.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const sources = await findTypeSources();

// Where the programs came from a cache, the sources they were built of may be gone.
test.skipIf(sources === undefined)('the numbers of fields are those of the sources', async () => {
  const { path, content } = await fieldNumbersFile(sources ?? '');
  const there = await readFile(join(root, path), 'utf8');
  expect(there.split('\n'), 'run scripts/kubernetes/write-builtin-shapes.ts').toEqual(content.split('\n'));
});
