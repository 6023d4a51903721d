/** What is to be called when a signal is aborted, by the signal. */
const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `stop` when the signal is aborted, unless `offAbort` takes it back. However many wait for one signal, it has one
 * listener: a program stops all its watches by one, and Node takes more than ten listeners for a leak and says so.
 */
export function onAbort(signal: AbortSignal, stop: () => void): void {
  const known = waiting.get(signal);
  if (known) {
    known.add(stop);
    return;
  }
  const stops = new Set([stop]);
  waiting.set(signal, stops);
  signal.addEventListener('abort', () => stopAll(stops), { once: true });
}

export function offAbort(signal: AbortSignal, stop: () => void): void {
  waiting.get(signal)?.delete(stop);
}

function stopAll(stops: Set<() => void>): void {
  const all = [...stops];
  stops.clear();
  for (const stop of all) stop();
}
