import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { waitUntil } from './wait-until.ts';
import { startWatched } from './watched-process.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'afloat-watched-test-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const start = (script: string) =>
  startWatched({
    name: 'it',
    program: 'sh',
    arguments: ['-c', script],
    logFile: join(folder, 'log'),
    folder,
    environment: { WORD: 'hello' },
  });

describe.skipIf(process.platform !== 'linux')('a watched process', () => {
  test('says how it ended, and what it said last', async () => {
    const it = await start('echo "$WORD"; echo world >&2; exit 3');
    expect(await it.end()).toBe(false);
    expect(it.ended()).toBe('ended with exit code 3');
    expect(await it.lastWords()).toBe('hello\nworld');
  });

  test('reads nothing and ends well', async () => {
    const it = await start('cat; exit 0');
    expect(await it.end()).toBe(true);
  });

  test('is the program itself, and is killed with all it started', async () => {
    const it = await start('sleep 60 & echo $$ $!; wait');
    const [own, child = 0] = await waitUntil('the ids', 5, async () => {
      const text = await readFile(join(folder, 'log'), 'utf8');
      return text.endsWith('\n') ? text.trim().split(' ').map(Number) : undefined;
    });
    expect(own).toBe(it.pid);
    expect(it.ended()).toBeUndefined();
    expect(await aliveInGroup(it.pid)).toContain(`${child}`);
    await it.kill();
    await it.kill();
    expect(it.ended()).toBe('was ended by SIGKILL');
    await groupIsGone(it.pid);
  });

  test('that ended leaves no watchdog behind', async () => {
    const it = await start('exit 0');
    await it.end();
    await groupIsGone(it.pid);
  });

  test('that is no program ends at once', async () => {
    const it = await startWatched({
      name: 'it',
      program: './missing',
      arguments: [],
      logFile: join(folder, 'log'),
      folder,
    });
    expect(await it.end()).toBe(false);
    expect(await it.lastWords()).toContain('missing');
  });
});

function groupIsGone(group: number): Promise<true> {
  return waitUntil('the group is gone', 5, async () => (await aliveInGroup(group)).length === 0);
}

/** Who of a process group is alive; the dead that nobody has buried yet do not count. */
async function aliveInGroup(group: number): Promise<string[]> {
  const ids = (await readdir('/proc')).filter(name => /^\d+$/.test(name));
  const stats = await Promise.all(ids.map(id => readFile(`/proc/${id}/stat`, 'utf8').catch(() => '')));
  const fields = stats.map(stat => stat.slice(stat.lastIndexOf(')') + 2).split(' '));
  return ids.filter((_, index) => fields[index]?.[2] === `${group}` && fields[index]?.[0] !== 'Z');
}
