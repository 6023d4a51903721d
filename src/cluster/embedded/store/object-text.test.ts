import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ClusterObject } from '../../cluster.ts';
import { objectText, readObject } from './object-text.ts';
import { shared, sharedByText, textOf } from './shared-json.ts';

const fields = fc.dictionary(fc.constantFrom('f:a', 'f:"b"', '.'), fc.constant({}), { maxKeys: 3 });
const entry = fc
  .record({ manager: fc.string(), subresource: fc.constantFrom('status', undefined), fieldsV1: fields })
  .map(({ subresource, ...one }) => ({
    ...one,
    operation: 'Update',
    apiVersion: 'v1',
    time: '2026-01-31T22:00:00Z',
    fieldsType: 'FieldsV1',
    ...(subresource === undefined ? {} : { subresource }),
  }));
const object = fc
  .record({
    metadata: fc.record(
      { name: fc.string(), labels: fc.dictionary(fc.string(), fc.string()), managedFields: fc.array(entry) },
      { requiredKeys: ['name'] },
    ),
    content: fc.dictionary(
      fc.constantFrom('spec', 'status', 'data', 'fieldsV1'),
      fc.oneof(fc.jsonValue(), fields),
    ),
  })
  .map(
    ({ metadata, content }) =>
      ({ apiVersion: 'v1', kind: 'Any "thing"', metadata, ...content }) as ClusterObject,
  );

test('the text of an object is its JSON, and is read back as the same', () => {
  fc.assert(
    fc.property(object, one => {
      expect(JSON.parse(objectText(one))).toEqual(JSON.parse(JSON.stringify(one)));
      expect(readObject(objectText(one), 'v1/Any')).toEqual(JSON.parse(JSON.stringify(one)));
    }),
  );
});

test('an object whose sets of fields were read before is read as the same, and shares them', () => {
  fc.assert(
    fc.property(object, one => {
      const [text, kind] = [objectText(one), 'v1/Again'];
      const [first, second] = [readObject(text, kind), readObject(text, kind)];
      expect(second).toEqual(JSON.parse(JSON.stringify(one)));
      const sets = (of: ClusterObject) => of.metadata.managedFields?.map(({ fieldsV1 }) => fieldsV1) ?? [];
      for (const [index, set] of sets(second).entries()) expect(set).toBe(sets(first)[index]);
    }),
  );
});

test('a field that is called as a set of fields is, but is none, stays what it is', () => {
  const set = { 'f:a': {} };
  const entry = { manager: 'me', operation: 'Update', apiVersion: 'v1', time: '', fieldsV1: set };
  const metadata = { name: 'one', managedFields: [entry], annotations: { text: '"fieldsV1":{"f:a":{}}' } };
  const one = { apiVersion: 'v1', kind: 'Any', metadata, spec: { fieldsV1: set }, status: { fieldsV1: 0 } };
  for (let times = 0; times < 3; times++) {
    expect(readObject(JSON.stringify(one), 'v1/Named')).toEqual(one);
    const { spec: _, ...rest } = one;
    expect(readObject(JSON.stringify(rest), 'v1/Named')).toEqual(rest);
  }
});

test('what is the same is one object, frozen, with its text known', () => {
  const one = shared({ 'f:a': {}, 'f:b': {} });
  expect(sharedByText('{"f:a":{},"f:b":{}}')).toBe(one);
  expect(Object.isFrozen(one['f:a'])).toBe(true);
  expect(textOf(one)).toBe('{"f:a":{},"f:b":{}}');
  for (let count = 0; count < 5000; count++) shared({ [`f:${count}`]: {} });
  expect(textOf(one)).toBe('{"f:a":{},"f:b":{}}');
});
