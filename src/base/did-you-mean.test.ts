import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { didYouMean } from './did-you-mean.ts';

const services = ['keystone', 'glance', 'nova', 'neutron', 'cinder'];

describe('didYouMean', () => {
  const rows: { name: string; written: string; among?: string[]; want: string | undefined }[] = [
    { name: 'two letters swapped', written: 'keystoen', want: 'keystone' },
    { name: 'a letter missing', written: 'glace', want: 'glance' },
    { name: 'a letter too many', written: 'novva', want: 'nova' },
    { name: 'a wrong letter', written: 'neutrom', want: 'neutron' },
    { name: 'another case', written: 'Keystone', want: 'keystone' },
    { name: 'nothing near', written: 'octavia', want: undefined },
    { name: 'a short word has room for one slip only', written: 'ab', among: ['cd'], want: undefined },
    { name: 'a short word with one slip', written: 'ndb', among: ['mdb'], want: 'mdb' },
    { name: 'the nearest wins', written: 'nova1', among: ['nova23', 'nova2', 'nova'], want: 'nova' },
    { name: 'of equals the first by text', written: 'nova', among: ['novb', 'nova1'], want: 'nova1' },
    { name: 'nobody to choose from', written: 'nova', among: [], want: undefined },
    { name: 'an empty word', written: '', among: ['nova'], want: undefined },
  ];
  it.each(rows)('$name', ({ written, among, want }) =>
    expect(didYouMean(written, among ?? services)).toBe(want),
  );

  it('does not depend on the order of the candidates', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), (written, candidates) => {
        expect(didYouMean(written, candidates.toReversed())).toBe(didYouMean(written, candidates));
      }),
    );
  });

  it('finds what is written without a slip', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), word => {
        expect(didYouMean(word, [word])).toBe(word);
      }),
    );
  });
});
