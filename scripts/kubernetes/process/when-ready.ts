import { waitUntil } from './wait-until.ts';
import type { WatchedProcess } from './watched-process.ts';

/** How long a start may take on a machine that is busy with something else. */
const startSeconds = 90;

/**
 * Waits for a process to do what it is for; what `ask` throws means not yet. A process that ended meanwhile is not waited
 * for. The error holds the end of its log.
 */
export async function whenReady(
  process: WatchedProcess,
  what: string,
  ask: () => Promise<boolean>,
): Promise<void> {
  try {
    await waitUntil(what, startSeconds, async () => {
      const end = process.ended();
      if (end !== undefined) throw new Error(`${process.name} ${end}`);
      return ask().catch(() => false);
    });
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${await process.lastWords()}`, { cause: error });
  }
}
