import { expect, test } from 'vitest';
import { applyDefaults } from './defaults.ts';
import { anyObject, defaulted, flag, integer, list, map, object, optional } from './schema.ts';

const part = object('P.', { count: defaulted(integer('C.', { min: 0, max: 9 }), 1) });
const whole = object('W.', {
  ready: defaulted(flag('R.'), false),
  part: optional(part),
  filled: defaulted(part, {}),
  parts: defaulted(list('P.', part, { max: 9 }), [{}]),
  named: optional(map('N.', part, { max: 9 })),
  values: optional(anyObject('V.')),
});

const all = { ready: false, filled: { count: 1 }, parts: [{ count: 1 }] };

test.each<[string, unknown, unknown]>([
  ['every absent field that has a default gets it, and the default gets its own', {}, all],
  [
    'what is there stays, also when it is false, zero or empty',
    { ready: true, filled: { count: 0 }, parts: [] },
    { ready: true, filled: { count: 0 }, parts: [] },
  ],
  [
    'an object without a default is not invented, but filled where it is there',
    { part: {} },
    { ...all, part: { count: 1 } },
  ],
  [
    'items of a list are filled',
    { parts: [{}, { count: 5 }] },
    { ...all, parts: [{ count: 1 }, { count: 5 }] },
  ],
  ['entries of a map are filled', { named: { a: {} } }, { ...all, named: { a: { count: 1 } } }],
  ['a free object stays as it is', { values: { a: {} } }, { ...all, values: { a: {} } }],
  ['a field that is null counts as absent', { ready: null }, all],
  ['an entry of a map that is null is gone', { named: { a: null } }, { ...all, named: {} }],
  [
    'an item of a list that is null stays, for the validator to judge',
    { parts: [null] },
    { ...all, parts: [null] },
  ],
  ['null in a free object stays', { values: { a: null } }, { ...all, values: { a: null } }],
  ['fields the schema does not know stay', { other: 1 }, { ...all, other: 1 }],
  ['a value of the wrong type stays as it is', 'text', 'text'],
  ['a wrong type inside stays as it is', { parts: 'text' }, { ...all, parts: 'text' }],
])('%s', (_, value, want) => {
  expect(applyDefaults(whole.json, value)).toEqual(want);
});

test('the input is not changed, nor are the defaults by those who get them', () => {
  const input = { parts: [{}] };
  const first = applyDefaults(whole.json, input);
  expect(input).toEqual({ parts: [{}] });
  expect(applyDefaults(whole.json, {})).not.toBe(first);
  expect(whole.json.properties?.['filled']?.default).toEqual({});
});

test('filling in twice is filling in once', () => {
  const once = applyDefaults(whole.json, { part: {} });
  expect(applyDefaults(whole.json, once)).toEqual(once);
});
