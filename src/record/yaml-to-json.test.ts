import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import type { Json } from '../base/json.ts';
import { findAliasTargets } from './yaml-nodes.ts';
import { toJson } from './yaml-to-json.ts';

function read(text: string) {
  const { contents, errors } = parseDocument(text, { stringKeys: true, uniqueKeys: false });
  expect(errors).toEqual([]);
  return toJson(contents, findAliasTargets(contents));
}

describe('toJson', () => {
  const rows: { name: string; text: string; value: Json; codes?: string[] }[] = [
    { name: 'nothing', text: '', value: null },
    { name: 'a flow map with bare keys', text: '{ a, b: }', value: { a: null, b: null } },
    { name: 'the last of two values', text: '{ a: 1, a: 2 }', value: { a: 2 }, codes: ['FieldDuplicate'] },
    {
      name: 'a merge below a merge',
      text: '[&a { x: 1 }, &b { <<: *a, y: 2 }, { <<: *b }]',
      value: [{ x: 1 }, { x: 1, y: 2 }, { x: 1, y: 2 }],
    },
    {
      name: 'two merges in one map',
      text: '[&a { x: 1 }, &b { x: 2, y: 2 }, { <<: *a, <<: *b }]',
      value: [{ x: 1 }, { x: 2, y: 2 }, { x: 1, y: 2 }],
    },
    {
      name: 'a merge of a map written right there',
      text: '{ <<: { x: 1, y: 1 }, y: 2 }',
      value: { x: 1, y: 2 },
    },
    {
      name: 'a mistake behind an alias once',
      text: '[&a { x: .nan }, *a, *a]',
      value: [{ x: null }, { x: null }, { x: null }],
      codes: ['FieldInvalid'],
    },
    {
      name: 'whole numbers as long as they are exact',
      text: '[9007199254740991, 9007199254740993, 1e300]',
      value: [9007199254740991, null, 1e300],
      codes: ['FieldInvalid'],
    },
    { name: 'octal and hexadecimal numbers', text: '[0o17, 0xff]', value: [15, 255] },
  ];
  it.each(rows)('reads $name', ({ text, value, codes = [] }) => {
    const { value: got, problems } = read(text);
    expect(got).toEqual(value);
    expect(problems.map(({ code }) => code)).toEqual(codes);
  });

  it('agrees with the library on anchors, aliases and merges', () => {
    const name = fc.constantFrom('a', 'b');
    const key = fc.constantFrom('x', 'y', 'z');
    const entry = fc.oneof(
      fc.tuple(key, fc.nat(9)).map(([k, v]) => `${k}: ${v}`),
      name.map(n => `<<: *${n}`),
      fc.tuple(key, name).map(([k, n]) => `${k}: *${n}`),
    );
    const map = fc.uniqueArray(entry, { maxLength: 4, selector: text => text.split(':')[0] });
    const line = fc.tuple(name, map).map(([n, entries]) => `&${n} { ${entries.join(', ')} }`);
    fc.assert(
      fc.property(fc.array(line, { maxLength: 5 }), lines => {
        // The first anchors make every alias valid; none can stand inside its own anchor after that.
        const aliased = lines.map((text, index) => text.replace(/^&\w/, `&n${index}`));
        const text = `[&a { x: 1 }, &b { y: 2 }${aliased.map(item => `, ${item}`).join('')}]`;
        expect(read(text).value).toEqual(parseDocument(text, { merge: true }).toJS());
      }),
    );
  });
});
