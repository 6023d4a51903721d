import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Asks again and again until the answer is neither undefined nor false, and gives that answer. What `ask` throws ends the wait: it
 * is for what cannot get better, such as a process that is over. After `seconds` it gives up, with `what` in the error.
 */
export async function waitUntil<T>(
  what: string,
  seconds: number,
  ask: () => Promise<T | undefined | false>,
): Promise<T> {
  const end = performance.now() + seconds * 1000;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (performance.now() > end) throw new Error(`${what}: not within ${seconds} s`);
    await sleep(25);
  }
}
