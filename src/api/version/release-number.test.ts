import fc from 'fast-check';
import semver from 'semver';
import { describe, expect, it } from 'vitest';
import { compareReleaseNumbers, parseReleaseNumber, type ReleaseNumber } from './release-number.ts';

function number(text: string): ReleaseNumber {
  const parsed = parseReleaseNumber(text);
  if (parsed === undefined) throw new Error(`the test names no number: ${text}`);
  return parsed;
}

describe('parseReleaseNumber', () => {
  const rows: { name: string; text: string; want: ReleaseNumber | undefined }[] = [
    { name: 'one number', text: '22', want: { release: [22], pre: [] } },
    { name: 'a tag with a v', text: 'v1.2.3', want: { release: [1, 2, 3], pre: [] } },
    { name: 'a semver pre-release', text: '1.2.3-rc.1', want: { release: [1, 2, 3], pre: ['rc', 1] } },
    { name: 'a build, left out', text: '1.2.3+build.5', want: { release: [1, 2, 3], pre: [] } },
    { name: 'an OpenStack candidate', text: '27.0.0.0rc1', want: { release: [27, 0, 0, 0], pre: ['rc', 1] } },
    { name: 'an OpenStack milestone', text: '27.0.0.0b2', want: { release: [27, 0, 0, 0], pre: ['b', 2] } },
    { name: 'a pbr build', text: '27.0.0.dev12', want: { release: [27, 0, 0], pre: ['~dev', 12] } },
    {
      name: 'a pbr build before a candidate',
      text: '1.0rc2.dev3',
      want: { release: [1, 0], pre: ['rc', 2, '~dev', 3] },
    },
    {
      name: 'a pbr build with its commit',
      text: '1.0.dev3+g1a2b',
      want: { release: [1, 0], pre: ['~dev', 3] },
    },
    { name: 'a post release', text: '1.0.post2', want: { release: [1, 0], pre: [], post: 2 } },
    { name: 'a post of a pre-release, which nobody makes', text: '1.0rc1.post2', want: undefined },
    { name: 'a word', text: 'latest', want: undefined },
    { name: 'an empty segment', text: '1..2', want: undefined },
    { name: 'a trailing dot', text: '1.', want: undefined },
    { name: 'an empty pre-release', text: '1.2.3-', want: undefined },
    { name: 'an empty build', text: '1.2.3+', want: undefined },
    { name: 'a letter that means nothing', text: '9.2p1', want: undefined },
    { name: 'more digits than a number holds', text: '1.12345678901234567', want: undefined },
    { name: 'nothing', text: '', want: undefined },
  ];
  it.each(rows)('$name: "$text"', ({ text, want }) => {
    expect(parseReleaseNumber(text)).toEqual(want);
  });
});

describe('compareReleaseNumbers', () => {
  const ladder = [
    ['27.0.0.dev1'],
    ['27.0.0.dev12', '27.dev12'],
    ['27.0.0.0a1.dev4'],
    ['27.0.0.0a1', '27.0.0-a.1'],
    ['27.0.0.0b2', '27.0.0.0B2'],
    ['27.0.0.0b10'],
    ['27.0.0.0rc1.dev3'],
    ['27.0.0.0rc1', '27rc1', '27.0.0-rc.1'],
    ['27.0.0-rc.1.1'],
    ['27.0.0.0rc2'],
    ['27.0.0', '27', 'v27.0', '27.0.0+build', '27.0.0.0'],
    ['27.0.0.post1'],
    ['27.0.1.dev1'],
    ['27.0.1'],
    ['27.0.10'],
    ['28'],
  ];
  const steps = ladder.flatMap((level, at) => level.map(text => ({ text, at })));
  it.each(steps)('$text stands at its step of the ladder', ({ text, at }) => {
    for (const other of steps) {
      const want = Math.sign(at - other.at);
      expect(compareReleaseNumbers(number(text), number(other.text)), `${text} and ${other.text}`).toBe(want);
    }
  });

  const segment = fc.oneof(fc.nat(3), fc.nat(1_000_000));
  const identifier = fc.oneof(
    fc.nat(12).map(String),
    fc.constantFrom('alpha', 'beta', 'rc', 'rc1', 'rc10', 'rc2', 'dev', 'Z', '-', '0a', 'x-y'),
  );
  const plainSemver = fc
    .tuple(
      fc.tuple(segment, segment, segment).map(numbers => numbers.join('.')),
      fc.array(identifier, { maxLength: 3 }).map(ids => (ids.length === 0 ? '' : `-${ids.join('.')}`)),
      fc.constantFrom('', '', '+build', '+0.7-x'),
    )
    .map(parts => parts.join(''));

  it('says what the semver package says for every semver', () => {
    fc.assert(
      fc.property(plainSemver, plainSemver, (a, b) => {
        expect(compareReleaseNumbers(number(a), number(b))).toBe(semver.compare(a, b));
      }),
      { numRuns: 2000 },
    );
  });

  it('says what the semver package says for two pre-releases of one release', () => {
    fc.assert(
      fc.property(plainSemver, plainSemver, (a, b) => {
        const [left, right] = [a.replace(/^[\d.]+/, '1.2.3'), b.replace(/^[\d.]+/, '1.2.3')];
        expect(compareReleaseNumbers(number(left), number(right))).toBe(semver.compare(left, right));
      }),
      { numRuns: 2000 },
    );
  });
});
