import { expect, test } from 'vitest';
import { jsonPath } from './json-path.ts';

const object = {
  metadata: { annotations: { 'a.b/c': 'dotted' } },
  status: {
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'Stalled', status: 'False' },
    ],
  },
  spec: { list: [1, 2, 3] },
};

test.each([
  ['.spec.list[1]', [2]],
  ['.spec.list[*]', [1, 2, 3]],
  ['.spec.nothing.below', []],
  ['.status.conditions[?(@.type=="Ready")].status', ['True']],
  [".status.conditions[?(@.type!='Ready')].type", ['Stalled']],
  [".metadata.annotations['a.b/c']", ['dotted']],
  ['.metadata.annotations.a\\.b/c', ['dotted']],
  ['.spec.list[-1]', [3]],
  ['..spec', []],
])('%s', (path, found) => {
  expect(jsonPath(path)(object)).toEqual(found);
});
