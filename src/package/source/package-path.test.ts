import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkPath, isVersionControl } from './package-path.ts';

describe('checkPath', () => {
  it.each([
    { written: 'a/b.yaml', want: 'a/b.yaml' },
    { written: './a//b/./c/', want: 'a/b/c' },
    { written: './', want: '' },
    { written: 'a..b/...', want: 'a..b/...' },
    { written: 'Größe/日本', want: 'Größe/日本' },
  ])('reads $written as $want', ({ written, want }) => {
    const checked = checkPath(written);
    expect(checked.ok && checked.parts.join('/')).toBe(want);
  });

  it.each([
    '/a',
    '//a',
    'C:/a',
    'c:\\a',
    '..',
    '../a',
    'a/..',
    'a/../b',
    'a\\b',
    'a\0b',
    'a\tb',
    'a\uFFFD',
    'x'.repeat(1025),
  ])('refuses %j', written => {
    expect(checkPath(written).ok).toBe(false);
  });

  it('never lets a path out, whatever is written', () => {
    const anyPath = fc
      .array(fc.constantFrom('a', '.', '..', '/', '\\', ' ', 'C:', '\0'), { maxLength: 12 })
      .map(parts => parts.join(''));
    fc.assert(
      fc.property(anyPath, written => {
        const checked = checkPath(written);
        if (checked.ok) expect(checked.parts).not.toContain('..');
        if (checked.ok) expect(written.startsWith('/')).toBe(false);
      }),
    );
  });
});

describe('isVersionControl', () => {
  it('knows .git wherever it lies, and nothing that only looks like it', () => {
    expect([['.git'], ['a', '.git', 'b']].map(isVersionControl)).toEqual([true, true]);
    expect([['.gitignore'], ['git'], []].map(isVersionControl)).toEqual([false, false, false]);
  });
});
