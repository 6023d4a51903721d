/** Where lines for the person at the terminal go. */
export type Say = (line: string) => void;

/** How often somebody who waits is told that it goes on. */
const everySeconds = 15;

/** A length of time in few words: `40 s`, `3 min`, `3 min 20 s`. */
export function durationText(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const rest = whole % 60;
  return rest === 0 ? `${Math.floor(whole / 60)} min` : `${Math.floor(whole / 60)} min ${rest} s`;
}

/** One line of progress. */
export function progressLine(what: string, estimateSeconds: number, secondsSoFar: number): string {
  if (secondsSoFar < 1) return `${what} ... about ${durationText(estimateSeconds)}`;
  const late = secondsSoFar > estimateSeconds ? ', longer than usual' : '';
  return `${what} ... about ${durationText(estimateSeconds)}, ${durationText(secondsSoFar)} so far${late}`;
}

/** Runs `work` and says at once, and every 15 seconds, how far it is; at the end how long it took. */
export async function withProgress<T>(
  { what, estimateSeconds, say }: { what: string; estimateSeconds: number; say: Say },
  work: () => Promise<T>,
): Promise<T> {
  const start = performance.now();
  const soFar = () => (performance.now() - start) / 1000;
  say(progressLine(what, estimateSeconds, 0));
  const timer = setInterval(() => say(progressLine(what, estimateSeconds, soFar())), everySeconds * 1000);
  try {
    const result = await work();
    say(`${what} ... done in ${durationText(soFar())}`);
    return result;
  } finally {
    clearInterval(timer);
  }
}
