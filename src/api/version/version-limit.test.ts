import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseVersion, type Version } from './version.ts';
import { describeLimit, type Limit, parseLimit, satisfies } from './version-limit.ts';

function limit(text: string): Limit {
  const parsed = parseLimit(text);
  if (!parsed.ok) throw new Error(`the test names no limit: ${text}: ${parsed.problem}`);
  return parsed.limit;
}

function version(text: string): Version {
  const parsed = parseVersion(text);
  if (parsed === undefined) throw new Error(`the test names no version: ${text}`);
  return parsed;
}

describe('satisfies', () => {
  const rows: { name: string; limit: string; takes: string[]; refuses: string[] }[] = [
    {
      name: 'a lower limit takes packages, with and without epoch',
      limit: '>=22',
      takes: ['22', '22.0.0', '22.0.2-0+deb12u3', '2:22.0.2-0+deb12u3', '23'],
      refuses: ['21.9', '2:21.0.0-1', '22.0.0.0rc1'],
    },
    {
      name: 'a range takes what lies between',
      limit: '>=10.6 <11',
      takes: ['10.6', '10.11.6', '1:10.11.6-0+deb12u1', '1:10.11.6+maria~deb12'],
      refuses: ['10.5.9', '11', '11.0.0', '1:11.0.0-1'],
    },
    {
      name: 'a comma is a blank',
      limit: '>=10.6, <11',
      takes: ['10.6', '10.11.6'],
      refuses: ['11', '10.5'],
    },
    {
      name: 'blanks after an operator do not matter',
      limit: '>= 10.6 , < 11',
      takes: ['10.6'],
      refuses: ['11'],
    },
    {
      name: 'open and closed ends differ',
      limit: '>22.0.0 <=27',
      takes: ['22.0.1', '27', '27.0.0-5'],
      refuses: ['22', '22.0.0-0+deb12u3', '27.0.1'],
    },
    {
      name: 'a bare version is exact',
      limit: '22.0.0',
      takes: ['22', '22.0.0+b', '2:22.0.0-9'],
      refuses: ['22.0.1', '22.0.0.0rc1'],
    },
    { name: 'an equal sign says the same', limit: '=22.0.0', takes: ['22.0.0'], refuses: ['22.0.1'] },
    { name: 'two equal signs as well', limit: '==22.0.0', takes: ['22.0.0'], refuses: ['22.0.1'] },
    {
      name: 'one version is left out',
      limit: '!=22.0.1',
      takes: ['22.0.0', '22.0.2'],
      refuses: ['22.0.1-1'],
    },
    {
      name: 'alternatives add up',
      limit: '>=22 <23 || 25.0.0 || >26',
      takes: ['22.5', '25', '27'],
      refuses: ['23', '25.1', '26'],
    },
    {
      name: 'a star takes anything',
      limit: '*',
      takes: ['22', 'zed', '2:1~rc1-1', '27.0.0.0rc1'],
      refuses: [],
    },
    {
      name: 'a prefix takes all below it',
      limit: '22.x',
      takes: ['22', '22.9.9', '2:22.0.2-0'],
      refuses: ['21.9', '23', '23.0.0.0rc1', '22.0.0.0rc1'],
    },
    {
      name: 'a prefix may be longer',
      limit: '22.1.*',
      takes: ['22.1', '22.1.7'],
      refuses: ['22.0.9', '22.2'],
    },
    { name: 'a prefix may repeat its end', limit: '22.x.x', takes: ['22.7.1'], refuses: ['23'] },
    {
      name: 'a prefix may be narrowed',
      limit: '22.x !=22.0.1',
      takes: ['22.0.0'],
      refuses: ['22.0.1', '23'],
    },
    { name: 'a tilde keeps the minor', limit: '~22.0', takes: ['22.0', '22.0.9'], refuses: ['22.1', '21.9'] },
    {
      name: 'a tilde keeps the minor of a patch',
      limit: '~22.0.3',
      takes: ['22.0.3'],
      refuses: ['22.0.2', '22.1'],
    },
    { name: 'a tilde keeps a lone major', limit: '~22', takes: ['22.9'], refuses: ['23'] },
    { name: 'a caret keeps the major', limit: '^22.1', takes: ['22.1', '22.9'], refuses: ['22.0', '23'] },
    { name: 'a caret minds zero', limit: '^0.2.3', takes: ['0.2.9'], refuses: ['0.2.2', '0.3'] },
    { name: 'a caret minds all zeros', limit: '^0.0', takes: ['0.0.7'], refuses: ['0.1'] },
    {
      name: 'a candidate is not the release',
      limit: '>=27',
      takes: ['27'],
      refuses: ['27.0.0.0rc1', '27.0.0~rc1-1'],
    },
    {
      name: 'an upper limit does not let the candidate in',
      limit: '<27',
      takes: ['26.9', '26.0.0.0rc1'],
      refuses: ['27.0.0.0rc1', '2:27.0.0~rc1-1', '27.0.0.dev3'],
    },
    {
      name: 'who names candidates gets them',
      limit: '>=27.0.0.0rc1 <27.0.0.0rc3',
      takes: ['27.0.0.0rc1', '27.0.0.0rc2', '27.0.0~rc2-1'],
      refuses: ['27.0.0.0b3', '27.0.0.0rc3', '27'],
    },
    {
      name: 'a Debian limit may end in a tilde',
      limit: '>=27~ <28~',
      takes: ['27~rc1-1', '27-1'],
      refuses: ['28~rc1'],
    },
    {
      name: 'series have limits too',
      limit: '>=zed <=2024.1',
      takes: ['2023.1', 'bobcat'],
      refuses: ['2024.2', 'yoga'],
    },
    {
      name: 'a Debian limit without epoch ignores epochs',
      limit: '>=22.0.2-0+deb12u3',
      takes: ['2:22.0.2-0+deb12u6', '22.0.2-0+deb12u3', '22.0.2-1'],
      refuses: ['2:22.0.2-0+deb12u2', '9:21.0.0-1'],
    },
    {
      name: 'a Debian limit with an epoch minds them',
      limit: '>=2:22.0.2-0',
      takes: ['2:22.0.2-0', '3:1.0-1'],
      refuses: ['22.0.2-0', '1:99-1'],
    },
  ];
  it.each(rows)('$name: $limit', row => {
    for (const text of row.takes) expect(satisfies(version(text), limit(row.limit)), text).toBe(true);
    for (const text of row.refuses) expect(satisfies(version(text), limit(row.limit)), text).toBe(false);
  });

  const unknowns: { name: string; limit: string; text: string; want: boolean | undefined }[] = [
    { name: 'a number cannot be held against a series', limit: '>=zed', text: '22', want: undefined },
    { name: 'a series cannot be held against a number', limit: '!=22', text: 'zed', want: undefined },
    {
      name: 'one alternative that can be told is enough to say yes',
      limit: '>=zed || >=22',
      text: '22',
      want: true,
    },
    { name: 'but not enough to say no', limit: '>=zed || >=22', text: '21', want: undefined },
    { name: 'one bound that is broken is enough to say no', limit: '>=zed >=22', text: '21', want: false },
    { name: 'but one that holds is not enough to say yes', limit: '>=zed >=22', text: '22', want: undefined },
  ];
  it.each(unknowns)('$name: $text in "$limit"', row => {
    expect(satisfies(version(row.text), limit(row.limit))).toBe(row.want);
  });
});

