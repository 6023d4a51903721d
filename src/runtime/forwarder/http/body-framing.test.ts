import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BodyFraming } from './body-framing.ts';
import type { BodyEnd } from './message-head.ts';

/** How many of the bytes belong to the body, cut at these places; -1 when it is broken, undefined when it is not at its end. */
function lengthOf(body: BodyEnd, text: string, cuts: readonly number[] = []): number | undefined {
  const bytes = Buffer.from(text, 'latin1');
  const framing = new BodyFraming(body);
  const places = [...new Set([0, ...cuts.map(cut => cut % (bytes.length + 1)), bytes.length])].sort(
    (a, b) => a - b,
  );
  for (const [index, from] of places.slice(0, -1).entries()) {
    const piece = bytes.subarray(from, places[index + 1]);
    const end = framing.take(piece, 0);
    if (end < 0) return -1;
    if (framing.done) return from + end;
  }
  return framing.done ? 0 : undefined;
}

describe('chunks', () => {
  test.each([
    ['nothing but the end', '0\r\n\r\n'],
    ['one', '5\r\nhello\r\n0\r\n\r\n'],
    ['several, with hex sizes', 'a\r\n0123456789\r\nA\r\n0123456789\r\n1\r\nx\r\n000\r\n\r\n'],
    ['extensions', '5;name=value\r\nhello\r\n0 ;x\r\n\r\n'],
    ['trailers', '5\r\nhello\r\n0\r\nDigest: x\r\nEmpty:\r\n\r\n'],
    ['line ends inside', '4\r\n\r\n\r\n\r\n0\r\n\r\n'],
  ])('with %s end where they end', (_, text) => {
    expect(lengthOf({ by: 'chunks' }, `${text}GET / HTTP/1.1`)).toBe(text.length);
  });

  test.each([
    ['no size', '\r\nhello'],
    ['a size with a sign', '+5\r\nhello\r\n'],
    ['a size that is hex with a prefix', '0x5\r\nhello\r\n'],
    ['a size beyond counting', 'fffffffffffff\r\n'],
    ['a size line that ends with LF', '5\nhello\r\n'],
    ['a bare CR in the size line', '5;a\rb\r\n'],
    ['a chunk longer than its size', '5\r\nhello!\r\n'],
    ['no line end after a chunk', '5\r\nhello\n0\r\n\r\n'],
    ['a trailer that is no field', '0\r\nnonsense\r\n\r\n'],
    ['a trailer that is continued', '0\r\nX: a\r\n b\r\n\r\n'],
    ['a size line without end', `5;${'x'.repeat(20_000)}`],
    ['trailers without end', `0\r\n${'X: y\r\n'.repeat(4000)}`],
  ])('with %s are broken', (_, text) => {
    expect(lengthOf({ by: 'chunks' }, text)).toBe(-1);
  });

  test('end at the same place however they are cut', () => {
    const chunk = fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(
        fc.array(chunk, { maxLength: 8 }),
        fc.array(fc.nat(500)),
        fc.string(),
        (chunks, cuts, after) => {
          const text = `${chunks.map(one => `${one.length.toString(16)}\r\n${one}\r\n`).join('')}0\r\n\r\n`;
          expect(lengthOf({ by: 'chunks' }, `${text}${after}`, cuts)).toBe(text.length);
        },
      ),
    );
  });
});

test.each<[string, BodyEnd, string, number | undefined]>([
  ['by length: it is there', { by: 'length', length: 5 }, 'hello and more', 5],
  ['by length: not all of it', { by: 'length', length: 50 }, 'hello', undefined],
  ['none', { by: 'none' }, 'more', 0],
  ['until the end of the connection', { by: 'close' }, 'whatever', undefined],
])('a body %s', (_, body, text, want) => {
  expect(lengthOf(body, text)).toBe(want);
});
