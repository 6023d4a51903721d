import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, test } from 'vitest';
import { controlGroups } from './node/control-groups.ts';
import { processIdentity } from './process/process-identity.ts';

/** There is a cluster of somebody else's, and maybe nothing to start one of our own with. */
const isGiven = Boolean(process.env['AFLOAT_TEST_KUBECONFIG']);

/** All of it takes minutes; what it is made of has tests of its own. */
describe.skipIf(isGiven)('make kubernetes (not with AFLOAT_TEST_KUBECONFIG)', { timeout: 120_000 }, () => {
  test('cut off in the middle takes its cluster down and leaves nothing behind', async () => {
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', join(import.meta.dirname, 'run-example-cloud.ts')],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const ended = once(child, 'exit');
    const owner = await processIdentity(child.pid);
    const lines: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      lines.push(line);
      if (!line.startsWith('node ready')) continue;
      expect((await controlGroups()).some(group => group.owner === owner)).toBe(true);
      child.kill('SIGINT');
    }
    expect([lines.at(-1), await ended]).toEqual(['It is gone.', [130, null]]);
    expect((await controlGroups()).filter(group => group.owner === owner)).toEqual([]);
  });
});
