import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../cluster/clock.ts';
import { ContainerWorld, until } from '../container-world.contract.ts';
import type { LogOptions } from '../containers.ts';
import { logParts, segmentName } from './log-segments.ts';
import { markLog } from './log-times.ts';
import { readLog } from './read-log.ts';
import { rotateLog } from './rotate-log.ts';

describe('the log of a run', () => {
  let folder: string;
  const write = (text: string) => appendFileSync(join(folder, 'log'), text);
  const read = async (options: LogOptions = {}, hasEnded = () => true) => {
    const parts: Buffer[] = [];
    for await (const part of readLog({ folder, hasEnded }, options, systemClock)) parts.push(part);
    return Buffer.concat(parts).toString('utf8');
  };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'afloat-log-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('is empty before anything is written', async () => {
    expect(await read()).toBe('');
    expect(await read({ tailLines: 3 })).toBe('');
  });

  test('is read over all its parts, and the oldest are let go', async () => {
    const limits = { bytes: 100, files: 3 };
    for (let line = 0; line < 12; line++) {
      write(`${String(line).padStart(59, '.')}\n`);
      await rotateLog(folder, limits);
    }
    const text = await read();
    expect(text.split('\n').map(line => line.replaceAll('.', ''))).toEqual(['8', '9', '10', '11', '']);
    expect(logParts(folder).segments).toHaveLength(2);
    expect(await read({ tailLines: 2 })).toMatch(/^\.+10\n\.+11\n$/);
  });

  test('takes no more room than its parts: what was moved is given back', async () => {
    write('x'.repeat(1024 * 1024));
    await rotateLog(folder, { bytes: 64 * 1024, files: 3 });
    expect(statSync(join(folder, 'log')).blocks * 512).toBeLessThan(64 * 1024);
    expect((await read()).length).toBe(128 * 1024);
  });

  test('goes on after it was emptied instead, where the filesystem has no holes', async () => {
    write('first\n');
    // What a rotation leaves there: the part has a name of its own, and the file begins anew.
    writeFileSync(join(folder, segmentName({ from: 0, until: 6, wasCut: true })), 'first\n');
    truncateSync(join(folder, 'log'), 0);
    write('second\n');
    expect(await read()).toBe('first\nsecond\n');
    await rotateLog(folder, { bytes: 3, files: 5 });
    write('third\n');
    expect(await read()).toBe('first\nsecond\nthird\n');
  });

  test.each([
    [0, ''],
    [1, 'c'],
    [2, 'b\nc'],
    [3, 'a\nb\nc'],
    [9, 'a\nb\nc'],
  ])('of its last %i lines, one without an end counts', async (tailLines, want) => {
    write('a\nb\nc');
    expect(await read({ tailLines })).toBe(want);
  });

  describe('with the times at which it was seen to grow', () => {
    const second = (number: number) => new Date(Date.UTC(2026, 0, 31, 22, 0, number));
    const writeAt = async (number: number, text: string) => {
      write(text);
      utimesSync(join(folder, 'log'), second(number), second(number));
      await markLog(folder, undefined);
    };

    test('says them before each line, also of what nobody noted yet', async () => {
      await writeAt(1, 'a\nb\n');
      await writeAt(2, 'c\n');
      write('d\ne');
      utimesSync(join(folder, 'log'), second(5), second(5));
      expect(await read({ timestamps: true })).toBe(
        '2026-01-31T22:00:01.000Z a\n2026-01-31T22:00:01.000Z b\n2026-01-31T22:00:02.000Z c\n' +
          '2026-01-31T22:00:05.000Z d\n2026-01-31T22:00:05.000Z e',
      );
      expect(await read({ timestamps: true, tailLines: 3 })).toMatch(/^2026-01-31T22:00:02\.000Z c\n/);
    });

    test.each([
      [0, 'a\nb\nc\nd\n'],
      [1, 'a\nb\nc\nd\n'],
      [2, 'c\nd\n'],
      [3, 'd\n'],
      [4, ''],
    ])('is read from second %i on, by whole lines', async (since, want) => {
      await writeAt(1, 'a\nb');
      await writeAt(2, '\nc\n');
      await writeAt(3, 'd\n');
      expect(await read({ since: second(since) })).toBe(want);
    });

    test('keeps so many times, the newest all of them', async () => {
      const times = Array.from(
        { length: 40_000 },
        (_, index) => `${index * 2} ${index + 1_700_000_000_000}\n`,
      );
      writeFileSync(join(folder, 'log.times'), times.join(''));
      write('x\n'.repeat(40_001));
      await markLog(folder, undefined);
      const kept = readFileSync(join(folder, 'log.times'), 'utf8').split('\n');
      expect(kept.length).toBeLessThan(25_000);
      const now = (await read({ timestamps: true })).split('\n');
      expect(now[39_000]).toBe(`${new Date(1_700_000_039_001).toISOString()} x`);
    });

    test('goes on after a note that a crash cut off', async () => {
      await writeAt(1, 'a\n');
      appendFileSync(join(folder, 'log.times'), '4');
      await writeAt(2, 'b\n');
      expect(await read({ since: second(2) })).toBe('b\n');
    });

    test('says the time once for a line that comes in pieces, while it is followed', async () => {
      let isOver = false;
      const following = read({ follow: true, timestamps: true }, () => isOver);
      write('half');
      await wait(300);
      write(' and half\n');
      isOver = true;
      expect(await following).toMatch(/^\d{4}-\S+Z half and half\n$/);
    });
  });

  test('is followed until the run has ended, also while it is moved', async () => {
    let isOver = false;
    const following = read({ follow: true }, () => isOver);
    let all = '';
    for (let line = 0; line < 300; line++) {
      const text = `${line} ${'.'.repeat(50)}\n`;
      write(text);
      all += text;
      if (line % 10 === 0) {
        await rotateLog(folder, { bytes: 1000, files: 50 });
        await wait(1);
      }
    }
    isOver = true;
    expect(await following).toBe(all);
  });

  test('is no longer followed when the reader says stop', async () => {
    const stop = new AbortController();
    write('a\n');
    let text = '';
    const options = { follow: true, signal: stop.signal };
    for await (const part of readLog({ folder, hasEnded: () => false }, options, systemClock)) {
      text += part;
      if (text === 'a\n') setImmediate(() => write('b\n'));
      else stop.abort();
    }
    expect(text).toBe('a\nb\n');
  });
});

