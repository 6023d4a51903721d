import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Clock, systemClock } from '../../../cluster/clock.ts';
import { until } from '../container-world.contract.ts';
import { openContainers } from '../open-containers.ts';
import { canHaveSmallDisk, SmallDisk } from '../small-disk.contract.ts';
import { LogMinder } from './log-minder.ts';
import { logParts } from './log-segments.ts';
import { readLog } from './read-log.ts';
import { rotateLog } from './rotate-log.ts';

const megabyte = 1024 * 1024;

describe.skipIf(!canHaveSmallDisk)('logs on a full disk', () => {
  let disk: SmallDisk;
  beforeEach(() => {
    disk = new SmallDisk(8);
  });
  afterEach(() => disk.remove());

  test('the older part is dropped without a copy, and readers see no hole', async () => {
    const folder = join(disk.folder, 'run');
    mkdirSync(folder);
    const lines = Array.from({ length: 6 * 65_536 }, (_, index) => `${String(index).padStart(15, '.')}\n`);
    writeFileSync(join(folder, 'log'), lines.join(''));
    disk.fill();
    const limits = { bytes: 4 * megabyte, files: 3 };
    expect(await rotateLog(folder, limits)).toBe('dropped');
    expect(readdirSync(folder)).not.toContain('log.unfinished');
    expect(disk.freeBytes()).toBeGreaterThanOrEqual(3 * megabyte);
    const parts: Buffer[] = [];
    for await (const part of readLog({ folder, hasEnded: () => true }, {}, systemClock)) parts.push(part);
    expect(Buffer.concat(parts).toString() === lines.slice(-2 * 65_536).join('')).toBe(true);
    expect(await rotateLog(folder, limits)).toBe('small');

    // With room again, it goes on as before.
    writeFileSync(join(folder, 'log'), 'x'.repeat(megabyte), { flag: 'a' });
    expect(await rotateLog(folder, { bytes: megabyte, files: 3 })).toBe('moved');
    expect(logParts(folder).segments).toMatchObject([
      { from: 5 * megabyte, until: 6 * megabyte },
      { from: 6 * megabyte, until: 7 * megabyte },
    ]);
  });

  test('a log that grows fast is looked at before the usual time', async () => {
    const folder = join(disk.folder, 'run');
    mkdirSync(folder);
    let now = 0;
    let isAsked = false;
    const clock: Clock = {
      ...systemClock,
      monotonic: () => now,
      sleep: async milliseconds => {
        now += milliseconds;
        writeFileSync(join(folder, 'log'), Buffer.alloc(megabyte), { flag: 'a' });
        await new Promise(setImmediate);
      },
    };
    const minder = new LogMinder({
      stateFolder: disk.folder,
      runs: () => {
        isAsked = true;
        void minder.close();
        return [{ folder, hasEnded: false }];
      },
      limits: { bytes: 1.5 * megabyte, files: 2 },
      clock,
      onTrouble: () => {},
    });
    await until(() => isAsked);
    await minder.close();
    expect(now).toBe(400);
  });

  test('a flood does not fill the disk for long, and is told of', async () => {
    const troubles: string[] = [];
    const containers = await openContainers({
      stateFolder: join(disk.folder, 'state'),
      isolation: 'loopback',
      // More than there is room for.
      logLimits: { bytes: 5 * megabyte, files: 3 },
      onTrouble: (doing, error) => void troubles.push(`${doing}: ${error}`),
    });
    await containers.adopt();
    const pod = { uid: 'pod', namespace: 'default', name: 'pod', hostname: 'pod', hostNetwork: false };
    await containers.openPod(pod);
    const command = ['/bin/sh', '-c', 'head -c 20000000 /dev/zero; sleep 1000'];
    await containers.start({ podUid: 'pod', name: 'flood', attempt: 0, command, env: {}, mounts: [] });
    await until(() => troubles.length > 0);
    expect(troubles[0]).toContain('was dropped');
    await until(() => disk.freeBytes() > 2 * megabyte);
    await containers.closePod('pod');
    await containers.takeDown();
  });
});
