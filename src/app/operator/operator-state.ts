import type { Engine } from '../../controller/engine.ts';
import type { OperatorMetrics } from './operator-metrics.ts';

/** Where the process is, for probes and metrics. */
export class OperatorState {
  readonly #metrics: OperatorMetrics;
  #says = 'waiting for the cluster';
  #isReady = false;
  /** A newer manager is there although this one leads: somebody runs two. */
  isRelieved = false;

  constructor(metrics: OperatorMetrics) {
    this.#metrics = metrics;
  }

  /** `leader` or not, in words. */
  get says(): string {
    return this.#says;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** It must not act, for this reason. */
  waitFor(hindrance: string): void {
    this.#set(hindrance, false);
  }

  /** It can lead as soon as nobody else does. */
  standBy(): void {
    this.#set('standing by', true);
  }

  /** It leads, and does not know everything yet. */
  beginToLead(): void {
    this.#metrics.isLeader = true;
    this.#set('leader, reading what is there', false);
  }

  /** It leads and works. */
  led(engine: Engine): void {
    this.#metrics.engine = engine;
    this.#set('leader', true);
  }

  end(): void {
    this.#metrics.isLeader = false;
    this.#metrics.engine = undefined;
    this.#set('ending', false);
  }

  #set(says: string, isReady: boolean): void {
    this.#says = says;
    this.#isReady = isReady;
  }
}
