import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sayMoment, secondsBetween, secondsOf } from './moments.ts';

const anyDate = fc.date({ min: new Date('1900-01-01'), max: new Date('2400-01-01'), noInvalidDate: true });

describe('secondsOf', () => {
  it('agrees with the clock of the machine, for any moment', () => {
    fc.assert(
      fc.property(anyDate, date => {
        expect(secondsOf(date.toISOString())).toBe(Math.floor(date.getTime() / 1000));
      }),
    );
  });

  it('knows zones', () => {
    expect(secondsOf('2026-03-14T02:10:00+02:00')).toBe(secondsOf('2026-03-14T00:10:00Z'));
    expect(secondsOf('2026-03-13T21:40:00-02:30')).toBe(secondsOf('2026-03-14T00:10:00Z'));
  });

  it.each(['', 'soon', '2026-03-14', '2026-03-14T02:10:00'])('does not guess at %j', text => {
    expect(secondsOf(text)).toBeUndefined();
  });
});

describe('secondsBetween', () => {
  it('is never below zero and never a guess', () => {
    expect(secondsBetween('2026-03-14T02:00:00Z', '2026-03-14T02:01:30.250Z')).toBe(90);
    expect(secondsBetween('2026-03-14T02:01:00Z', '2026-03-14T02:00:00Z')).toBe(0);
    expect(secondsBetween(undefined, '2026-03-14T02:00:00Z')).toBeUndefined();
  });
});

describe('sayMoment', () => {
  it('leaves out the day where it is today', () => {
    expect(sayMoment('2026-03-14T02:10:00Z', '2026-03-14T23:00:00Z')).toBe('02:10 UTC');
    expect(sayMoment('2026-03-15T02:10:00Z', '2026-03-14T23:00:00Z')).toBe('2026-03-15 02:10 UTC');
  });

  it('says the day that the machine would say, for any moment', () => {
    fc.assert(
      fc.property(anyDate, date => {
        const text = date.toISOString();
        expect(sayMoment(text, '')).toBe(`${text.slice(0, 10)} ${text.slice(11, 16)} UTC`);
      }),
    );
  });
});
