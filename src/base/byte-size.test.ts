import { expect, it } from 'vitest';
import { sayBytes } from './byte-size.ts';

it.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1000, '1 kB'],
  [4_240_000, '4.2 MB'],
  [42_400_000, '42 MB'],
  [999_700, '1 MB'],
  [5e15, '5000 TB'],
])('%d bytes are said as %s', (bytes, text) => {
  expect(sayBytes(bytes)).toBe(text);
});
