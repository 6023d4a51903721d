import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { withBuildLock } from './build-lock.ts';

const quiet = () => {};
let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'afloat-lock-test-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe.skipIf(process.platform !== 'linux')('the build lock', () => {
  test('lets one work at a time', async () => {
    const file = join(folder, 'below', 'lock');
    const events: string[] = [];
    const work = (name: string) =>
      withBuildLock(file, quiet, async () => {
        events.push(`${name} starts`);
        await sleep(100);
        events.push(`${name} ends`);
      });
    await Promise.all([work('one'), work('two'), work('three')]);
    expect(events).toHaveLength(6);
    for (const i of [0, 2, 4]) expect(events[i + 1]).toBe(events[i]?.replace('starts', 'ends'));
  });

  test('is free again after work that failed', async () => {
    const file = join(folder, 'lock');
    const failing = withBuildLock(file, quiet, () => Promise.reject(new Error('no compiler')));
    await expect(failing).rejects.toThrow('no compiler');
    expect(await withBuildLock(file, quiet, async () => 'built')).toBe('built');
  });
});
