import { type CutAt, CutLine, everyCut } from '../../../src/testing/cut-line.ts';
import type { KillWorld } from './kill-world.ts';

/** Calls that change the world. All ports write through the cluster; what they only read leaves it as it was. */
const writes: ReadonlySet<string> = new Set(
  ['create', 'update', 'updateStatus', 'patch', 'delete'].map(verb => `cluster.${verb}`),
);

/** Whether a call changes the world. */
export function isWrite(verb: string): boolean {
  return writes.has(verb);
}

/**
 * The line of a run that is not cut: notes beside every call in which state it leaves the world to a manager that comes after a cut there.
 * A cut loses all memory, so that state is what was written until then, and when; two cuts that leave the same state have the same future.
 */
export class RecordingLine extends CutLine {
  readonly #world: KillWorld;
  readonly #before: string[] = [];
  readonly #after: string[] = [];
  #written = 0;

  constructor(world: KillWorld) {
    super();
    this.#world = world;
  }

  override async call<T>(verb: string, about: string, work: () => Promise<T>): Promise<T> {
    const place = this.#before.push(this.#state()) - 1;
    if (isWrite(verb)) this.#written += 1;
    try {
      return await super.call(verb, about, work);
    } finally {
      this.#after[place] = this.#state();
    }
  }

  override opens(verb: string, about: string): boolean {
    this.#after[this.#before.push(this.#state()) - 1] = this.#state();
    return super.opens(verb, about);
  }

  /** Every place at which the run can be cut, each state of the world once. */
  distinctCuts(): readonly CutAt[] {
    const seen = new Set<string>();
    return everyCut(this.#before.length).filter(({ call, when }) => {
      const state = (when === 'before' ? this.#before : this.#after)[call - 1] ?? '';
      const isNew = !seen.has(state);
      seen.add(state);
      return isNew;
    });
  }

  #state(): string {
    return `${this.#written} ${this.#world.ticks} ${this.#world.clock.monotonic()}`;
  }
}
