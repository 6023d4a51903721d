import { describe, expect, test } from 'vitest';
import type { FieldPath, Problem } from './problem.ts';
import {
  anyObject,
  choice,
  defaulted,
  flag,
  integer,
  list,
  map,
  object,
  optional,
  rule,
  type Schema,
  text,
} from './schema.ts';
import type { StructuralSchema } from './structural-schema.ts';
import { validate } from './validate.ts';

/** What a test asserts of a problem: never its words. */
function found(schema: Schema<unknown>, value: unknown, old?: unknown): [Problem['code'], FieldPath][] {
  return validate(schema.json, value, old).map(({ code, path }) => [code, path]);
}

const name = text('N.', { max: 5, min: 2, pattern: '^[a-z]+$' });
const named = object('N.', { name, count: optional(integer('C.', { min: 1, max: 9 })) });
const fields = object('F.', {
  name,
  ready: optional(flag('R.')),
  size: optional(choice('S.', ['small', 'large'])),
  at: optional(text('A.', { max: 64, format: 'date-time' })),
  items: optional(list('I.', named, { max: 3, min: 1, keys: ['name'] })),
  words: optional(list('W.', text('W.', { max: 9 }), { max: 3, set: true })),
  plain: optional(list('P.', text('P.', { max: 9 }), { max: 3 })),
  labels: optional(map('L.', integer('L.', { min: 0, max: 9 }), { max: 2 })),
  values: optional(anyObject('V.')),
  defaulted: defaulted(flag('D.'), true),
});

describe('values that are right', () => {
  test.each<[string, unknown]>([
    ['only what is required', { name: 'abc' }],
    [
      'every field',
      { name: 'abc', ready: false, size: 'small', items: [{ name: 'ab', count: 9 }], words: ['a', 'b'] },
    ],
    ['the limits themselves', { name: 'ab', items: [{ name: 'abcde', count: 1 }], labels: { a: 0, b: 9 } }],
    ['a list that is no set may repeat', { name: 'abc', plain: ['a', 'a'] }],
    ['an empty list where no least number is set', { name: 'abc', words: [] }],
    ['anything in a free object', { name: 'abc', values: { a: [null, { b: 1 }] } }],
    ['a date and time in UTC', { name: 'abc', at: '2026-01-31T22:00:00Z' }],
    ['a date and time with an offset', { name: 'abc', at: '2026-01-31T22:00:00.5+01:00' }],
    ['a map with keys that look like methods', { name: 'abc', labels: { toString: 1, constructor: 2 } }],
  ])('%s', (_, value) => {
    expect(found(fields, value)).toEqual([]);
  });
});

