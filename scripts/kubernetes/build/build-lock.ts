import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Say } from './progress.ts';

/**
 * Runs `work` while no other process runs work under the same lock file; waits as long as it takes, and says so.
 *
 * The lock is the kernel's (`flock`), held by a helper that reads a pipe from us: when this process ends in whatever
 * way, the pipe closes, the helper ends and the lock is free. So there is no stale lock to recognise.
 */
export async function withBuildLock<T>(file: string, say: Say, work: () => Promise<T>): Promise<T> {
  await mkdir(dirname(file), { recursive: true });
  const holder = spawn('flock', [file, 'sh', '-c', 'echo locked; read -r _'], {
    detached: true, // Ctrl-C must not take the lock away before the build is over
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(holder, 'exit');
  const tell = () => say('another run is building the same parts: waiting for it');
  const timers = [setTimeout(tell, 1000), setInterval(tell, 15_000)];
  const locked = Promise.race([
    once(holder.stdout, 'data').then(() => true),
    ended.then(() => false),
  ]).finally(() => timers.map(clearTimeout));
  try {
    if (!(await locked)) throw new Error(`cannot lock ${file}`);
    return await work();
  } finally {
    holder.stdin.destroy();
    await ended.catch(() => {});
  }
}
