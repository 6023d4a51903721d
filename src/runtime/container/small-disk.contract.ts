import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, realpathSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Only root can mount one. */
export const canHaveSmallDisk = process.getuid?.() === 0;

/** A filesystem of its own with room for so many megabytes. */
export class SmallDisk {
  readonly folder: string;

  constructor(megabytes: number) {
    this.folder = realpathSync(mkdtempSync(join(tmpdir(), 'afloat-disk-')));
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', this.folder]);
  }

  freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.folder);
    return bavail * bsize;
  }

  /** Leaves no room at all. */
  fill(): void {
    const file = openSync(join(this.folder, 'filler'), 'w');
    try {
      for (;;) writeSync(file, Buffer.alloc(64 * 1024));
    } catch {
      closeSync(file);
    }
  }

  remove(): void {
    execFileSync('umount', ['--lazy', this.folder]);
    rmSync(this.folder, { recursive: true, force: true });
  }
}
