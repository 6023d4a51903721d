import type { Clock } from '../clock.ts';
import type { Cluster, ObjectType, WatchEvent, WatchOptions } from '../cluster.ts';
import { ClusterError } from '../cluster-error.ts';

/**
 * A watch with a watchdog: throws `Unreachable` when nothing is heard for too long, for a connection may be dead without
 * anybody having said so. The time in which the caller is busy with an event does not count.
 */
export async function* watchUntilIdle(
  cluster: Cluster,
  type: ObjectType,
  options: WatchOptions,
  { signal, clock, idleSeconds }: { signal: AbortSignal | undefined; clock: Clock; idleSeconds: number },
): AsyncGenerator<WatchEvent> {
  const ended = new AbortController();
  const end = () => ended.abort();
  if (signal?.aborted) return;
  signal?.addEventListener('abort', end, { once: true });

  const idle = idleSeconds * 1000;
  let waitingSince: number | undefined = clock.monotonic();
  let isIdle = false;
  const guard = async () => {
    while (!ended.signal.aborted) {
      const waited = waitingSince === undefined ? 0 : clock.monotonic() - waitingSince;
      isIdle = waited >= idle;
      if (isIdle) return end();
      await clock.sleep(idle - waited, ended.signal);
    }
  };
  void guard();

  try {
    for await (const event of cluster.watch(type, { ...options, signal: ended.signal })) {
      waitingSince = undefined;
      yield event;
      waitingSince = clock.monotonic();
    }
  } finally {
    end();
    signal?.removeEventListener('abort', end);
  }
  if (isIdle) throw new ClusterError('Unreachable', `nothing was heard of the watch for ${idleSeconds} s`);
}
