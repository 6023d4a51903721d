import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSeries, type Series, seriesJump } from './series.ts';

function series(text: string): Series {
  const parsed = parseSeries(text);
  if (parsed === undefined) throw new Error(`the test names no series: ${text}`);
  return parsed;
}

describe('parseSeries', () => {
  const rows: { name: string; text: string; want: Series | undefined }[] = [
    { name: 'counts from austin', text: 'austin', want: { ordinal: 0, label: 'austin', slurp: false } },
    { name: 'takes any case', text: 'Zed', want: { ordinal: 25, label: 'zed', slurp: false } },
    {
      name: 'goes on with 2023.1 after zed',
      text: '2023.1',
      want: { ordinal: 26, label: '2023.1', slurp: true },
    },
    {
      name: 'knows a dated series by name',
      text: 'antelope',
      want: { ordinal: 26, label: '2023.1', slurp: true },
    },
    {
      name: 'takes date and name',
      text: '2023.1 Antelope',
      want: { ordinal: 26, label: '2023.1', slurp: true },
    },
    {
      name: 'takes name and date',
      text: 'EPOXY 2025.1',
      want: { ordinal: 30, label: '2025.1', slurp: true },
    },
    {
      name: 'has no SLURP in autumn',
      text: 'flamingo',
      want: { ordinal: 31, label: '2025.2', slurp: false },
    },
    { name: 'knows the last name', text: 'hibiscus', want: { ordinal: 33, label: '2026.2', slurp: false } },
    {
      name: 'needs no name for later years',
      text: '2031.1',
      want: { ordinal: 42, label: '2031.1', slurp: true },
    },
    { name: 'allows blanks around', text: ' yoga ', want: { ordinal: 24, label: 'yoga', slurp: false } },
    { name: 'refuses a name that contradicts its date', text: '2023.1 Bobcat', want: undefined },
    { name: 'refuses a third release of a year', text: '2025.3', want: undefined },
    { name: 'refuses dates from before the dated series', text: '2022.2', want: undefined },
    { name: 'refuses a longer number', text: '2025.1.0', want: undefined },
    { name: 'refuses a plain number', text: '22', want: undefined },
    { name: 'refuses other words', text: 'latest', want: undefined },
    { name: 'refuses a word too many', text: '2023.1 antelope slurp', want: undefined },
    { name: 'refuses what every object has', text: 'constructor', want: undefined },
    { name: 'refuses nothing', text: '', want: undefined },
  ];
  it.each(rows)('$name: "$text"', ({ text, want }) => {
    expect(parseSeries(text)).toEqual(want);
  });

  it('reads its own label back as the same series, at every ordinal', () => {
    const labels = fc.oneof(
      fc.constantFrom('austin', 'kilo', 'zed', 'bobcat'),
      fc.tuple(fc.integer({ min: 2023, max: 9999 }), fc.constantFrom(1, 2)).map(pair => pair.join('.')),
    );
    fc.assert(
      fc.property(labels, label => {
        expect(parseSeries(series(label).label)).toEqual(series(label));
      }),
    );
  });
});

describe('seriesJump', () => {
  const rows = [
    { name: 'staying is supported', from: '2024.1', to: 'caracal', releases: 0, supported: true },
    { name: 'the next release is supported', from: 'yoga', to: 'zed', releases: 1, supported: true },
    { name: 'zed to antelope is one release', from: 'zed', to: '2023.1', releases: 1, supported: true },
    {
      name: 'a SLURP release to the one after it',
      from: '2024.1',
      to: '2024.2',
      releases: 1,
      supported: true,
    },
    {
      name: 'a release between to the next SLURP',
      from: '2024.2',
      to: '2025.1',
      releases: 1,
      supported: true,
    },
    {
      name: 'SLURP to the next SLURP is supported',
      from: '2024.1',
      to: '2025.1',
      releases: 2,
      supported: true,
    },
    { name: 'between to between is not', from: '2023.2', to: '2024.2', releases: 2, supported: false },
    { name: 'yoga to antelope skips zed', from: 'yoga', to: '2023.1', releases: 2, supported: false },
    { name: 'SLURP past a SLURP is not', from: '2023.1', to: '2025.1', releases: 4, supported: false },
    {
      name: 'SLURP to a far release between is not',
      from: '2023.1',
      to: '2024.2',
      releases: 3,
      supported: false,
    },
    { name: 'backwards is not an upgrade', from: '2025.1', to: '2024.2', releases: -1, supported: false },
    { name: 'SLURP backwards is not either', from: '2025.1', to: '2024.1', releases: -2, supported: false },
  ];
  it.each(rows)('$name: $from to $to', ({ from, to, releases, supported }) => {
    expect(seriesJump(series(from), series(to))).toMatchObject({ releases, supported });
  });

  it.each([
    { from: 'yoga', to: '2023.1', names: ['skips zed', 'upgrade to zed'] },
    { from: '2023.1', to: '2025.1', names: ['skips 3 releases', 'upgrade to 2024.1'] },
    { from: '2024.1', to: '2025.1', names: ['2024.2 may be skipped'] },
  ])('tells a person about $from to $to', ({ from, to, names }) => {
    const { because } = seriesJump(series(from), series(to));
    for (const name of names) expect(because).toContain(name);
  });

  it('advises a first stop that is itself supported', () => {
    const dated = fc
      .tuple(fc.integer({ min: 2023, max: 2040 }), fc.constantFrom(1, 2))
      .map(pair => pair.join('.'));
    fc.assert(
      fc.property(dated, dated, (from, to) => {
        const { supported, because } = seriesJump(series(from), series(to));
        const stop = /upgrade to (\S+) first/.exec(because)?.[1];
        if (stop === undefined) return;
        expect(supported).toBe(false);
        expect(seriesJump(series(from), series(stop)).supported).toBe(true);
        expect(series(stop).ordinal).toBeLessThan(series(to).ordinal);
      }),
    );
  });
});
