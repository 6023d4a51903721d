/** The error of a process that was killed: nothing it asks for is answered any more. Not one that code under test can know. */
export class Cut extends Error {
  constructor() {
    super('the process was cut off here');
    this.name = 'Cut';
  }
}

/** Where a process is cut off: at its n-th call, counted from 1; before it reaches anybody, or after it was done and before its answer. */
export interface CutAt {
  readonly call: number;
  readonly when: 'before' | 'after';
}

/** One call of a process, for messages and for choosing where to cut. */
export interface CallRecord {
  /** From 1. */
  readonly call: number;
  /** `cluster.create`, `drivers.observe`. */
  readonly verb: string;
  /** What it was about: `Secret default/afloat-digest-key`. */
  readonly about: string;
}

/**
 * The line of all calls of one process, over all its ports: numbers them, and cuts the process off at one of them. From then on
 * nothing gets through, and every answer, also of calls that were under way, is a `Cut`.
 */
export class CutLine {
  readonly #cutAt: CutAt | undefined;
  readonly #calls: CallRecord[] = [];
  readonly #cut = new AbortController();

  constructor(cutAt?: CutAt) {
    this.#cutAt = cutAt;
  }

  /** Tells of the cut: watches end by it, and whoever runs the process may end it. */
  get signal(): AbortSignal {
    return this.#cut.signal;
  }

  get isCut(): boolean {
    return this.#cut.signal.aborted;
  }

  /** Every call that was made until the cut, in order. The one it was cut at is the last. */
  calls(): readonly CallRecord[] {
    return [...this.#calls];
  }

  /** Cuts the process off now, as a kill from outside. */
  cutNow(): void {
    this.#cut.abort();
  }

  /** A call: work is done unless the process is cut off before it, and its answer given unless it is cut off meanwhile. */
  async call<T>(verb: string, about: string, work: () => Promise<T>): Promise<T> {
    const { isHere, when } = this.#next(verb, about);
    if (isHere && when === 'before') this.cutNow();
    if (this.isCut) throw new Cut();
    let answer: T;
    try {
      answer = await work();
    } catch (error) {
      if (isHere) this.cutNow();
      throw this.isCut ? new Cut() : error;
    }
    if (isHere) this.cutNow();
    if (this.isCut) throw new Cut();
    return answer;
  }

  /** A call that opens something that goes on, such as a watch. True when it may begin; cut off after it, it begins and ends. */
  opens(verb: string, about: string): boolean {
    const { isHere } = this.#next(verb, about);
    if (isHere) this.cutNow();
    return !this.isCut;
  }

  #next(verb: string, about: string): { readonly isHere: boolean; readonly when: CutAt['when'] | undefined } {
    if (this.isCut) throw new Cut();
    const call = this.#calls.length + 1;
    this.#calls.push({ call, verb, about });
    return { isHere: this.#cutAt?.call === call, when: this.#cutAt?.when };
  }
}

/** Every place at which a process that makes so many calls can be cut off. */
export function everyCut(calls: number): readonly CutAt[] {
  return Array.from({ length: calls }, (_, index) => index + 1).flatMap(call => [
    { call, when: 'before' as const },
    { call, when: 'after' as const },
  ]);
}
