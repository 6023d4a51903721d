import { execFile } from 'node:child_process';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { bundleOf } from './bundle.contract.ts';

const nobody = 65534;

test.skipIf(process.getuid?.() !== 0)(
  'a manager without rights does the same on loopback, and says what it cannot',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'afloat-unprivileged-'));
    const program = await bundleOf('unprivileged-program.contract.ts', folder);
    await chown(folder, nobody, nobody);
    const { stdout } = await promisify(execFile)(process.execPath, [program, join(folder, 'state')], {
      uid: nobody,
      gid: nobody,
      timeout: 25_000,
    });
    expect(JSON.parse(stdout)).toEqual({
      isolation: 'loopback',
      reason: 'namespaces need root',
      states: [
        expect.objectContaining({ is: 'ended', exitCode: 3 }),
        expect.objectContaining({ is: 'ended', exitCode: 137 }),
        expect.objectContaining({ is: 'ended', exitCode: 128, problem: 'StartError' }),
      ],
      left: 0,
    });
    await rm(folder, { recursive: true });
  },
);
