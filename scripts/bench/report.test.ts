import { expect, test } from 'vitest';
import { measured } from '../../bench/measure.ts';
import { benchmarksPage, readWords, textTable } from './report.ts';

test.each([
  { says: 'nothing is quick and all', args: [], env: {}, want: { size: 'quick', only: undefined } },
  {
    says: 'empty words, as make passes them, count as absent',
    args: ['only=', 'size='],
    env: {},
    want: { size: 'quick', only: undefined },
  },
  {
    says: 'words are taken',
    args: ['only=plan', 'size=full'],
    env: {},
    want: { size: 'full', only: 'plan' },
  },
  {
    says: 'the environment is taken where there is no word',
    args: ['only=plan'],
    env: { BENCH_ONLY: 'flow', BENCH_SIZE: 'full' },
    want: { size: 'full', only: 'plan' },
  },
])('$says', ({ args, env, want }) => {
  expect(readWords(args, env)).toEqual(want);
});

test.each([['size=huge'], ['plan'], ['onyl=plan']])('%s is refused', word => {
  expect(readWords([word], {})).toEqual(expect.any(String));
});

const measures = [
  {
    bench: 'plan',
    ...measured({ measure: 'order', value: 21.234, unit: 'ms', against: 'bare Kahn', floor: 10, goal: 2 }),
  },
];

test('the table names what does not hold', () => {
  expect(textTable(measures)).toMatch(/plan\s+order\s+21\.2 ms\s+10 ms \(bare Kahn\)\s+2\.12\s+<= 2\s+NO$/);
});

test('the page has the machine and every measure', () => {
  const page = benchmarksPage(measures);
  expect(page).toContain(process.version);
  expect(page).toContain('| plan | order | 21.2 ms |');
});
