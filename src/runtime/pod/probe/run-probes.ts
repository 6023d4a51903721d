import type { Clock } from '../../../cluster/clock.ts';
import type { Containers } from '../../container/containers.ts';
import type { ProbeResults } from '../decide/observed-pod.ts';
import type { PodEvent } from '../pod-events.ts';
import type { Probe } from '../pod-shape.ts';
import { ask, type Subject } from './ask.ts';

export type ProbeKind = keyof ProbeResults;

const fields = { startup: 'startupProbe', readiness: 'readinessProbe', liveness: 'livenessProbe' } as const;
const words = { startup: 'Startup', readiness: 'Readiness', liveness: 'Liveness' } as const;

export interface RunProbesOptions {
  readonly subject: Subject;
  /** When the run began, in milliseconds since 1970. */
  readonly startedAt: number;
  /** What is known of this very run from before: it was asked by an earlier process of ours. */
  readonly known: { readonly isStarted: boolean; readonly isReady: boolean };
  readonly containers: Containers;
  readonly clock: Clock;
  readonly onEvent: (event: PodEvent) => void;
  /** A result is another one now. */
  readonly onResult: () => void;
}

/** Asks the probes of one run again and again, from its start until it is told to stop. */
export class RunProbes {
  readonly #options: RunProbesOptions;
  readonly #stops: Record<ProbeKind, AbortController>;
  readonly #results: Partial<Record<ProbeKind, boolean>> = {};
  #onStarted: (() => void)[] = [];

  constructor(options: RunProbesOptions) {
    this.#options = options;
    this.#stops = {
      startup: new AbortController(),
      readiness: new AbortController(),
      liveness: new AbortController(),
    };
    const { isStarted, isReady } = options.known;
    if (this.#probe('startup') && isStarted) this.#results.startup = true;
    // It stays ready until it is asked: that a manager was replaced is not its fault.
    if (this.#probe('readiness') && isReady) this.#results.readiness = true;
    for (const kind of ['startup', 'readiness', 'liveness'] as const) {
      const probe = this.#probe(kind);
      if (probe) void this.#run(kind, probe);
    }
  }

  get results(): ProbeResults {
    return this.#results;
  }

  /** A run that is being ended may answer badly; only whether it is ready still matters. */
  onlyReadiness(): void {
    this.#stops.startup.abort();
    this.#stops.liveness.abort();
  }

  stop(): void {
    for (const stop of Object.values(this.#stops)) stop.abort();
    for (const wake of this.#onStarted.splice(0)) wake();
  }

  #probe(kind: ProbeKind): Probe | undefined {
    return this.#options.subject.container[fields[kind]];
  }

  get #isStarted(): boolean {
    return !this.#probe('startup') || this.#results.startup === true;
  }

  async #run(kind: ProbeKind, probe: Probe): Promise<void> {
    const { clock, startedAt } = this.#options;
    const { signal } = this.#stops[kind];
    if (kind === 'startup' && this.#isStarted) return;
    if (kind !== 'startup' && !this.#isStarted) {
      await new Promise<void>(resolve => this.#onStarted.push(resolve));
    }
    const delay = startedAt + (probe.initialDelaySeconds ?? 0) * 1000 - clock.wall();
    if (delay > 0) await clock.sleep(delay, signal);
    const counted = new Counted(probe);
    while (!signal.aborted) {
      const began = clock.monotonic();
      const isGood = await this.#ask(kind, probe);
      if (signal.aborted) return;
      const result = counted.count(isGood);
      if (result !== undefined && this.#settle(kind, result)) return;
      const left = began + (probe.periodSeconds ?? 10) * 1000 - clock.monotonic();
      if (left > 0) await clock.sleep(left, signal);
    }
  }

  async #ask(kind: ProbeKind, probe: Probe): Promise<boolean> {
    const { subject, containers, onEvent } = this.#options;
    const { container } = subject;
    const failed = (what: string) =>
      onEvent({ type: 'Warning', reason: 'Unhealthy', message: `${words[kind]} probe ${what}`, container });
    try {
      const { isGood, output } = await ask(probe, subject, containers, probe.timeoutSeconds ?? 1);
      if (!isGood && !this.#stops[kind].signal.aborted) failed(`failed: ${output}`);
      return isGood;
    } catch (error) {
      if (!this.#stops[kind].signal.aborted) failed(`errored: ${(error as Error).message}`);
      return false;
    }
  }

  /** Takes a result. True when nothing more needs to be asked of this run. */
  #settle(kind: ProbeKind, result: boolean): boolean {
    const isNew = this.#results[kind] !== result;
    this.#results[kind] = result;
    if (kind === 'startup' && result) for (const wake of this.#onStarted.splice(0)) wake();
    if (isNew) this.#options.onResult();
    return kind === 'startup' || (kind === 'liveness' && !result);
  }
}

/** Believes an answer when it came often enough in a row. */
class Counted {
  readonly #probe: Probe;
  #last: boolean | undefined;
  #times = 0;

  constructor(probe: Probe) {
    this.#probe = probe;
  }

  count(isGood: boolean): boolean | undefined {
    this.#times = this.#last === isGood ? this.#times + 1 : 1;
    this.#last = isGood;
    const { successThreshold = 1, failureThreshold = 3 } = this.#probe;
    return this.#times >= (isGood ? successThreshold : failureThreshold) ? isGood : undefined;
  }
}
