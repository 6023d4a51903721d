import { describe, expect, test } from 'vitest';
import { checkTree } from './check-tree.ts';
import { parseImportTable } from './import-table.ts';

const rules = parseImportTable(`
Some words before.

| folder | entry | may import | from npm |
| --- | --- | --- | --- |
| \`base\` | - | - | - |
| \`api\` | - | base | - |
| \`plan\` | \`plan.ts\` | base, api | - |
| \`driver\`, \`traffic\` | \`<folder>.ts\` | base; ports of their own | undici, @scope/one |
| \`phase\` | \`phase.ts\` | plan (types), driver (port) | - |
| \`app\` | - | all above | - |
| \`testing\` | - | all above | - |

| another | table |
| --- | --- |
| x | y |
`);

const entry = '/**\n * In: a. Out: b. Never: c.\n */\n';

describe('the import table', () => {
  test('has every folder with what it may import', () => {
    expect(rules.map(rule => rule.folder)).toEqual([
      'base',
      'api',
      'plan',
      'driver',
      'traffic',
      'phase',
      'app',
      'testing',
    ]);
    expect(rules.find(rule => rule.folder === 'traffic')).toEqual({
      folder: 'traffic',
      entry: 'traffic.ts',
      imports: [{ folder: 'base', limit: 'none' }],
      packages: ['undici', '@scope/one'],
    });
    expect(rules.find(rule => rule.folder === 'phase')?.imports).toEqual([
      { folder: 'plan', limit: 'types' },
      { folder: 'driver', limit: 'port' },
    ]);
    expect(rules.find(rule => rule.folder === 'app')?.imports).toHaveLength(6);
  });

  test('that is not there, or not to be read, is an error', () => {
    expect(() => parseImportTable('# nothing')).toThrow();
    expect(() =>
      parseImportTable('| folder | entry | may import | from npm |\n|-|-|-|-|\n| a | - | b (some) | - |'),
    ).toThrow();
  });
});

/** A tree with the entry files it needs, so that each case is about one thing. */
function problemsOf(files: Record<string, string>): string[] {
  const tree = new Map(Object.entries(files));
  for (const path of Object.keys(files)) {
    const folder = path.split('/')[0] ?? '';
    const entryFile = rules.find(rule => rule.folder === folder)?.entry;
    if (entryFile && !tree.has(`${folder}/${entryFile}`)) tree.set(`${folder}/${entryFile}`, entry);
  }
  return checkTree(tree, rules);
}

describe('a tree that keeps the rules', () => {
  test.each<[string, Record<string, string>]>([
    ['imports what the table allows', { 'plan/order.ts': "import { a } from '../base/a.ts';" }],
    ['imports its own folder', { 'plan/order.ts': "import { a } from './graph.ts';" }],
    ['imports only types', { 'phase/a.ts': "import type { Plan } from '../plan/plan.ts';" }],
    ['imports a port', { 'phase/a.ts': "import { Driver } from '../driver/driver.ts';" }],
    ['uses node where it may', { 'app/a.ts': "import { readFile } from 'node:fs'; new Date();" }],
    ['imports its package', { 'driver/job/a.ts': "import { fetch } from 'undici';" }],
    ['imports its scoped package', { 'driver/job/a.ts': "import { fetch } from '@scope/one/deep.js';" }],
    ['tests with what its folder reaches', { 'phase/a.test.ts': "import { a } from '../api/a.ts';" }],
    ['tests with the builders', { 'base/a.test.ts': "import { a } from '../testing/a.ts';" }],
    ['tests with a clock', { 'plan/a.test.ts': 'new Date(); throw new Error();' }],
    ['speaks of dates', { 'plan/a.ts': "/** Date */ const a = 'process.exit() in a Date';" }],
    ['throws coded errors', { 'plan/a.ts': "throw new CodedError('Bug', 'x');" }],
    ['throws again what it caught', { 'plan/a.ts': 'try { f(); } catch (error) { throw error; }' }],
    ['throws a bare error in base', { 'base/a.ts': "throw new Error('x');" }],
    ['reads the manifest of the program', { 'app/a.ts': "import p from '../../package.json';" }],
    [
      'shares an import without a circle',
      {
        'plan/a.ts': "import './b.ts'; import './c.ts';",
        'plan/b.ts': "import './c.ts';",
        'plan/c.ts': '',
      },
    ],
  ])('%s', (_, files) => {
    expect(problemsOf(files)).toEqual([]);
  });
});

