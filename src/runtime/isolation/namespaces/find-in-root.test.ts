import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findInRoot } from './find-in-root.ts';

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'afloat-root-'));
  mkdirSync(join(root, 'usr/lib'), { recursive: true });
  symlinkSync('usr/lib', join(root, 'lib'));
  symlinkSync('/usr', join(root, 'absolute'));
  symlinkSync('../../../../etc', join(root, 'out'));
  symlinkSync('round', join(root, 'round'));
});
afterAll(() => rmSync(root, { recursive: true }));

test.each([
  ['/usr/lib', { path: '/usr/lib', exists: true, nearest: '/usr/lib' }],
  ['/lib', { path: '/usr/lib', exists: true, nearest: '/usr/lib' }],
  ['/absolute/lib/new/er', { path: '/usr/lib/new/er', exists: false, nearest: '/usr/lib' }],
  ['/out/passwd', { path: '/etc/passwd', exists: false, nearest: '/' }],
  ['/../../x', { path: '/x', exists: false, nearest: '/' }],
  ['/round/x', { path: '/round/x', exists: false, nearest: '/' }],
  ['/', { path: '/', exists: true, nearest: '/' }],
])('%s is found inside the root', (path, want) => {
  expect(findInRoot(root, path)).toEqual(want);
});
