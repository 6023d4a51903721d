import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StructuralSchema } from '../../../api/schema/structural-schema.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import { builtinSchema } from '../kinds/builtin-schema.ts';
import { compare } from './compare.ts';
import { createdFields } from './created-fields.ts';
import { ownable } from './managed-fields.ts';

const schema: StructuralSchema = {
  type: 'object',
  properties: {
    metadata: builtinSchema('meta.v1.ObjectMeta'),
    spec: {
      type: 'object',
      properties: {
        set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
        whole: { type: 'array', items: { type: 'object' } },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        keyed: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['id'],
          items: { type: 'object', properties: { id: { type: 'string' }, x: { type: 'integer' } } },
        },
      },
    },
  },
};

const words = fc.uniqueArray(fc.constantFrom('a', '"b"', 'c/d'), { maxLength: 3 });
const labels = fc.dictionary(fc.constantFrom('la', 'example.org/"x"'), fc.string(), { maxKeys: 2 });
const object = fc.record(
  {
    metadata: fc.record(
      { name: fc.string(), uid: fc.string(), labels, finalizers: words },
      { requiredKeys: ['name'] },
    ),
    spec: fc.record(
      {
        set: words,
        whole: fc.array(fc.constant({ a: 1 }), { maxLength: 2 }),
        free: fc.dictionary(fc.constantFrom('p', 'q'), fc.jsonValue(), { maxKeys: 2 }),
        keyed: words.map(ids => ids.map(id => ({ id, x: 1 }))),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ['metadata'] },
);

const writer = { manager: 'one', operation: 'Update', apiVersion: 'v1', subresource: undefined } as const;

test('who creates an object owns what differs from nothing', () => {
  fc.assert(
    fc.property(object, fc.boolean(), (one, hasSpec) => {
      const empty: Json = hasSpec ? { metadata: {}, spec: {} } : {};
      const { changed } = compare(schema, empty, one as unknown as Json);
      const isNew = (part: string) => !hasSpec || (part !== 'metadata' && part !== 'spec');
      expect(createdFields(schema, one as unknown as JsonObject, isNew)).toEqual(
        ownable(changed, writer, true),
      );
    }),
  );
});
