import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { planMounts } from './plan-mounts.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'afloat-mounts-')));
  for (const name of ['image', 'run', 'pod', 'volume', 'inner', 'outside']) mkdirSync(join(folder, name));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A volume at `/m`, and another one inside it. */
function planWith(inner: string) {
  const mounts = [
    { source: join(folder, 'volume'), target: '/m', readOnly: false },
    { source: join(folder, 'inner'), target: `/m/${inner}`, readOnly: false },
  ];
  const spec = { podUid: 'u', name: 'main', attempt: 0, command: ['true'], env: {}, mounts };
  const place = { podFolder: join(folder, 'pod'), runFolder: join(folder, 'run') };
  return planMounts({ ...spec, root: join(folder, 'image') }, place);
}

describe('a mount inside a volume', () => {
  test('gets its mount point there', () => {
    planWith('deep/er');
    expect(readdirSync(join(folder, 'volume/deep'))).toEqual(['er']);
  });

  test('may follow a link that stays in the volume', () => {
    mkdirSync(join(folder, 'volume/real'));
    symlinkSync('real', join(folder, 'volume/link'));
    planWith('link/new');
    expect(readdirSync(join(folder, 'volume/real'))).toEqual(['new']);
  });

  test.each(['link', 'link/new'])('is refused at %s, by which the volume leads out of itself', inner => {
    symlinkSync(join(folder, 'outside'), join(folder, 'volume/link'));
    expect(() => planWith(inner)).toThrow('a link in the volume at /m leads out of it');
    expect(readdirSync(join(folder, 'outside'))).toEqual([]);
  });
});
