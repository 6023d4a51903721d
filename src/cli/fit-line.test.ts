import { expect, it } from 'vitest';
import { colours } from './colours.ts';
import { fitLine } from './fit-line.ts';

it.each([
  { says: 'a short line stays', line: 'abc', want: 'abc' },
  { says: 'a long line is cut', line: 'abcdefgh', want: 'abcde' },
  {
    says: 'colours take no room and are turned off again',
    line: `${colours.bad('abcdefgh')}`,
    want: colours.bad('abcde'),
  },
  { says: 'a sign of two units is one', line: '\u{1F6A2}bcdefg', want: '\u{1F6A2}bcde' },
])('$says', ({ line, want }) => {
  expect(fitLine(line, 5)).toBe(want);
});
