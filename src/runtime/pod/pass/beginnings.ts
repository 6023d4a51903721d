import type { Clock } from '../../../cluster/clock.ts';
import type { ContainerId } from '../../container/containers.ts';
import type { Container } from '../pod-shape.ts';
import { runKey } from '../run-key.ts';

/** A program that ends within this time was never up. A kubelet, which looks once a second, does not see such runs either. */
const settleSeconds = 0.3;

interface Beginning {
  /** When it was first seen to run, on the clock that only goes forward. */
  readonly seenAt: number;
  hookIsDone: boolean;
}

/**
 * Runs that have just begun. They are not yet said to run: a Pod that is ready for the blink of an eye before it fails would have a
 * rolling update take it for a good one. One with a probe is judged by that; one with a `postStart` hook has begun when that is done.
 */
export class Beginnings {
  readonly #clock: Clock;
  readonly #beginnings = new Map<string, Beginning>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Seconds until a run that goes on is believed; infinite while its hook runs. `startHook` is called once. */
  secondsLeft(id: ContainerId, container: Container, startHook: (done: () => void) => void): number {
    const key = runKey(id);
    const known = this.#beginnings.get(key);
    const beginning = known ?? {
      seenAt: this.#clock.monotonic(),
      hookIsDone: !container.lifecycle?.postStart,
    };
    if (!known) {
      this.#beginnings.set(key, beginning);
      if (!beginning.hookIsDone) {
        startHook(() => {
          beginning.hookIsDone = true;
        });
      }
    }
    if (!beginning.hookIsDone) return Number.POSITIVE_INFINITY;
    if (container.readinessProbe || container.startupProbe) return 0;
    return Math.max(0, settleSeconds - (this.#clock.monotonic() - beginning.seenAt) / 1000);
  }

  /** It has ended, or was said to run. */
  drop(id: ContainerId): void {
    this.#beginnings.delete(runKey(id));
  }
}
