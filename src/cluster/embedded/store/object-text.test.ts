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
    content: fc.dictionary(fc.constantFrom('spec', 'status', 'data'), fc.jsonValue()),
  })
  .map(
    ({ metadata, content }) =>
      ({ apiVersion: 'v1', kind: 'Any "thing"', metadata, ...content }) as ClusterObject,
  );

test('the text of an object is its JSON, and is read back as the same', () => {
  fc.assert(
    fc.property(object, one => {
      expect(JSON.parse(objectText(one))).toEqual(JSON.parse(JSON.stringify(one)));
      expect(readObject(objectText(one))).toEqual(JSON.parse(JSON.stringify(one)));
    }),
  );
});

test('what is the same is one object, frozen, with its text known', () => {
  const one = shared({ 'f:a': {}, 'f:b': {} });
  expect(sharedByText('{"f:a":{},"f:b":{}}')).toBe(one);
  expect(Object.isFrozen(one['f:a'])).toBe(true);
  expect(textOf(one)).toBe('{"f:a":{},"f:b":{}}');
  for (let count = 0; count < 5000; count++) shared({ [`f:${count}`]: {} });
  expect(textOf(one)).toBe('{"f:a":{},"f:b":{}}');
});
