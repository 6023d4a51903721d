/** Holds the pages to the program: what they name is there, and what is there is named. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { kindPagePath } from '../scripts/generate/kind-pages.ts';
import { anchorOf } from '../scripts/generate/markdown.ts';
import { errorCatalog } from '../src/api/error-catalog.ts';
import { kinds } from '../src/api/kinds.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const filesBelow = (folder: string, ending: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith(ending) && !path.includes('node_modules'))
    .map(path => join(folder, path));

const pages = [
  ...readdirSync(root).filter(name => name.endsWith('.md')),
  ...['docs', 'examples', 'deploy']
    .filter(folder => existsSync(join(root, folder)))
    .flatMap(folder => filesBelow(folder, '.md')),
];

describe('the page of errors', () => {
  const rows = read('docs/reference/errors.md')
    .split('\n')
    .filter(line => line.startsWith('| `'))
    .map(line =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map(cell => cell.trim().replaceAll('\\|', '|')),
    );
  const onPage = Object.fromEntries(
    rows.map(([code = '', errorClass, reason = '', means, advice]) => [
      code.replaceAll('`', ''),
      { class: errorClass, reason: reason.replaceAll('`', ''), means, advice },
    ]),
  );

  test('has every code of the catalogue, with its words, and no other', () => {
    expect(onPage).toEqual(errorCatalog);
  });
});

test('every code of the catalogue is spoken of somewhere in the program', () => {
  const program = filesBelow('src', '.ts')
    .filter(path => !path.endsWith('.test.ts') && path !== 'src/api/error-catalog.ts')
    .map(read)
    .join('\n');
  const unused = Object.keys(errorCatalog).filter(code => !new RegExp(`['"\`.]${code}\\b`).test(program));
  expect(unused).toEqual([]);
  const thrown = [...program.matchAll(/new CodedError\(\s*'([A-Za-z]+)'/g)].map(match => match[1] ?? '');
  expect(thrown.filter(code => !(code in errorCatalog))).toEqual([]);
});

describe('links', () => {
  test.each(pages)('of %s lead to files and headings that are there', page => {
    const text = withoutCode(read(page));
    const broken = [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(match => match[1] ?? '')
      .filter(link => !/^[a-z]+:/.test(link))
      .filter(link => {
        const [path = '', anchor] = link.split('#');
        const target = path === '' ? page : join(dirname(page), path);
        if (!existsSync(join(root, target))) return true;
        return anchor !== undefined && target.endsWith('.md') && !anchorsOf(read(target)).has(anchor);
      });
    expect(broken).toEqual([]);
  });
});

/** Code is no place for links, and a table may show `](` in a pattern. */
function withoutCode(markdown: string): string {
  return markdown.replace(/^```[\s\S]*?^```/gm, '').replace(/(?<!\[)`[^`\n]*`/g, '');
}

function anchorsOf(markdown: string): Set<string> {
  return new Set([...markdown.matchAll(/^#+ (.+)$/gm)].map(match => anchorOf(match[1] ?? '')));
}

describe('make', () => {
  const targets = [...read('Makefile').matchAll(/^([a-z-]+):.*## /gm)].map(match => match[1]);

  test.each(pages)('%s names only targets that are there', page => {
    const named = [...read(page).matchAll(/(?:`|^|\$ )make ([a-z][a-z-]*)/gm)].map(match => match[1]);
    expect(named.filter(target => !targets.includes(target))).toEqual([]);
  });

  test('README.md shows the two commands everybody needs', () => {
    expect(read('README.md')).toContain('make start');
    expect(read('README.md')).toContain('make test');
  });

  test('CONTRIBUTING.md names every target but help', () => {
    const text = read('CONTRIBUTING.md');
    expect(targets.filter(target => target !== 'help' && !text.includes(`make ${target}`))).toEqual([]);
  });
});

describe('the reference', () => {
  test.each(kinds)('has a page for $kind, and the index leads there', kind => {
    const path = kindPagePath(kind);
    expect(existsSync(join(root, path))).toBe(true);
    expect(read('docs/reference/README.md')).toContain(path.replace('docs/reference/', ''));
  });
});

test('every decision is in the index', () => {
  const files = readdirSync(join(root, 'docs/decisions')).filter(name => /^\d{4}-.*\.md$/.test(name));
  const index = read('docs/decisions/README.md');
  expect(files.filter(name => !index.includes(`(${name})`))).toEqual([]);
});

test('every run-time dependency has a line that says why', () => {
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };
  const page = read('docs/decisions/0003-run-time-dependencies.md');
  expect(Object.keys(dependencies).filter(name => !new RegExp(`^\\| ${name}[ |]`, 'm').test(page))).toEqual(
    [],
  );
});

test('CONTRIBUTING.md stays short enough to be read', () => {
  expect(read('CONTRIBUTING.md').split('\n').length).toBeLessThanOrEqual(150);
});