describe('a tree that breaks a rule', () => {
  test.each<[string, Record<string, string>, string]>([
    ['imports a later stage', { 'api/a.ts': "import { a } from '../plan/a.ts';" }, 'api may not import plan'],
    [
      'imports a type of a later stage',
      { 'api/a.ts': "import type { A } from '../plan/a.ts';" },
      'may not import plan',
    ],
    [
      'imports a later stage dynamically',
      { 'base/a.ts': "await import('../plan/a.ts');" },
      'may not import plan',
    ],
    ['re-exports a later stage', { 'api/a.ts': "export { a } from '../plan/a.ts';" }, 'may not import plan'],
    [
      'imports more than types',
      { 'phase/a.ts': "import { a } from '../plan/plan.ts';" },
      'only types of plan',
    ],
    ['imports behind a port', { 'phase/a.ts': "import { a } from '../driver/job/job.ts';" }, 'only the port'],
    ['imports a sibling driver', { 'driver/job/a.ts': "import { a } from '../helm/b.ts';" }, 'sibling'],
    ['imports builders', { 'api/a.ts': "import { a } from '../testing/a.ts';" }, 'may not import testing'],
    ['imports out of src', { 'api/a.ts': "import { a } from '../../scripts/a.ts';" }, 'outside src'],
    ['imports a package it was not given', { 'plan/a.ts': "import { parse } from 'yaml';" }, 'imports yaml'],
    ['imports its package dynamically', { 'driver/a.ts': "await import('undici');" }, 'dynamically'],
    [
      'tests with what its folder cannot reach',
      { 'api/a.test.ts': "import { a } from '../plan/a.ts';" },
      'cannot reach',
    ],
    ['has a folder the table lacks', { 'stuff/a.ts': '' }, 'not in the import table'],
    ['imports node in a pure folder', { 'plan/a.ts': "import { readFileSync } from 'node:fs';" }, 'node:fs'],
    ['reads the clock in a pure folder', { 'plan/a.ts': 'const now = new Date();' }, 'Date'],
    ['reads the clock inside a template', { 'plan/a.ts': `const now = \`\${Date.now()}\`;` }, 'Date'],
    ['waits in a pure folder', { 'plan/a.ts': 'export async function f() {}' }, 'async'],
    ['throws dice in a pure folder', { 'plan/a.ts': 'Math.random()' }, 'Math.random'],
    ['sorts by locale in a pure folder', { 'plan/a.ts': 'a.localeCompare(b)' }, 'localeCompare'],
    ['reads the environment in a pure folder', { 'api/a.ts': 'process.env' }, 'process'],
    ['throws a bare error', { 'plan/a.ts': "throw new Error('x');" }, 'CodedError'],
    ['throws a bare error of another class', { 'plan/a.ts': "throw new RangeError('x');" }, 'CodedError'],
    ['throws text', { 'plan/a.ts': "throw 'x';" }, 'CodedError'],
    ['makes a bare error', { 'app/a.ts': "return new Error('x');" }, 'CodedError'],
    ['has a file that says nothing', { 'plan/utils.ts': '' }, '"utils"'],
    ['has a test that says nothing', { 'plan/helpers.test.ts': '' }, '"helpers"'],
    ['has a folder that says nothing', { 'plan/common/a.ts': '' }, '"common"'],
    ['has a file in another case', { 'plan/makePlan.ts': '' }, 'kebab-case'],
    ['has no entry header', { 'plan/plan.ts': '/** In: a. Out: b. */' }, 'Never:'],
    [
      'is in a knot',
      { 'plan/a.ts': "import './b.ts';", 'plan/b.ts': "import type { A } from './a.ts';" },
      'cycle',
    ],
    ['imports itself', { 'plan/a.ts': "import './a.ts';" }, 'cycle'],
  ])('%s', (_, files, problem) => {
    expect(problemsOf(files)).toEqual([expect.stringContaining(problem)]);
  });

  test('has no entry file', () => {
    expect(checkTree(new Map([['plan/order.ts', '']]), rules)).toEqual(['plan: has no entry file plan.ts']);
  });

  test('has a knot that is found once, whole, whatever leads to it', () => {
    const knot = {
      'plan/a.ts': "import './b.ts';",
      'plan/b.ts': "import './c.ts';",
      'plan/c.ts': "import './b.ts';",
    };
    expect(problemsOf(knot)).toEqual(['import cycle: plan/b.ts -> plan/c.ts -> plan/b.ts']);
  });
});
