import fc from 'fast-check';
import semver from 'semver';
import { describe, expect, it } from 'vitest';
import type { Order } from './order.ts';
import {
  compareVersions,
  distance,
  isPreReleaseOf,
  parseVersion,
  type Version,
  type VersionScheme,
} from './version.ts';

function version(text: string, scheme?: VersionScheme): Version {
  const parsed = parseVersion(text, scheme);
  if (parsed === undefined) throw new Error(`the test names no version: ${text}`);
  return parsed;
}

describe('parseVersion', () => {
  const rows: { name: string; text: string; want: VersionScheme | undefined }[] = [
    { name: 'a series by name', text: 'zed', want: 'series' },
    { name: 'a series by date', text: '2025.1', want: 'series' },
    { name: 'a third release of a year is a number', text: '2025.3', want: 'number' },
    { name: 'a year before the dated series is a number', text: '2015.1', want: 'number' },
    { name: 'a longer date is a number', text: '2025.1.0', want: 'number' },
    { name: 'one number', text: '22', want: 'number' },
    { name: 'a pre-release by word', text: '1.2.3-rc.1', want: 'number' },
    { name: 'an OpenStack candidate', text: '27.0.0.0rc1', want: 'number' },
    { name: 'a tag with a v is never Debian', text: 'v1.2.3-1', want: 'number' },
    { name: 'an epoch', text: '2:22.0.2', want: 'debian' },
    { name: 'a tilde', text: '10.11.6~rc1', want: 'debian' },
    { name: 'a revision', text: '22.0.2-0', want: 'debian' },
    { name: 'a revision with a security update', text: '22.0.2-0+deb12u6', want: 'debian' },
    { name: 'an update without a revision', text: '22.0.2+deb12u6', want: 'debian' },
    { name: 'an Ubuntu mark', text: '22.0.2+ubuntu22.04', want: 'debian' },
    { name: 'a backport mark', text: '22.0.2+bpo12', want: 'debian' },
    { name: 'a word', text: 'latest', want: undefined },
    { name: 'an image tag', text: '2025.1-ubuntu_jammy', want: undefined },
    { name: 'nothing', text: ' ', want: undefined },
  ];
  it.each(rows)('$name: "$text" is $want', ({ text, want }) => {
    expect(parseVersion(text)?.scheme).toBe(want);
  });

  it('goes by the scheme it is given', () => {
    expect(parseVersion('2025.1', 'number')).toMatchObject({ scheme: 'number', release: [2025, 1] });
    expect(parseVersion('1.2.3-1', 'number')).toMatchObject({ scheme: 'number', pre: [1] });
    expect(parseVersion('22.0.0', 'debian')).toMatchObject({ scheme: 'debian', upstream: '22.0.0' });
    expect(parseVersion('22', 'series')).toBeUndefined();
    expect(parseVersion('zed', 'debian')).toBeUndefined();
  });

  it('keeps what was written, without the blanks around it', () => {
    expect(parseVersion(' 2025.1 Epoxy ')).toMatchObject({
      text: '2025.1 Epoxy',
      label: '2025.1',
      ordinal: 30,
    });
  });
});

