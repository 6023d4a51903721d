import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, compareText, isObject, type JsonObject, mergeJson, sameJson } from './json.ts';

/** Any JSON object, with names that are traps for programs. */
const anyObject = fc
  .dictionary(
    fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'toString')),
    fc.jsonValue({ maxDepth: 3 }),
  )
  .map(value => JSON.parse(JSON.stringify(value)) as JsonObject);

/** The same value with the keys of every object in reverse. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, reversed(item)]),
  );
}

describe('canonicalJson', () => {
  const rows: { name: string; value: unknown; want: string }[] = [
    { name: 'keys are in code unit order', value: { b: 1, a: 2, B: 3 }, want: '{"B":3,"a":2,"b":1}' },
    { name: 'keys are sorted at every depth', value: { x: [{ b: 1, a: 2 }] }, want: '{"x":[{"a":2,"b":1}]}' },
    { name: 'lists keep their order', value: [3, 1, 2], want: '[3,1,2]' },
    { name: 'undefined in an object is left out', value: { a: undefined, b: 1 }, want: '{"b":1}' },
    { name: 'undefined in a list is null', value: [undefined], want: '[null]' },
    { name: 'text is escaped', value: 'a"\n', want: '"a\\"\\n"' },
    { name: 'null is null', value: null, want: 'null' },
    { name: 'nothing at all is null', value: undefined, want: 'null' },
  ];
  it.each(rows)('$name', ({ value, want }) => expect(canonicalJson(value)).toBe(want));

  it('does not depend on the order of keys', () => {
    fc.assert(
      fc.property(anyObject, value => {
        expect(canonicalJson(reversed(value))).toBe(canonicalJson(value));
      }),
    );
  });

  it('is JSON that says the same', () => {
    fc.assert(
      fc.property(anyObject, value => {
        expect(JSON.parse(canonicalJson(value))).toEqual(value);
      }),
    );
  });
});

describe('sameJson', () => {
  const rows: { name: string; a: unknown; b: unknown; want: boolean }[] = [
    { name: 'key order does not matter', a: { a: 1, b: 2 }, b: { b: 2, a: 1 }, want: true },
    { name: 'list order matters', a: [1, 2], b: [2, 1], want: false },
    { name: 'a number is not its text', a: 1, b: '1', want: false },
    { name: 'absent and undefined are the same', a: { a: undefined }, b: {}, want: true },
    { name: 'absent and null are not', a: { a: null }, b: {}, want: false },
    { name: 'an empty list is not an empty object', a: [], b: {}, want: false },
  ];
  it.each(rows)('$name', ({ a, b, want }) => expect(sameJson(a, b)).toBe(want));

  it('says what canonicalJson says', () => {
    const similar = fc.tuple(anyObject, anyObject, fc.boolean()).map(([a, b, isMerged]) => {
      return [a, isMerged ? mergeJson(a, b) : reversed(a)];
    });
    fc.assert(
      fc.property(similar, ([a, b]) => {
        expect(sameJson(a, b)).toBe(canonicalJson(a) === canonicalJson(b));
      }),
    );
  });
});

describe('mergeJson', () => {
  const rows: { name: string; under: JsonObject; over: JsonObject; want: JsonObject }[] = [
    {
      name: 'objects are merged key by key',
      under: { a: { x: 1, y: 2 } },
      over: { a: { y: 3 } },
      want: { a: { x: 1, y: 3 } },
    },
    { name: 'lists are replaced', under: { a: [1, 2] }, over: { a: [3] }, want: { a: [3] } },
    { name: 'null takes a key away', under: { a: 1, b: 2 }, over: { a: null }, want: { b: 2 } },
    { name: 'null in a new object adds nothing', under: {}, over: { a: { b: null } }, want: { a: {} } },
    { name: 'an object replaces a scalar', under: { a: 1 }, over: { a: { b: 2 } }, want: { a: { b: 2 } } },
    { name: 'a scalar replaces an object', under: { a: { b: 2 } }, over: { a: 1 }, want: { a: 1 } },
  ];
  it.each(rows)('$name', ({ under, over, want }) => expect(mergeJson(under, over)).toEqual(want));

  it('leaves both inputs as they are', () => {
    const under = { a: { b: 1 } };
    const over = { a: { c: 2 } };
    mergeJson(under, over);
    expect([under, over]).toEqual([{ a: { b: 1 } }, { a: { c: 2 } }]);
  });

  it('takes __proto__ for data and changes no prototype', () => {
    const over = JSON.parse('{"__proto__": {"polluted": true}, "a": {"__proto__": {"polluted": true}}}');
    const merged = mergeJson({ a: {} }, over);
    expect(Object.hasOwn(merged, '__proto__')).toBe(true);
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('changes nothing when the same is laid on twice', () => {
    fc.assert(
      fc.property(anyObject, anyObject, (under, over) => {
        const once = mergeJson(under, over);
        expect(canonicalJson(mergeJson(once, over))).toBe(canonicalJson(once));
      }),
    );
  });
});

describe('compareText', () => {
  it('orders by code unit, so capitals come first on every machine', () => {
    expect(['b', 'a', 'B', 'ä', 'a'].sort(compareText)).toEqual(['B', 'a', 'a', 'b', 'ä']);
  });
});

describe('isObject', () => {
  it.each([
    { name: 'a plain object is one', value: {}, want: true },
    { name: 'a list is none', value: [], want: false },
    { name: 'null is none', value: null, want: false },
    { name: 'text is none', value: 'a', want: false },
  ])('$name', ({ value, want }) => expect(isObject(value)).toBe(want));
});
