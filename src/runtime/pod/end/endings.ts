import type { Clock } from '../../../cluster/clock.ts';
import type { ContainerId, Containers } from '../../container/containers.ts';
import type { Hook } from '../pod-shape.ts';
import type { Subject } from '../probe/ask.ts';
import { runKey } from '../run-key.ts';
import { runHook } from './run-hook.ts';

/** However long a hook took, a program has this long to end by itself, as on a kubelet. */
const leastSeconds = 2;

export interface EndingsOptions {
  readonly containers: Containers;
  readonly clock: Clock;
  /** Lets go: what is being ended is left as it is, for the next manager. */
  readonly signal: AbortSignal;
  readonly onTrouble: (doing: string, error: unknown) => void;
}

/** How one run is to end. */
export interface HowToEnd {
  readonly subject: Subject;
  /** The last moment at which it may run by its own will, in milliseconds since 1970. */
  readonly until: number;
  readonly preStop?: Hook;
  readonly onFailedHook?: () => void;
}

interface Ending {
  until: number;
  /** Has whoever waits look again. */
  wake: () => void;
}

/**
 * Ends runs: hook, SIGTERM, time, and then everything of them is killed. Each run is ended once, however often that is asked for; a
 * later request may make the time shorter.
 */
export class Endings {
  readonly #options: EndingsOptions;
  readonly #endings = new Map<string, Ending>();

  constructor(options: EndingsOptions) {
    this.#options = options;
    options.containers.onChange(podUid => {
      for (const [key, ending] of this.#endings) if (key.startsWith(`${podUid}/`)) ending.wake();
    });
  }

  /** Being ended; not yet known to have. */
  isEnding(id: ContainerId): boolean {
    return this.#endings.has(runKey(id));
  }

  /** Begins to end a run, or shortens its time. True when it began now. */
  end(how: HowToEnd): boolean {
    const key = runKey(how.subject.id);
    const known = this.#endings.get(key);
    if (known) {
      if (how.until < known.until) {
        known.until = how.until;
        known.wake();
      }
      return false;
    }
    const ending: Ending = { until: how.until, wake: () => {} };
    this.#endings.set(key, ending);
    void this.#carryOut(how, ending)
      .catch(error => this.#options.onTrouble(`ending ${key}`, error))
      .finally(() => this.#endings.delete(key));
    return true;
  }

  async #carryOut({ subject, preStop, onFailedHook }: HowToEnd, ending: Ending): Promise<void> {
    const { containers, clock, signal } = this.#options;
    const { id } = subject;
    const left = () => (ending.until - clock.wall()) / 1000;
    if (preStop && left() > 0 && !signal.aborted) {
      const run = runHook({ hook: preStop, subject, containers, clock, timeoutSeconds: left(), signal });
      if (!(await run)) onFailedHook?.();
    }
    if (signal.aborted) return;
    ending.until = Math.max(ending.until, clock.wall() + leastSeconds * 1000);
    await this.#tellAndWait(id, ending);
    if (signal.aborted) return;
    // Also what its first process left behind.
    await containers.kill(id);
  }

  /** Tells the program to end, as soon as there is one, and waits until it has or its time is over. */
  async #tellAndWait(id: ContainerId, ending: Ending): Promise<void> {
    const { containers, clock, signal } = this.#options;
    let isTold = false;
    while (!signal.aborted && containers.state(id)?.is !== 'ended') {
      if (!isTold) isTold = containers.signal(id, 'SIGTERM');
      const left = ending.until - clock.wall();
      if (left <= 0 || containers.state(id)?.is === 'ended') return;
      const over = new AbortController();
      ending.wake = () => over.abort();
      await clock.sleep(left, AbortSignal.any([over.signal, signal]));
    }
  }
}