describe('compareVersions', () => {
  const rows: { name: string; a: string; b: string; want: Order | undefined }[] = [
    { name: 'series go by release', a: 'zed', b: '2023.1', want: -1 },
    { name: 'a series has two names', a: 'antelope', b: '2023.1', want: 0 },
    { name: 'a series and a number cannot be compared', a: '2025.1', b: '22.0.0', want: undefined },
    { name: 'a series and a Debian version cannot either', a: 'zed', b: '2:22.0.2-0', want: undefined },
    { name: 'missing segments are zero', a: '22', b: '22.0.0', want: 0 },
    { name: 'a candidate comes before its release', a: '27.0.0.0rc1', b: '27.0.0', want: -1 },
    { name: 'Debian versions go by epoch first', a: '1:10.11.6-0', b: '22.0.2-0', want: 1 },
    { name: 'Debian versions go by revision last', a: '22.0.2-0+deb12u3', b: '22.0.2-0+deb12u6', want: -1 },
    { name: 'a number is level with its package', a: '22.0.2', b: '2:22.0.2-0+deb12u3', want: 0 },
    { name: 'a short number is level with its package', a: '22', b: '2:22.0.0-1', want: 0 },
    { name: 'a package is level with a longer number', a: '22-1', b: '22.0.0', want: 0 },
    { name: 'a number ignores the epoch of a package', a: '22', b: '1:10.11.6-0+deb12u1', want: 1 },
    { name: 'a packaged candidate comes before the number', a: '10.11.6~rc1', b: '10.11.6', want: -1 },
    { name: 'a candidate is level with its package', a: '27.0.0.0rc1', b: '2:27.0.0~rc1-0ubuntu1', want: 0 },
    { name: 'a candidate is level with its unchanged name', a: '27.0.0.0rc1', b: '27.0.0.0rc1-1', want: 0 },
    { name: 'a semver candidate is level too', a: '1.2.3-rc.1', b: '1.2.3~rc1-1', want: 0 },
    { name: 'a dev build is level with its package', a: '27.0.0.dev12', b: '27.0.0~dev12-1', want: 0 },
    { name: 'a dev build comes before a packaged milestone', a: '27.0.0.dev12', b: '27.0.0~b2-1', want: -1 },
    { name: 'a dev build of a candidate as well', a: '1.0rc2.dev3', b: '1.0~rc2.dev3-1', want: 0 },
    { name: 'a dev build of a candidate comes before it', a: '1.0rc2.dev3', b: '1.0~rc2-1', want: -1 },
    { name: 'a packaged candidate comes after an older one', a: '27.0.0.0rc1', b: '27.0.0~rc2-1', want: -1 },
    { name: 'a post release is level with its package', a: '1.0.post1', b: '1.0.post1-2', want: 0 },
    { name: 'a packaged snapshot comes after its base', a: '27.0.0', b: '27.0.0+git2024-1', want: -1 },
    { name: 'and before the next release', a: '27.0.1', b: '27.0.0+git2024-1', want: 1 },
    { name: 'a letter release is no pre-release', a: '1.1.1', b: '1.1.1w-0+deb11u1', want: -1 },
    { name: 'a repacked source is level', a: '5.0.0', b: '5.0.0+dfsg1-2', want: 0 },
    { name: 'a stripped source is level', a: '1.5.0', b: '1.5.0~ds1-3', want: 0 },
    { name: "MariaDB's own packages are level", a: '10.11.6', b: '1:10.11.6+maria~deb12', want: 0 },
  ];
  it.each(rows)('$name: $a and $b', ({ a, b, want }) => {
    expect(compareVersions(version(a), version(b))).toBe(want);
    expect(compareVersions(version(b), version(a))).toBe(want ? -want : want);
  });

  it('goes by semver when told that the text is a number', () => {
    const text = fc.constantFrom(
      '1.2.3-1',
      '1.2.3-1.1',
      '1.2.3-rc.1',
      '1.2.3-0a',
      '1.2.3',
      '1.2.4-0',
      '1.2.3-x-1',
    );
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(compareVersions(version(a, 'number'), version(b, 'number'))).toBe(semver.compare(a, b));
      }),
    );
  });

  const seriesText = fc.constantFrom(
    'austin',
    'Zed',
    '2023.1',
    'antelope',
    '2024.2',
    '2025.1 Epoxy',
    '2031.2',
  );
  const numberText = fc
    .tuple(
      fc.array(fc.nat(2), { minLength: 1, maxLength: 4 }).map(numbers => numbers.join('.')),
      fc.constantFrom(
        '',
        '',
        '.0rc1',
        '.0rc2',
        '.0b1',
        '.dev1',
        '.0rc1.dev1',
        '-rc.1',
        '-rc1',
        '-x',
        '.post1',
        '+b',
      ),
    )
    .map(parts => parts.join(''));
  const debianText = fc
    .tuple(
      fc.constantFrom('', '', '1:', '2:'),
      fc.array(fc.nat(2), { minLength: 1, maxLength: 3 }).map(numbers => numbers.join('.')),
      fc.constantFrom('', '~rc1', '~rc2', '~', '+git1', '+dfsg', 'a', '.0rc1'),
      fc.constantFrom('', '-0', '-1', '-0+deb12u1', '-1~bpo12+1'),
    )
    .map(parts => parts.join(''));
  const schemes = [
    { scheme: 'series', texts: seriesText },
    { scheme: 'number', texts: numberText },
    { scheme: 'debian', texts: debianText },
  ] as const;

  it.each(schemes)('is a total order within $scheme', ({ scheme, texts }) => {
    const versions = texts.map(text => version(text, scheme));
    fc.assert(
      fc.property(versions, versions, versions, (a, b, c) => {
        const [ab, bc, ac] = [compareVersions(a, b), compareVersions(b, c), compareVersions(a, c)];
        if (ab === undefined || bc === undefined || ac === undefined) throw new Error('not total');
        expect(compareVersions(a, a)).toBe(0);
        expect(compareVersions(b, a)).toBe(ab === 0 ? 0 : -ab);
        if (ab <= 0 && bc <= 0) expect(ac).toBeLessThanOrEqual(0);
        if (ab === 0) expect(ac).toBe(bc);
      }),
      { numRuns: 1000 },
    );
  });

  it('compares a number with a Debian version both ways alike, and never gives up', () => {
    fc.assert(
      fc.property(numberText, debianText, (a, b) => {
        const order = compareVersions(version(a, 'number'), version(b, 'debian'));
        const back = compareVersions(version(b, 'debian'), version(a, 'number'));
        expect(order).toBeDefined();
        expect(back).toBe(order ? -order : order);
      }),
    );
  });

  it('holds a number level with the package made of it, whatever the packager adds', () => {
    const released = fc.array(fc.nat(30), { minLength: 1, maxLength: 4 }).map(numbers => numbers.join('.'));
    const epochs = fc.constantFrom('', '1:', '2:');
    const revisions = fc.constantFrom('-0', '-1+deb12u2', '-0ubuntu1~cloud0');
    fc.assert(
      fc.property(released, released, epochs, revisions, (a, b, epoch, revision) => {
        const packaged = version(`${epoch}${b}${revision}`);
        expect(compareVersions(version(a, 'number'), packaged)).toBe(
          compareVersions(version(a, 'number'), version(b, 'number')),
        );
      }),
    );
  });
});