describe('the logs of programs', () => {
  test('nothing is lost while a program writes and its log is moved', async () => {
    const world = await ContainerWorld.open('loopback');
    await world.pod('pod');
    const spec = await world.start('pod', 'i=0; while [ $i -lt 60000 ]; do echo $i; i=$((i+1)); done');
    const folder = join(world.stateFolder, 'pods', 'pod', 'containers', spec.name, '0');
    const followed: Buffer[] = [];
    const following = (async () => {
      for await (const part of world.containers.logs(spec, { follow: true })) followed.push(part);
    })();
    while (world.containers.state(spec)?.is !== 'ended') {
      await rotateLog(folder, { bytes: 2000, files: 1000 });
      await wait(1);
    }
    await following;
    expect(logParts(folder).segments.length).toBeGreaterThan(3);
    const want = Array.from({ length: 60_000 }, (_, index) => `${index}\n`).join('');
    expect(Buffer.concat(followed).toString()).toBe(want);
    expect(await world.log(spec)).toBe(want);
    await world.close();
  });

  test('a program that floods its log does not fill the disk', async () => {
    const limits = { bytes: 1024 * 1024, files: 3 };
    const world = await ContainerWorld.open('loopback', { logLimits: limits });
    await world.pod('pod');
    const spec = await world.start('pod', 'while :; do head -c 65536 /dev/zero | tr "\\0" x; done');
    const folder = join(world.stateFolder, 'pods', 'pod', 'containers', spec.name, '0');
    await until(() => logParts(folder).liveFrom > 20 * limits.bytes);
    await world.containers.kill(spec);
    await world.containers.close();
    await rotateLog(folder, limits);
    const { segments } = logParts(folder);
    const used = [join(folder, 'log'), ...segments.map(({ file }) => file)].map(
      file => statSync(file).blocks * 512,
    );
    expect(used.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(
      (limits.files + 1) * limits.bytes,
    );
    expect(readFileSync(join(folder, 'exit'), 'utf8')).toBe('137\n');
    await world.close();
  });
});
