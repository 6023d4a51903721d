import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { apiCall } from '../api-call.ts';
import { readAccess } from '../kubeconfig.ts';
import { shapesFile } from './shapes-file.ts';

const { kubeconfig, programs } = inject('kubernetes');
const root = join(import.meta.dirname, '..', '..', '..');

// A given cluster may be of another version, with other types.
test.skipIf(!programs)('the table of built-in types is as this API server has it', async () => {
  const { path, content } = await shapesFile(apiCall(await readAccess(kubeconfig)));
  const there = await readFile(join(root, path), 'utf8');
  expect(there.split('\n'), 'run scripts/kubernetes/write-builtin-shapes.ts').toEqual(content.split('\n'));
});
