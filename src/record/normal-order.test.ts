import { describe, expect, it } from 'vitest';
import { list, object, text } from '../api/schema/schema.ts';
import type { Json } from '../base/json.ts';
import { inNormalOrder } from './normal-order.ts';

const name = text('A name.', { max: 9 });
const item = object('An item.', { name, tags: list('Tags.', name, { max: 9, set: true }) });
const schema = object('All.', {
  keyed: list('With keys.', item, { max: 9, keys: ['name'] }),
  steps: list('With keys, in an order that counts.', item, { max: 9, keys: ['name'] }),
  plain: list('Without keys.', name, { max: 9 }),
}).json;

const stepsKeepOrder = (path: readonly (string | number)[]) => path.join('.') === 'steps';

describe('inNormalOrder', () => {
  const rows: { name: string; value: Json; want: Json }[] = [
    {
      name: 'lists with keys are sorted by key',
      value: { keyed: [{ name: 'b' }, { name: 'a' }] },
      want: { keyed: [{ name: 'a' }, { name: 'b' }] },
    },
    {
      name: 'sets are sorted, also inside lists that keep their order',
      value: { steps: [{ name: 'b', tags: ['z', 'y'] }, { name: 'a' }] },
      want: { steps: [{ name: 'b', tags: ['y', 'z'] }, { name: 'a' }] },
    },
    {
      name: 'lists without keys keep their order',
      value: { plain: ['b', 'a'] },
      want: { plain: ['b', 'a'] },
    },
    {
      name: 'what the schema does not know stays',
      value: { other: ['b', 'a'] },
      want: { other: ['b', 'a'] },
    },
    { name: 'what is of another type stays', value: { keyed: 'b' }, want: { keyed: 'b' } },
  ];
  it.each(rows)('$name', ({ value, want }) =>
    expect(inNormalOrder(schema, value, stepsKeepOrder)).toEqual(want),
  );
});