describe('distance', () => {
  const rows = [
    { name: 'series count releases', a: 'zed', b: '2024.1', want: 3 },
    { name: 'it does not matter which is newer', a: '2024.1', b: 'zed', want: 3 },
    { name: 'numbers count their first segment', a: '22.9.0', b: '25.0.1', want: 3 },
    { name: 'a minor release is no distance', a: '22.0.0', b: '22.9.0', want: 0 },
    {
      name: 'Debian versions count the upstream part',
      a: '2:22.0.2-0+deb12u3',
      b: '3:27.0.0~rc1-1',
      want: 5,
    },
    { name: 'a number and a package', a: '22', b: '2:23.1.0-1', want: 1 },
    { name: 'a series and a number have none', a: 'zed', b: '22', want: undefined },
  ];
  it.each(rows)('$name: $a and $b', ({ a, b, want }) => {
    expect(distance(version(a), version(b))).toBe(want);
  });

  it('is unknown where the numbers are too large to subtract', () => {
    expect(distance(version(`${'9'.repeat(400)}-1`), version('1-1'))).toBeUndefined();
  });
});

describe('isPreReleaseOf', () => {
  const rows = [
    { name: 'a candidate of its release', of: '27', text: '27.0.0.0rc1', want: true },
    { name: 'a packaged candidate of its release', of: '27.0.0', text: '2:27.0.0~rc1-1', want: true },
    { name: 'not of the next release', of: '28', text: '27.0.0.0rc1', want: false },
    { name: 'a release is none', of: '27', text: '27.0.0', want: false },
    { name: 'a post release is none', of: '27', text: '27.0.0.post1', want: false },
    { name: 'a candidate of a candidate is none', of: '27.0.0.0rc2', text: '27.0.0.0rc1', want: false },
    { name: 'another epoch is another line of releases', of: '2:27.0-1', text: '1:27.0~rc1-1', want: false },
    { name: 'series have none', of: 'zed', text: 'zed', want: false },
  ];
  it.each(rows)('$name: $text of $of', ({ text, of, want }) => {
    expect(isPreReleaseOf(version(text), version(of))).toBe(want);
  });
});
