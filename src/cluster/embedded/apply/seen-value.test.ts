import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StructuralSchema } from '../../../api/schema/structural-schema.ts';
import { isObject, type Json } from '../../../base/json.ts';
import { everyField } from './every-field.ts';
import { elementOf, type MaybeSchema, schemaOfField, shapeOf } from './field-shape.ts';
import { looksLike, seeValue } from './seen-value.ts';

const schema: StructuralSchema = {
  type: 'object',
  properties: {
    set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
    whole: { type: 'array', items: { type: 'object' } },
    keyed: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['id'],
      items: { type: 'object', properties: { id: { type: 'string' } } },
    },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
};

const word = fc.constantFrom('a', '"b"', 'k:{"id":"a"}');
const value = fc.record(
  {
    set: fc.uniqueArray(word, { maxLength: 2 }),
    whole: fc.array(fc.constant({ a: 1 }), { maxLength: 2 }),
    keyed: fc.oneof(
      fc.uniqueArray(word, { maxLength: 2 }).map(ids => ids.map(id => ({ id }))),
      fc.dictionary(word, fc.constant({}), { maxKeys: 1 }),
    ),
    free: fc.dictionary(word, fc.oneof(fc.constant(1), fc.constant({}), fc.constant({ x: 1 })), {
      maxKeys: 2,
    }),
  },
  { requiredKeys: [] },
);

/** The fields of a value, as plainly as it can be said. */
function plainly(of: MaybeSchema, one: Json): unknown {
  if (shapeOf(of, one) === 'leaf') return {};
  const parts = isObject(one)
    ? Object.entries(one).map(([name, item]) => [`f:${name}`, plainly(schemaOfField(of, name), item)])
    : (one as Json[]).map(item => [elementOf(of, item), plainly(of?.items, item)]);
  return parts.length === 0 ? {} : Object.fromEntries([['.', {}], ...parts]);
}

test('the fields of a value are its own, whatever was seen before it', () => {
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 5 }), values => {
      for (const one of values) {
        expect(everyField(schema, one as Json)).toEqual(plainly(schema, one as Json));
      }
    }),
  );
});

test('what looks like another has the same fields', () => {
  fc.assert(
    fc.property(value, value, (one, other) => {
      const [a, b] = [one as Json, other as Json];
      expect(looksLike(seeValue(schema, a), a)).toBe(true);
      if (looksLike(seeValue(schema, a), b)) expect(plainly(schema, b)).toEqual(plainly(schema, a));
    }),
  );
});