describe('values that are wrong', () => {
  test.each<[string, unknown, [Problem['code'], FieldPath][]]>([
    ['not an object at all', 'text', [['FieldType', []]]],
    ['a list for an object', [], [['FieldType', []]]],
    ['nothing for an object', null, [['FieldType', []]]],
    ['a required field is missing', {}, [['FieldMissing', ['name']]]],
    ['empty is not missing', { name: null }, [['FieldType', ['name']]]],
    ['a field that is not known', { name: 'abc', nmae: 1 }, [['FieldUnknown', ['nmae']]]],
    ['a field named like a method', { name: 'abc', toString: 1 }, [['FieldUnknown', ['toString']]]],
    ['a number for text', { name: 1 }, [['FieldType', ['name']]]],
    ['text for a flag', { name: 'abc', ready: 'true' }, [['FieldType', ['ready']]]],
    ['an object for a list', { name: 'abc', items: {} }, [['FieldType', ['items']]]],
    [
      'a broken number for a whole one',
      { name: 'abc', items: [{ name: 'ab', count: 1.5 }] },
      [['FieldType', ['items', 0, 'count']]],
    ],
    [
      'no number',
      { name: 'abc', items: [{ name: 'ab', count: Number.NaN }] },
      [['FieldType', ['items', 0, 'count']]],
    ],
    ['a word that is not offered', { name: 'abc', size: 'Small' }, [['FieldInvalid', ['size']]]],
    ['text too long', { name: 'abcdef' }, [['FieldInvalid', ['name']]]],
    ['text too short', { name: 'a' }, [['FieldInvalid', ['name']]]],
    ['text of another form', { name: 'ABC' }, [['FieldInvalid', ['name']]]],
    ['a date without time', { name: 'abc', at: '2026-01-31' }, [['FieldInvalid', ['at']]]],
    [
      'a number too small',
      { name: 'abc', items: [{ name: 'ab', count: 0 }] },
      [['FieldInvalid', ['items', 0, 'count']]],
    ],
    ['a number too large', { name: 'abc', labels: { a: 10 } }, [['FieldInvalid', ['labels', 'a']]]],
    ['too few items', { name: 'abc', items: [] }, [['FieldInvalid', ['items']]]],
    ['too many items', { name: 'abc', plain: ['a', 'b', 'c', 'd'] }, [['FieldInvalid', ['plain']]]],
    ['too many entries', { name: 'abc', labels: { a: 1, b: 2, c: 3 } }, [['FieldInvalid', ['labels']]]],
    [
      'the same key twice',
      { name: 'abc', items: [{ name: 'ab' }, { name: 'cd' }, { name: 'ab' }] },
      [['FieldDuplicate', ['items', 2]]],
    ],
    ['the same word twice', { name: 'abc', words: ['a', 'b', 'a'] }, [['FieldDuplicate', ['words', 2]]]],
    [
      'a missing key is missing and not a duplicate',
      { name: 'abc', items: [{}, {}] },
      [
        ['FieldMissing', ['items', 0, 'name']],
        ['FieldMissing', ['items', 1, 'name']],
      ],
    ],
    [
      'everything is found, not only the first',
      { nmae: 1, ready: 1, items: [{ name: 'A' }], words: ['a', 'a'] },
      [
        ['FieldUnknown', ['nmae']],
        ['FieldType', ['ready']],
        ['FieldInvalid', ['items', 0, 'name']],
        ['FieldDuplicate', ['words', 1]],
        ['FieldMissing', ['name']],
      ],
    ],
  ])('%s', (_, value, want) => {
    expect(found(fields, value)).toEqual(want);
  });

  test('text is counted in characters, as an API server does', () => {
    const short = object('S.', { a: text('A.', { max: 2 }) });
    expect(found(short, { a: '\u{1F6A2}\u{1F6A2}' })).toEqual([]);
    expect(found(short, { a: '\u{1F6A2}\u{1F6A2}\u{1F6A2}' })).toEqual([['FieldInvalid', ['a']]]);
  });

  test('an unknown field and a word that is not offered say what would have been right', () => {
    const [unknown, word] = validate(fields.json, { name: 'abc', sice: 'x', size: 'smal' });
    expect(unknown).toMatchObject({ code: 'FieldUnknown', written: 'sice' });
    expect(unknown?.candidates).toContain('size');
    expect(word).toMatchObject({ code: 'FieldInvalid', written: 'smal', candidates: ['small', 'large'] });
  });

  test('an object that keeps unknown fields still checks those it knows', () => {
    const kept = object('K.', { name }, { keepsUnknown: true });
    expect(found(kept, { name: 'abc', other: 1 })).toEqual([]);
    expect(found(kept, { name: 1, other: 1 })).toEqual([['FieldType', ['name']]]);
  });

  test('a list of several keys tells items apart by all of them', () => {
    const pair = object('P.', { a: text('A.', { max: 9 }), b: text('B.', { max: 9 }) });
    const pairs = object('P.', { pairs: list('L.', pair, { max: 9, keys: ['a', 'b'] }) });
    const items = [
      { a: 'x', b: 'y' },
      { a: 'x', b: 'z' },
    ];
    expect(found(pairs, { pairs: items })).toEqual([]);
    expect(found(pairs, { pairs: [...items, { a: 'x', b: 'y' }] })).toEqual([
      ['FieldDuplicate', ['pairs', 2]],
    ]);
  });
});

