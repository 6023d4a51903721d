import { type FSWatcher, watch } from 'node:fs';
import type { Clock } from '../../../cluster/clock.ts';

/**
 * Notice of what shims write: one watch on one folder for all runs, and a slow look at everything, for what no watch tells: a shim that
 * was killed, or a queue of the kernel that ran over.
 */
export class RunEvents {
  readonly #stop = new AbortController();
  #watcher: FSWatcher | undefined;

  constructor(
    folder: string,
    told: { readonly changed: (key: string) => void; readonly lookAtAll: () => void },
    options: { readonly clock: Clock; readonly pollMilliseconds: number },
  ) {
    try {
      this.#watcher = watch(folder, { persistent: false }, (_, file) => {
        if (file) told.changed(file);
        else told.lookAtAll();
      });
      // Without a watch (none left to be had) the slow look finds everything, later.
      this.#watcher.on('error', () => this.#watcher?.close());
    } catch {
      this.#watcher = undefined;
    }
    void this.#poll(told.lookAtAll, options);
  }

  close(): void {
    this.#stop.abort();
    this.#watcher?.close();
  }

  async #poll(
    lookAtAll: () => void,
    { clock, pollMilliseconds }: { clock: Clock; pollMilliseconds: number },
  ) {
    while (!this.#stop.signal.aborted) {
      await clock.sleep(pollMilliseconds, this.#stop.signal);
      if (!this.#stop.signal.aborted) lookAtAll();
    }
  }
}
