import { describe, expect, test } from 'vitest';
import { errorCatalog } from './error-catalog.ts';

const entries = Object.entries(errorCatalog).map(([code, entry]) => ({ code, ...entry }));

describe.each(entries)('$code', ({ code, reason, means, advice }) => {
  test('is a word for programs, and so is its reason', () => {
    expect(code).toMatch(/^[A-Z][A-Za-z]+$/);
    expect(reason).toMatch(/^[A-Z][A-Za-z]+$/);
  });
  test('has a meaning and an advice in whole sentences', () => {
    expect(means).toMatch(/^[A-Z].*\.$/);
    expect(advice).toMatch(/^[A-Z].*\.$/);
  });
});