describe("schemas of other people's kinds", () => {
  test.each<[string, StructuralSchema, unknown, Problem['code'][]]>([
    ['without a type takes anything', {}, [1, { a: null }], []],
    ['a whole number or text takes both', { 'x-kubernetes-int-or-string': true }, '80', []],
    ['a whole number or text takes nothing else', { 'x-kubernetes-int-or-string': true }, 1.5, ['FieldType']],
    ['an object without properties takes any field', { type: 'object' }, { a: 1 }, []],
    ['a list without items takes any item', { type: 'array' }, [1, 'a'], []],
    [
      'a rule without a predicate is left to its own server',
      { type: 'object', 'x-kubernetes-validations': [{ rule: 'false', message: 'never' }] },
      {},
      [],
    ],
  ])('%s', (_, schema, value, want) => {
    expect(validate(schema, value).map(problem => problem.code)).toEqual(want);
  });

  test('a value built to exhaust the stack is refused', () => {
    let deep: unknown = {};
    for (let i = 0; i < 10_000; i++) deep = { a: deep };
    const schema: { type: 'object'; properties: Record<string, StructuralSchema> } = {
      type: 'object',
      properties: {},
    };
    schema.properties['a'] = schema;
    const problems = validate(schema, deep);
    expect(problems).toMatchObject([{ code: 'FieldType' }]);
    expect(problems[0]?.path).toHaveLength(65);
  });
});

describe('rules that span fields', () => {
  const ordered = rule<{ least: number; most: number }>(
    'self.least <= self.most',
    self => self.least <= self.most,
    'least is above most',
    '.least',
  );
  const range = object(
    'R.',
    { least: integer('L.', { min: 0, max: 9 }), most: integer('M.', { min: 0, max: 9 }) },
    { rules: [ordered] },
  );
  const ranges = object('R.', { ranges: list('R.', range, { max: 9 }) });

  test('a rule that holds says nothing', () => {
    expect(found(range, { least: 1, most: 2 })).toEqual([]);
  });
  test('a broken rule points below the object that carries it', () => {
    expect(
      found(ranges, {
        ranges: [
          { least: 1, most: 2 },
          { least: 3, most: 2 },
        ],
      }),
    ).toEqual([['RuleBroken', ['ranges', 1, 'least']]]);
  });
  test('a rule waits until the fields themselves are right', () => {
    expect(found(range, { least: 'three', most: 2 })).toEqual([['FieldType', ['least']]]);
  });
  test('a rule without a place points to the object', () => {
    const never = object('N.', {}, { rules: [rule('false', () => false, 'never')] });
    expect(found(never, {})).toEqual([['RuleBroken', []]]);
  });
});

describe('rules on updates', () => {
  const fixed = rule<{ digest: string }>(
    'self.digest == oldSelf.digest',
    (self, old) => self.digest === old.digest,
    'never changes',
    '.digest',
  );
  const spec = object('S.', { digest: text('D.', { max: 9 }) }, { rules: [fixed] });
  const whole = object('W.', { spec: optional(spec) });

  test.each<[string, unknown, unknown, [Problem['code'], FieldPath][]]>([
    ['do not run on creation', { spec: { digest: 'a' } }, undefined, []],
    ['hold when nothing changed', { spec: { digest: 'a' } }, { spec: { digest: 'a' } }, []],
    [
      'are broken by a change',
      { spec: { digest: 'b' } },
      { spec: { digest: 'a' } },
      [['RuleBroken', ['spec', 'digest']]],
    ],
    ['do not run where the object was not there before', { spec: { digest: 'b' } }, {}, []],
  ])('%s', (_, value, old, want) => {
    expect(found(whole, value, old)).toEqual(want);
  });
});
