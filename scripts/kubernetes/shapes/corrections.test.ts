import { expect, test } from 'vitest';
import { builtinSchema } from '../../../src/cluster/embedded/kinds/builtin-schema.ts';
import { defaults } from './corrections.ts';

test.each(Object.entries(defaults))('the defaults of %s are in the table that was made', (name, fields) => {
  const { properties = {} } = builtinSchema(name);
  const pairs = Object.entries(properties).map(([field, schema]) => [field, schema.default]);
  expect(Object.fromEntries(pairs.filter(([, value]) => value !== undefined))).toEqual(fields);
});
