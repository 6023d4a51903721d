import { linkSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ForwarderFiles, textOf } from './forwarder-files.ts';
import { runs } from './forwarder-identity.ts';

/**
 * Who forwards for a folder. Claims are files with growing numbers; the one with the highest number counts, as long as its process
 * runs. A new claim is a hard link with the next number, which only one of several can make: a stale claim is never taken
 * away, and so nobody can take away a good one by mistake.
 */
export function claimedBy(files: ForwarderFiles): string | undefined {
  const holder = textOf(join(files.claims, `${highest(files)}`));
  return holder !== undefined && runs(holder) ? holder : undefined;
}

/**
 * Claims the folder for a process. False when another one has it; `from` names the one that gave it up for us and still runs.
 */
export function claim(files: ForwarderFiles, identity: string, from?: string): boolean {
  const mine = join(files.claims, `new-${process.pid}`);
  writeFileSync(mine, identity, { mode: 0o600 });
  try {
    for (;;) {
      const last = highest(files);
      const holder = claimedBy(files);
      if (holder === identity) return true;
      if (holder !== undefined && holder !== from) return false;
      if (!link(mine, join(files.claims, `${last + 1}`))) continue;
      // Between the look and the link others may have come and gone, and their claims been tidied away.
      if (highest(files) === last + 1) {
        for (const number of numbers(files))
          if (number <= last) rmSync(join(files.claims, `${number}`), { force: true });
        return true;
      }
      rmSync(join(files.claims, `${last + 1}`), { force: true });
    }
  } finally {
    rmSync(mine, { force: true });
  }
}

function link(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function numbers(files: ForwarderFiles): number[] {
  return readdirSync(files.claims).flatMap(name => (/^\d+$/.test(name) ? [Number(name)] : []));
}

function highest(files: ForwarderFiles): number {
  return Math.max(0, ...numbers(files));
}
