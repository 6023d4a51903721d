import fc from 'fast-check';
import { expect, test } from 'vitest';
import { kinds } from '../../../api/kinds.ts';
import { applyDefaults } from '../../../api/schema/defaults.ts';
import type { StructuralSchema } from '../../../api/schema/structural-schema.ts';
import type { Json } from '../../../base/json.ts';
import { leastSpec } from '../../contract/least-spec.contract.ts';
import { freezeJson } from '../store/freeze-json.ts';
import { fillDefaults } from './fill-defaults.ts';

const inner: StructuralSchema = { type: 'object', properties: { x: { type: 'integer', default: 1 } } };
const schema: StructuralSchema = {
  type: 'object',
  properties: {
    a: { type: 'string', default: 'a' },
    b: inner,
    c: { ...inner, default: {} },
    d: { type: 'array', items: inner },
    e: { type: 'object', additionalProperties: inner },
    f: { type: 'string' },
  },
  additionalProperties: inner,
};

const part = fc.record({ x: fc.nat() }, { requiredKeys: [] });
const value = fc.record(
  {
    a: fc.string(),
    b: part,
    c: part,
    d: fc.array(part, { maxLength: 3 }),
    e: fc.dictionary(fc.constantFrom('k', '__proto__'), part, { maxKeys: 2 }),
    f: fc.constantFrom('f', 'g'),
    g: part,
  },
  { requiredKeys: [] },
);

test('fills in what the API fills in', () => {
  fc.assert(
    fc.property(value, one => {
      const filled = fillDefaults(schema, freezeJson(one) as Json);
      expect(filled).toEqual(applyDefaults(schema, one));
      expect(fillDefaults(schema, filled)).toBe(filled);
    }),
  );
});

test.each(kinds.map(kind => [kind.kind, kind] as const))('fills in a %s as the API does', (_, kind) => {
  const least = leastSpec(kind.kind) as Json;
  expect(fillDefaults(kind.spec.json, least)).toEqual(applyDefaults(kind.spec.json, least));
});
