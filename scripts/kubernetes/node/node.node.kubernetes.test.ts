import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, readdir, readFile, readlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { processIdentity } from '../process/process-identity.ts';
import { sweepRunFolders } from '../process/run-folder.ts';
import { waitUntil } from '../process/wait-until.ts';
import { controlGroups, sweepControlGroups } from './control-groups.ts';

/** There is a cluster of somebody else's, and maybe nothing to start one of our own with. */
const isGiven = Boolean(process.env['AFLOAT_TEST_KUBECONFIG']);

describe.skipIf(isGiven)('a node of our own (not with AFLOAT_TEST_KUBECONFIG)', () => {
  test.each([
    ['SIGTERM', 'at once'],
    ['SIGKILL', 'but for its folders, which go at the next start'],
  ] as const)('whose keeper gets %s is gone within 10 s, %s', async (signal, when) => {
    const keeper = spawn(
      process.execPath,
      ['--import', 'tsx', join(import.meta.dirname, '..', 'run-node.ts')],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const { kubeconfig } = JSON.parse(await firstLine(keeper.stdout));
    const folder = dirname(kubeconfig);
    const owner = await processIdentity(keeper.pid);
    const namespace = await namespaceOfProgramIn(folder);
    expect((await processesIn(namespace)).length, 'all programs and a few shells').toBeGreaterThan(8);
    expect((await controlGroups()).some(group => group.owner === owner)).toBe(true);

    keeper.kill(signal);
    await once(keeper, 'exit');
    await waitUntil('its processes are gone', 10, async () => (await processesIn(namespace)).length === 0);
    if (when !== 'at once') {
      await access(folder);
      await sweepRunFolders(tmpdir());
      await sweepControlGroups();
    }
    await expect(access(folder)).rejects.toThrow();
    expect((await controlGroups()).filter(group => group.owner === owner)).toEqual([]);
  });
});

async function firstLine(input: Readable): Promise<string> {
  for await (const line of createInterface({ input })) return line;
  throw new Error('it ended without a word');
}

/** The namespace in which processes are counted for the kubelet of that run. */
async function namespaceOfProgramIn(folder: string): Promise<string> {
  for (const id of await processIds()) {
    const line = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '');
    const [program = ''] = line.split('\0');
    if (program.endsWith('/kubelet') && line.includes(folder)) return readlink(`/proc/${id}/ns/pid`);
  }
  throw new Error(`no kubelet runs in ${folder}`);
}

async function processesIn(namespace: string): Promise<string[]> {
  const ids = await processIds();
  const namespaces = await Promise.all(ids.map(id => readlink(`/proc/${id}/ns/pid`).catch(() => '')));
  return ids.filter((_, index) => namespaces[index] === namespace);
}

async function processIds(): Promise<string[]> {
  return (await readdir('/proc')).filter(name => /^\d+$/.test(name));
}
