import { type Answered, sayAnswered } from './keystone-request.ts';

/** What was wrong with an answer. */
export type Fault =
  | 'no answer' // a connection that was refused, reset or closed, or nothing for too long
  | 'slow' // the right answer, too late
  | 'wrong 401'
  | 'wrong 404'
  | 'other status'
  | 'wrong content';

/** Failures of one kind of request. */
export interface Failures {
  readonly kind: string;
  readonly fault: Fault;
  readonly count: number;
  /** What the first ones were. */
  readonly first: readonly string[];
}

/** What requests came to, in numbers. */
export interface Counts {
  readonly requests: number;
  readonly failed: number;
  readonly byKind: Readonly<Record<string, number>>;
  readonly failures: readonly Failures[];
  /** The longest time in which no request was answered as it should be. */
  readonly longestGapMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const firstKept = 5;

/** Counts answers as they come. */
export class Tally {
  readonly #times: number[] = [];
  readonly #byKind: Record<string, number> = {};
  readonly #failures = new Map<string, { kind: string; fault: Fault; count: number; first: string[] }>();
  #failed = 0;
  #lastGood = performance.now();
  #longestGapMs = 0;
  #isClosed = false;

  /** One answer; `fault` where it was not the right one in time. */
  count(kind: string, answer: Answered, fault: Fault | undefined): void {
    this.#times.push(answer.tookMs);
    this.#byKind[kind] = (this.#byKind[kind] ?? 0) + 1;
    if (fault === undefined) {
      this.#longestGapMs = this.#gapMs();
      this.#lastGood = performance.now();
      return;
    }
    this.#failed += 1;
    const key = `${kind}: ${fault}`;
    const known = this.#failures.get(key) ?? { kind, fault, count: 0, first: [] };
    known.count += 1;
    if (known.first.length < firstKept) known.first.push(sayAnswered(answer));
    this.#failures.set(key, known);
  }

  /** From now on nobody asks: what comes after is no gap. */
  close(): void {
    this.#longestGapMs = this.#gapMs();
    this.#isClosed = true;
  }

  counts(): Counts {
    const sorted = this.#times.toSorted((a, b) => a - b);
    const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0);
    return {
      ...{ requests: sorted.length, failed: this.#failed, byKind: { ...this.#byKind } },
      failures: [...this.#failures.values()].map(one => ({ ...one, first: [...one.first] })),
      longestGapMs: Math.round(this.#gapMs()),
      ...{ p50Ms: at(0.5), p99Ms: at(0.99) },
    };
  }

  #gapMs(): number {
    if (this.#isClosed) return this.#longestGapMs;
    return Math.max(this.#longestGapMs, performance.now() - this.#lastGood);
  }
}
