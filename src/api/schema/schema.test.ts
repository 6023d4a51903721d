import { describe, expect, expectTypeOf, test } from 'vitest';
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
  text,
  type ValueOf,
  type WrittenAs,
} from './schema.ts';
import { holds } from './structural-schema.ts';

const part = object('A part.', {
  name: text('Its name.', { max: 63 }),
  count: defaulted(integer('How many.', { min: 0, max: 9 }), 1),
});

const whole = object('The whole.', {
  name: text('Its name.', { max: 63 }),
  colour: optional(choice('Its colour.', ['blue', 'green'])),
  ready: flag('Whether it is ready.'),
  parts: defaulted(list('Its parts.', part, { max: 8, keys: ['name'] }), []),
  labels: optional(map('Its labels.', text('A label.', { max: 63 }), { max: 16 })),
  values: optional(anyObject<{ a: number }>('Its values.')),
});

describe('the types of a schema', () => {
  type Value = ValueOf<typeof whole>;
  type Written = WrittenAs<typeof whole>;

  test('a required field is there in both', () => {
    expectTypeOf<Value['name']>().toEqualTypeOf<string>();
    expectTypeOf<Written['name']>().toEqualTypeOf<string>();
    expectTypeOf<Value['ready']>().toEqualTypeOf<boolean>();
  });

  test('an optional field may be absent in both', () => {
    expectTypeOf<Value['colour']>().toEqualTypeOf<'blue' | 'green' | undefined>();
    expectTypeOf<{ name: string; ready: true; parts: [] }>().toExtend<Value>();
  });

  test('a defaulted field may be left out by the writer and is there afterwards', () => {
    expectTypeOf<{ name: string; ready: true }>().toExtend<Written>();
    expectTypeOf<{ name: string; ready: true }>().not.toExtend<Value>();
    expectTypeOf<Value['parts'][number]>().toEqualTypeOf<{ readonly name: string; readonly count: number }>();
    expectTypeOf<NonNullable<Written['parts']>[number]>().toEqualTypeOf<{
      readonly name: string;
      readonly count?: number;
    }>();
  });

  test('a map knows the type of its entries, a free object the type it was given', () => {
    expectTypeOf<NonNullable<Value['labels']>>().toEqualTypeOf<Readonly<Record<string, string>>>();
    expectTypeOf<NonNullable<Value['values']>>().toEqualTypeOf<{ a: number }>();
  });

  test('a word that is not offered does not compile', () => {
    expectTypeOf<{ name: string; ready: true; colour: 'red' }>().not.toExtend<Written>();
  });
});

describe('the JSON of a schema', () => {
  test.each([
    {
      says: 'text has its limits and nothing that was not given',
      json: text('T.', { max: 9 }).json,
      want: { type: 'string', description: 'T.', maxLength: 9 },
    },
    {
      says: 'text with all limits',
      json: text('T.', { max: 9, min: 1, pattern: '^a', format: 'date-time' }).json,
      want: {
        type: 'string',
        description: 'T.',
        maxLength: 9,
        minLength: 1,
        pattern: '^a',
        format: 'date-time',
      },
    },
    {
      says: 'a choice is an enum',
      json: choice('C.', ['a', 'b']).json,
      want: { type: 'string', description: 'C.', enum: ['a', 'b'] },
    },
    {
      says: 'an integer has both bounds, zero too',
      json: integer('I.', { min: 0, max: 9 }).json,
      want: { type: 'integer', description: 'I.', minimum: 0, maximum: 9 },
    },
    { says: 'a flag is a boolean', json: flag('F.').json, want: { type: 'boolean', description: 'F.' } },
    {
      says: 'a plain list',
      json: list('L.', flag('F.'), { max: 3, min: 1 }).json,
      want: {
        type: 'array',
        description: 'L.',
        items: { type: 'boolean', description: 'F.' },
        maxItems: 3,
        minItems: 1,
      },
    },
    {
      says: 'a list that is a set',
      json: list('L.', flag('F.'), { max: 3, set: true }).json,
      want: {
        type: 'array',
        description: 'L.',
        items: { type: 'boolean', description: 'F.' },
        maxItems: 3,
        'x-kubernetes-list-type': 'set',
      },
    },
    {
      says: 'a list that is merged by key',
      json: list('L.', part, { max: 3, keys: ['name'] }).json,
      want: expect.objectContaining({
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
      }),
    },
    {
      says: 'a map',
      json: map('M.', flag('F.'), { max: 3 }).json,
      want: {
        type: 'object',
        description: 'M.',
        additionalProperties: { type: 'boolean', description: 'F.' },
        maxProperties: 3,
      },
    },
    {
      says: 'a free object keeps unknown fields',
      json: anyObject('A.').json,
      want: { type: 'object', description: 'A.', 'x-kubernetes-preserve-unknown-fields': true },
    },
    {
      says: 'an object requires what is neither optional nor defaulted',
      json: part.json,
      want: {
        type: 'object',
        description: 'A part.',
        required: ['name'],
        properties: {
          name: { type: 'string', description: 'Its name.', maxLength: 63 },
          count: { type: 'integer', description: 'How many.', minimum: 0, maximum: 9, default: 1 },
        },
      },
    },
    {
      says: 'an object with nothing required has no list of required fields',
      json: object('O.', { a: optional(flag('F.')) }).json,
      want: { type: 'object', description: 'O.', properties: { a: { type: 'boolean', description: 'F.' } } },
    },
  ])('$says', ({ json, want }) => {
    expect(json).toEqual(want);
  });

  test('marking a field leaves the schema it is made from as it was', () => {
    const plain = flag('F.');
    defaulted(plain, true);
    optional(plain);
    expect(plain).toEqual({ json: { type: 'boolean', description: 'F.' } });
  });

  test('a rule keeps its predicate out of JSON', () => {
    const positive = rule<{ a: number }>('self.a > 0', self => self.a > 0, 'a must be positive', '.a');
    expect(JSON.parse(JSON.stringify(positive))).toEqual({
      rule: 'self.a > 0',
      message: 'a must be positive',
      fieldPath: '.a',
    });
    expect(positive[holds]?.({ a: 1 } as never, undefined as never)).toBe(true);
    expect(positive[holds]?.({ a: 0 } as never, undefined as never)).toBe(false);
  });
});