describe('parseLimit', () => {
  const rows = [
    { name: 'nothing at all', text: '', names: 'empty' },
    { name: 'an empty alternative', text: '22 ||', names: 'empty' },
    { name: 'an operator alone', text: '>=', names: '>=' },
    { name: 'a word that is no version', text: '>=latest', names: 'latest' },
    { name: 'an operator nobody knows', text: '=>22', names: '=>' },
    { name: 'a prefix after an operator', text: '>=22.x', names: '22.x' },
    { name: 'a tilde before a series', text: '~2025.1', names: 'plain numbers' },
    { name: 'a caret before a Debian version', text: '^2:22-1', names: 'plain numbers' },
    { name: 'a bare version beside a bound', text: '>=22 22.1', names: '=22.1' },
    { name: 'a series written as date and name', text: '>=2023.1 Antelope', names: 'Antelope' },
    { name: 'one good alternative and one bad', text: '>=22 || <no', names: 'no' },
  ];
  it.each(rows)('names the problem with $name: "$text"', ({ text, names }) => {
    const parsed = parseLimit(text);
    expect(parsed.ok ? 'no problem' : parsed.problem).toContain(names);
  });

  it('never throws, whatever it is given', () => {
    const texts = fc.string({ unit: fc.constantFrom(...'0129.x*~^<>=!|, :-+vz'), maxLength: 12 });
    fc.assert(
      fc.property(fc.oneof(texts, fc.string()), text => {
        const parsed = parseLimit(text);
        if (parsed.ok) expect(limit(describeLimit(parsed.limit))).toEqual(parsed.limit);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('describeLimit', () => {
  const rows = [
    { name: 'commas become blanks', text: '>=10.6 ,  <11', want: '>=10.6 <11' },
    { name: 'an exact version gets its sign', text: '22.0.0', want: '=22.0.0' },
    { name: 'a tilde is spelled out', text: '~22.0', want: '>=22.0 <22.1' },
    { name: 'a caret is spelled out', text: '^22', want: '>=22 <23' },
    { name: 'a prefix is spelled out', text: '22.*', want: '>=22 <23' },
    {
      name: 'an end that would look like a series stays a number',
      text: '2025.0.x',
      want: '>=2025.0 <2025.1.0',
    },
    { name: 'a series gets its label', text: '>=Antelope', want: '>=2023.1' },
    { name: 'any stays any', text: ' * ', want: '*' },
    { name: 'a star beside a bound adds nothing', text: '* >=22', want: '>=22' },
    { name: 'alternatives keep their order', text: '>26||22.0.0', want: '>26 || =22.0.0' },
  ];
  it.each(rows)('$name: "$text"', ({ text, want }) => {
    expect(describeLimit(limit(text))).toBe(want);
  });

  it('reads back as the same limit', () => {
    const operand = fc.constantFrom(
      '22',
      '10.6',
      '2:22.0.2-0+deb12u3',
      'zed',
      '2025.1',
      '27.0.0.0rc1',
      '1.0~',
    );
    const bound = fc.tuple(fc.constantFrom('>=', '<', '!=', '=', '> '), operand).map(parts => parts.join(''));
    const range = fc.constantFrom('22.x', '~22.0', '^0.3', '*');
    const texts = fc
      .array(fc.array(fc.oneof(bound, range), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 })
      .map(alternatives => alternatives.map(bounds => bounds.join(' ')).join('||'));
    fc.assert(
      fc.property(texts, text => {
        const first = limit(text);
        expect(limit(describeLimit(first))).toEqual(first);
      }),
    );
  });
});
