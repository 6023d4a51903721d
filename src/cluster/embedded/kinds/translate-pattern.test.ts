import { expect, test } from 'vitest';
import { translatePattern } from './translate-pattern.ts';

const rows: readonly (readonly [
  sentence: string,
  pattern: string,
  fits: readonly string[],
  unfit: readonly string[],
])[] = [
  ['what both have is left alone', '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', ['a-b', 'x'], ['-a', 'A']],
  ['letters of both cases', '(?i)^A[b-d]$', ['ab', 'AD', 'aC'], ['ae']],
  ['a dot that is everything', '(?s)^a.b$', ['a\nb'], ['ab']],
  ['needless escapes', '^a\\-b\\_c\\/[\\-\\_x]$', ['a-b_c/-', 'a-b_c/x'], ['ab']],
  ['named sets', '^[[:alpha:]_]+$', ['aZ_'], ['1']],
  ['begin and end of the text', '\\Aab\\z', ['ab'], ['xab']],
  ['quoted text', '^\\Qa.b\\E$', ['a.b'], ['axb']],
  ['named groups', '^(?P<first>a)b$', ['ab'], ['b']],
  ['braces that count nothing', '^a{b}$', ['a{b}'], ['ab']],
  ['one-letter categories', '^\\pL$', ['ä'], ['1']],
  ['a bracket that is meant as itself', '^[]a]$', [']', 'a'], ['b']],
];

test.each(rows)('%s', (_, pattern, fits, unfit) => {
  const translated = new RegExp(translatePattern(pattern) ?? '(never)', 'u');
  expect(fits.filter(text => !translated.test(text))).toEqual([]);
  expect(unfit.filter(text => translated.test(text))).toEqual([]);
});

test.each(['(', '[', 'a(?=b)', '(?<!a)b', '(a)\\1', 'a{1001}', '\\y', 'a**', '[[:nonsense:]]', '\\'])(
  'what Go refuses is refused: %s',
  pattern => {
    expect(translatePattern(pattern)).toBeUndefined();
  },
);
