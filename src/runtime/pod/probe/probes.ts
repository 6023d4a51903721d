import type { ContainerId } from '../../container/containers.ts';
import type { ProbeResults } from '../decide/observed-pod.ts';
import { runKey } from '../run-key.ts';
import { RunProbes, type RunProbesOptions } from './run-probes.ts';

/** The probes of all runs. */
export class Probes {
  readonly #runs = new Map<string, RunProbes>();
  #isClosed = false;

  /** Has the probes of a run asked from now on; nothing happens where they are already. */
  watch(options: RunProbesOptions): void {
    const { id, container } = options.subject;
    const { startupProbe, readinessProbe, livenessProbe } = container;
    if (this.#isClosed || (!startupProbe && !readinessProbe && !livenessProbe)) return;
    const key = runKey(id);
    if (!this.#runs.has(key)) this.#runs.set(key, new RunProbes(options));
  }

  results(id: ContainerId): ProbeResults {
    return this.#runs.get(runKey(id))?.results ?? {};
  }

  /** The run is being ended. */
  onlyReadiness(id: ContainerId): void {
    this.#runs.get(runKey(id))?.onlyReadiness();
  }

  /** The run has ended. */
  drop(id: ContainerId): void {
    this.#runs.get(runKey(id))?.stop();
    this.#runs.delete(runKey(id));
  }

  /** Nothing is asked any more, whoever still wants to. */
  close(): void {
    this.#isClosed = true;
    for (const run of this.#runs.values()) run.stop();
    this.#runs.clear();
  }
}
