/** Holds the code to ARCHITECTURE.md. That the checks can fail is proved beside them, in test/architecture. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkTree, type Tree } from './architecture/check-tree.ts';
import { parseImportTable } from './architecture/import-table.ts';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
const rules = parseImportTable(page);

const tree: Tree = new Map(
  readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.ts'))
    .map(path => [path, readFileSync(join(root, 'src', path), 'utf8')]),
);

const folders = [...new Set([...tree.keys()].map(path => path.split('/')[0] ?? ''))].sort();

test('the sources keep the rules of ARCHITECTURE.md', () => {
  expect(tree.size).toBeGreaterThan(0);
  expect(checkTree(tree, rules)).toEqual([]);
});

test.each(folders)('src/%s is on the map, with an invariant', folder => {
  const [, section] = page.split(`### \`src/${folder}\`\n`);
  expect(section?.split(/\n##+ /)[0]).toContain('**Invariant.**');
});

test('no folder on the map is a folder that is gone', () => {
  const mapped = [...page.matchAll(/^### `src\/([a-z]+)`$/gm)].map(match => match[1]);
  expect(mapped.filter(folder => !folders.includes(folder ?? ''))).toEqual([]);
});

test('the page stays short enough to be read', () => {
  expect(page.split('\n').length).toBeLessThanOrEqual(200);
});
