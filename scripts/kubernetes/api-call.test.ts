import { expect, test } from 'vitest';
import { warningTexts } from './api-call.ts';

test.each([
  ['none', undefined, []],
  ['one', '299 - "old"', ['old']],
  ['two headers', ['299 - "one"', '299 - "two"'], ['one', 'two']],
  ['two in one header', '299 - "one, or more", 299 - "two"', ['one, or more', 'two']],
  ['one with quotes', '299 - "unknown field \\"spec.x\\""', ['unknown field "spec.x"']],
])('warnings: %s', (_, headers, want) => {
  expect(warningTexts(headers)).toEqual(want);
});
