import { expect, test } from 'vitest';
import {
  choice,
  defaulted,
  integer,
  list,
  map,
  object,
  optional,
  rule,
  text,
} from '../../src/api/schema/schema.ts';
import { allFiles, generatedFolders } from './all-files.ts';
import { anchorOf, kebab, table } from './markdown.ts';
import { schemaSections } from './schema-sections.ts';

const inner = object('A part.', { name: text('Its name.', { max: 9, min: 1, pattern: '^(a|b)$' }) });
const outer = object(
  'The whole.',
  {
    parts: list('Its parts.', inner, { max: 3, keys: ['name'] }),
    colour: defaulted(choice('Its colour.', ['blue', '']), 'blue'),
    limits: optional(map('Its limits.', integer('A limit.', { min: 0, max: 9 }), { max: 4 })),
    other: optional(inner),
  },
  { rules: [rule('self == oldSelf', () => true, 'never changes')], keepsUnknown: true },
);

test('a page has a section for each object, with rules, types, defaults and limits', () => {
  expect(schemaSections('spec', outer.json).join('\n\n')).toBe(`## spec

The whole.

Fields that are not listed are accepted.

Rules:

- never changes (on updates): \`self == oldSelf\`

| field | type | default | limits | what it is |
| --- | --- | --- | --- | --- |
| [\`parts\`](#specparts) | list of object | required | up to 3 items; unique by \`name\` | Its parts. |
| \`colour\` | \`blue\`, empty | \`"blue"\` |  | Its colour. |
| \`limits\` | map of whole number |  | up to 4 entries; each 0 to 9 | Its limits. |
| [\`other\`](#specother) | object |  |  | A part. |

### spec.parts[]

A part.

| field | type | default | limits | what it is |
| --- | --- | --- | --- | --- |
| \`name\` | text | required | 1 to 9 characters; \`^(a\\|b)$\` | Its name. |

### spec.other

A part.

| field | type | default | limits | what it is |
| --- | --- | --- | --- | --- |
| \`name\` | text | required | 1 to 9 characters; \`^(a\\|b)$\` | Its name. |`);
});

test('a schema with a page of its own is linked and not written out again', () => {
  const linked = new Map([[inner.json, { title: 'Parts', page: 'parts.md' }]]);
  const [section = '', ...rest] = schemaSections('spec', outer.json, linked);
  expect(section).toContain('[`other`](parts.md)');
  expect(section).toContain('See Parts.');
  expect(rest).toHaveLength(1);
});

test('a cell cannot break its table', () => {
  expect(table(['a'], [['x | y\nz']])).toBe('| a |\n| --- |\n| x \\| y z |');
});

test.each([
  ['spec.services[].source', 'specservicessource'],
  ['Ten minutes, no cluster', 'ten-minutes-no-cluster'],
])('the anchor of %s is %s', (heading, want) => {
  expect(anchorOf(heading)).toBe(want);
});

test.each([
  ['OpenstackDeployment', 'openstack-deployment'],
  ['Oslc', 'oslc'],
])('the page of %s is called %s', (kind, want) => {
  expect(kebab(kind)).toBe(want);
});

test('every generated file has a path of its own, in a folder that is checked for leftovers', () => {
  const paths = allFiles().map(file => file.path);
  expect(new Set(paths).size).toBe(paths.length);
  expect(paths.filter(path => !generatedFolders.some(folder => path.startsWith(`${folder}/`)))).toEqual([]);
});
