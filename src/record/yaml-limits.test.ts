import { describe, expect, it } from 'vitest';
import { findExcess } from './yaml-limits.ts';

const many = 300;

describe('findExcess lets pass', () => {
  const rows: { name: string; text: string }[] = [
    { name: 'nothing', text: '' },
    { name: 'brackets in quotes', text: `a: "${'['.repeat(many)}"\nb: '${'{'.repeat(many)}'` },
    { name: 'brackets in a comment', text: `a: 1 # ${'['.repeat(many)}\n# ${'{'.repeat(many)}\n` },
    { name: 'brackets in a block of text', text: `a: |\n  ${'['.repeat(many)}\n  ${'- '.repeat(many)}\n` },
    { name: 'brackets that close again', text: `a: [${'[], '.repeat(many)}]` },
    { name: 'a text that is indented far', text: `a: |\n${' '.repeat(many)}text\n` },
    { name: 'a comment that is indented far', text: `a: 1\n${' '.repeat(many)}# text\n` },
    {
      name: 'a list in brackets that is indented far',
      text: `a: [\n${' '.repeat(many)}1,\n${' '.repeat(many)}2 ]\n`,
    },
    { name: 'a long list', text: '- a\n'.repeat(many) },
    {
      name: 'a long map in braces',
      text: `{ ${Array.from({ length: many }, (_, i) => `a${i}: 1`).join(', ')} }`,
    },
    { name: 'a thousand documents', text: '---\na: 1\n'.repeat(1000) },
  ];
  it.each(rows)('$name', ({ text }) => expect(findExcess(text)).toBeUndefined());
});

describe('findExcess stops', () => {
  const rows: { name: string; text: string; offset: number }[] = [
    { name: 'at the first bracket too many', text: '['.repeat(many), offset: 64 },
    { name: 'at brackets behind closed ones', text: `[[]]: ${'['.repeat(many)}`, offset: 6 + 64 },
    { name: 'at brackets behind a quoted bracket', text: `["]", ${'['.repeat(many)}`, offset: 6 + 63 },
    { name: 'at the first dash too many', text: '- '.repeat(many), offset: 2 * 256 },
    { name: 'at question marks', text: '? '.repeat(many), offset: 2 * 256 },
    { name: 'at colons', text: ': '.repeat(many), offset: 2 * 256 },
    { name: 'at pairs in a bracket', text: `[${'a: '.repeat(many)}`, offset: 1 + 64 * 3 + 1 },
    { name: 'at the first line, indented too far', text: `${' '.repeat(many)}a: 1`, offset: many },
    { name: 'at a later document', text: `a: 1\n---\n${'['.repeat(many)}`, offset: 9 + 64 },
  ];
  it.each(rows)('$name', ({ text, offset }) => expect(findExcess(text)?.offset).toBe(offset));
});
