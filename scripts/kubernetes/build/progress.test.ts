import { afterEach, describe, expect, test, vi } from 'vitest';
import { durationText, progressLine, withProgress } from './progress.ts';

afterEach(() => {
  vi.useRealTimers();
});

test.each([
  [0.4, '0 s'],
  [40, '40 s'],
  [60, '1 min'],
  [200.2, '3 min 20 s'],
])('%d seconds are %s', (seconds, want) => {
  expect(durationText(seconds)).toBe(want);
});

describe('a line of progress', () => {
  test.each([
    ['at the start', 0, 'building x ... about 3 min'],
    ['on the way', 40, 'building x ... about 3 min, 40 s so far'],
    ['when late', 190, 'building x ... about 3 min, 3 min 10 s so far, longer than usual'],
  ])('%s', (_, soFar, want) => {
    expect(progressLine('building x', 180, soFar)).toBe(want);
  });
});

describe('long work', () => {
  test('is reported at once, every 15 seconds, and at the end', async () => {
    vi.useFakeTimers();
    const lines: string[] = [];
    const work = () => new Promise<string>(resolve => setTimeout(resolve, 40_000, 'built'));
    const result = withProgress({ what: 'x', estimateSeconds: 30, say: line => lines.push(line) }, work);
    await vi.advanceTimersByTimeAsync(41_000);
    expect(await result).toBe('built');
    expect(lines).toEqual([
      'x ... about 30 s',
      'x ... about 30 s, 15 s so far',
      'x ... about 30 s, 30 s so far',
      'x ... done in 40 s',
    ]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('that fails leaves no timer behind', async () => {
    vi.useFakeTimers();
    const work = () => Promise.reject(new Error('no room'));
    const result = withProgress({ what: 'x', estimateSeconds: 30, say: () => {} }, work);
    await expect(result).rejects.toThrow('no room');
    expect(vi.getTimerCount()).toBe(0);
  });
});
