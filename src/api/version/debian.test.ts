import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it, type TestContext } from 'vitest';
import { compareDebian, isDebianVersion, splitDebian } from './debian.ts';
import type { Order } from './order.ts';

const dpkgIsThere = spawnSync('dpkg', ['--version']).status === 0;
if (!dpkgIsThere) process.stderr.write('skipped: what dpkg says, since dpkg is not on this machine\n');

/** A machine without dpkg may skip; continuous integration may not, or nobody would notice. */
function needDpkg(context: TestContext): void {
  if (dpkgIsThere) return;
  if (process.env['CI'] === 'true') throw new Error('dpkg is not on this machine, and CI must have it');
  context.skip('dpkg is not on this machine');
}

function askDpkg(a: string, b: string): Order {
  if (spawnSync('dpkg', ['--compare-versions', a, 'lt', b]).status === 0) return -1;
  return spawnSync('dpkg', ['--compare-versions', a, 'eq', b]).status === 0 ? 0 : 1;
}

const anyText = fc.string({ unit: fc.constantFrom(...'0019aZz~~++..--'), maxLength: 7 });
const upstream = fc.tuple(fc.constantFrom('0', '1', '10', '01'), anyText).map(parts => parts.join(''));
const epoch = fc.constantFrom('', '', '', '0:', '1:', '01:', '12:');
const revision = fc.oneof(
  fc.constantFrom('', '', '-0', '-00', '-0~'),
  fc.string({ unit: fc.constantFrom(...'09ad~+.'), minLength: 1, maxLength: 5 }).map(text => `-${text}`),
);
const debianVersion = fc
  .tuple(epoch, upstream, revision)
  .map(parts => parts.join(''))
  .filter(isDebianVersion);
const oneEdit = fc
  .tuple(debianVersion, fc.nat(12), fc.constantFrom(...'01az~+.'))
  .map(([text, at, insert]): [string, string] => [text, text.slice(0, at) + insert + text.slice(at)])
  .filter(([, edited]) => isDebianVersion(edited));
/** Half of the pairs differ in one character: there the rules bite. */
const pairs = fc.oneof(fc.tuple(debianVersion, debianVersion), oneEdit);

describe('compareDebian', () => {
  const rows: { name: string; a: string; b: string; want: Order }[] = [
    { name: 'the same is level', a: '1.2-3', b: '1.2-3', want: 0 },
    { name: 'numbers go by value, not by text', a: '1.9', b: '1.10', want: -1 },
    { name: 'leading zeros do not count', a: '1.02', b: '1.2', want: 0 },
    { name: 'a missing segment is older than a zero', a: '22', b: '22.0', want: -1 },
    { name: 'a tilde is older than the end', a: '10.11.6~rc1', b: '10.11.6', want: -1 },
    { name: 'two tildes are older than one', a: '1~~', b: '1~', want: -1 },
    { name: 'a tilde and a letter are older than a bare letter', a: '1~~a', b: '1~', want: -1 },
    { name: 'a letter is newer than the end', a: '1.0a', b: '1.0', want: 1 },
    { name: 'a letter is older than a plus', a: '1.0a', b: '1.0+', want: -1 },
    { name: 'upper case is older than lower case', a: '1.0Z', b: '1.0a', want: -1 },
    { name: 'the epoch wins over everything', a: '1:1.0', b: '99.0', want: 1 },
    { name: 'no epoch is epoch zero', a: '0:1.0', b: '1.0', want: 0 },
    { name: 'no revision is revision zero', a: '1.0', b: '1.0-0', want: 0 },
    { name: 'a revision breaks a tie', a: '22.0.2-0+deb12u3', b: '22.0.2-0+deb12u6', want: -1 },
    { name: 'a backport is older than what it is taken from', a: '1.0-1~bpo12+1', b: '1.0-1', want: -1 },
    { name: 'only the last dash starts the revision', a: '1-2-3', b: '1-10-1', want: -1 },
    {
      name: 'long numbers keep their last digit',
      a: '0~20240101000000000001',
      b: '0~20240101000000000002',
      want: -1,
    },
    { name: 'a text that is no version is still ordered', a: 'abc', b: 'abd', want: -1 },
  ];
  it.each(rows)('$name: $a and $b', ({ a, b, want }) => {
    expect(compareDebian(a, b)).toBe(want);
    expect(compareDebian(b, a)).toBe(want === 0 ? 0 : -want);
  });

  it('says what dpkg says for the table', context => {
    needDpkg(context);
    for (const { a, b, want } of rows) expect(askDpkg(a, b), `${a} and ${b}`).toBe(want);
  });

  it('says what dpkg says for anything', context => {
    needDpkg(context);
    fc.assert(
      fc.property(pairs, ([a, b]) => {
        expect(compareDebian(a, b)).toBe(askDpkg(a, b));
      }),
      { numRuns: 150 },
    );
  });

  it('is an order: transitive, and level means level with everything', () => {
    fc.assert(
      fc.property(debianVersion, pairs, (a, [b, c]) => {
        const [x, y, z] = [a, b, c].sort(compareDebian);
        if (x === undefined || y === undefined || z === undefined) return;
        expect(compareDebian(x, z)).toBeLessThanOrEqual(0);
        if (compareDebian(x, y) === 0) expect(compareDebian(x, z)).toBe(compareDebian(y, z));
      }),
    );
  });
});

describe('isDebianVersion', () => {
  const rows = [
    { name: 'a plain number', text: '22', want: true },
    { name: 'everything at once', text: '2:22.0.2-0+deb12u3', want: true },
    { name: 'dashes in the upstream part', text: '1-2-3', want: true },
    { name: 'a trailing tilde', text: '1.0~', want: true },
    { name: 'the largest epoch', text: '2147483647:1', want: true },
    { name: 'an epoch too large for dpkg', text: '2147483648:1', want: false },
    { name: 'an empty revision', text: '1.0-', want: false },
    { name: 'an empty upstream part', text: '-1', want: false },
    { name: 'an empty epoch', text: ':1.0', want: false },
    { name: 'an epoch that is no number', text: 'a:1.0', want: false },
    { name: 'a second colon, which dpkg takes and policy does not', text: '1:2:3', want: false },
    { name: 'a letter first', text: 'v1.0', want: false },
    { name: 'an underscore', text: '1.0_1', want: false },
    { name: 'a blank', text: '1.0 ', want: false },
    { name: 'a line break', text: '1.0\n', want: false },
    { name: 'nothing', text: '', want: false },
  ];
  it.each(rows)('$name: $want', ({ text, want }) => {
    expect(isDebianVersion(text)).toBe(want);
  });

  it('agrees with dpkg where the upstream part has no colon', context => {
    needDpkg(context);
    const texts = fc.tuple(epoch, anyText, revision).map(parts => parts.join(''));
    fc.assert(
      fc.property(
        texts.filter(text => !text.startsWith('-')), // dpkg would take it for an option
        text => {
          expect(isDebianVersion(text)).toBe(spawnSync('dpkg', ['--validate-version', text]).status === 0);
        },
      ),
    );
  });

  it('splits into what it was joined from', () => {
    expect(splitDebian('1:10.11.6-x-0+deb12u1')).toEqual({
      epoch: 1,
      upstream: '10.11.6-x',
      revision: '0+deb12u1',
    });
    expect(splitDebian('10.11.6')).toEqual({ epoch: 0, upstream: '10.11.6', revision: '' });
  });
});
