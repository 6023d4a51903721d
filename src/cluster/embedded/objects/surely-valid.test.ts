import fc from 'fast-check';
import { expect, test } from 'vitest';
import { kinds } from '../../../api/kinds.ts';
import { applyDefaults } from '../../../api/schema/defaults.ts';
import type { StructuralSchema } from '../../../api/schema/structural-schema.ts';
import { validate } from '../../../api/schema/validate.ts';
import { leastSpec } from '../../contract/least-spec.contract.ts';
import { isSurelyValid } from './surely-valid.ts';

const schema: StructuralSchema = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 5, pattern: '^[a-zé]+$' },
    mood: { type: 'string', enum: ['good', 'bad'] },
    count: { type: 'integer', minimum: 0, maximum: 5 },
    when: { type: 'string', format: 'date-time' },
    either: { 'x-kubernetes-int-or-string': true },
    tags: {
      type: 'array',
      maxItems: 3,
      'x-kubernetes-list-type': 'set',
      items: { type: 'string', maxLength: 3 },
    },
    parts: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['id'],
      items: {
        type: 'object',
        required: ['id'],
        properties: { id: { type: 'string' }, on: { type: 'boolean' } },
      },
    },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    map: { type: 'object', maxProperties: 2, additionalProperties: { type: 'integer' } },
  },
};

const word = fc.constantFrom('a', 'abc', 'good', '', 'toolong', '2026-01-31T22:00:00Z', 'é', '🙂🙂🙂');
const anything = fc.oneof(
  word,
  fc.integer({ min: -1, max: 7 }),
  fc.boolean(),
  fc.constant(null),
  fc.constant({}),
);
/** Mostly right, so that what is wrong stands alone. */
const mostly = (right: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 12, arbitrary: right }, { weight: 1, arbitrary: anything });
const part = fc.record({ id: word, on: mostly(fc.boolean()) }, { requiredKeys: ['id'] });
const value = fc
  .record(
    {
      name: mostly(fc.constantFrom('a', 'abc', 'é')),
      mood: mostly(fc.constantFrom('good', 'bad')),
      count: mostly(fc.nat(5)),
      when: mostly(fc.constant('2026-01-31T22:00:00Z')),
      either: mostly(fc.oneof(word, fc.nat())),
      tags: mostly(fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'long'), { maxLength: 4 })),
      parts: mostly(fc.array(part, { maxLength: 3 })),
      free: mostly(fc.constant({ any: 1 })),
      map: mostly(fc.dictionary(word, fc.nat(), { maxKeys: 3 })),
    },
    { requiredKeys: ['name'] },
  )
  .chain(one =>
    fc.oneof({ weight: 12, arbitrary: fc.constant(one) }, fc.constant({ ...one, more: 1 }), fc.constant({})),
  );

test('never says yes where there is something wrong', () => {
  let yes = 0;
  fc.assert(
    fc.property(value, one => {
      if (!isSurelyValid(schema, one)) return;
      yes += 1;
      expect(validate(schema, one)).toEqual([]);
    }),
    { numRuns: 5000 },
  );
  expect(yes).toBeGreaterThan(500);
});

test.each(kinds.map(kind => [kind.kind, kind] as const))('says yes to the least %s', (_, kind) => {
  const spec = applyDefaults(kind.spec.json, leastSpec(kind.kind));
  expect(validate(kind.spec.json, spec)).toEqual([]);
  expect(isSurelyValid(kind.spec.json, spec)).toBe(true);
});
