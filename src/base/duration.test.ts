import { describe, expect, test } from 'vitest';
import { readDuration, sayDuration } from './duration.ts';

describe('a duration', () => {
  test.each([
    ['90s', 90],
    ['10m', 600],
    ['1h30m', 5400],
    ['2d', 172_800],
    ['', undefined],
    ['10', undefined],
    ['-5m', undefined],
    ['5 m', undefined],
    ['m', undefined],
  ])('typed as "%s" is %s seconds', (text, seconds) => {
    expect(readDuration(text)).toBe(seconds);
  });

  test.each([
    [45, '45 s'],
    [180, '3 min'],
    [7200, '2 h'],
  ])('of %i seconds is said as %s', (seconds, text) => {
    expect(sayDuration(seconds)).toBe(text);
  });
});
