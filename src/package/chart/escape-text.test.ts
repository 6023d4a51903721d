import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { substitute } from '../substitute.ts';
import { escapeObject } from './escape-text.ts';

const context = { names: { slice: 'blue' }, values: {}, shared: {}, later: [], moreValuesLater: false };

it.each([
  ['a script', '#!/bin/sh\nexec ${COMMAND:-start} --pid $$ "${@}"\n'],
  ['what looks like ours', '${slice} ${values.a}'],
  ['what is ours and nothing else', '${slice}'],
  ['dollars before it', '$${slice} $$${slice}'],
  ['one that nothing closes', 'cut ${'],
])('substitution gives back %s', (_, text) => {
  expect(substitute(escapeObject({ text, list: [{ text }] }), context)).toEqual({
    object: { text, list: [{ text }] },
    problems: [],
  });
});

it('substitution gives back anything, and finds nothing wrong with it', () => {
  const text = fc
    .array(fc.constantFrom('$', '{', '}', '${', '$${', 'slice', 'a', '${slice}', '\n'))
    .map(all => all.join(''));
  const { value } = fc.letrec<{ value: unknown }>(tie => ({
    value: fc.oneof(
      { maxDepth: 3 },
      text,
      fc.integer(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(text, tie('value'), { maxKeys: 3 }),
    ),
  }));
  fc.assert(
    fc.property(fc.dictionary(text, value), any => {
      const object = any as JsonObject;
      expect(substitute(escapeObject(object), context)).toEqual({ object, problems: [] });
    }),
  );
});
