/** Tells people where a piece of work is. */
export type Say = (message: string) => void;

/** How far work with a known size is, told once a second at most. */
export class Progress {
  readonly #say: Say;
  readonly #what: string;
  readonly #total: number;
  readonly #began = performance.now();
  #done = 0;
  #told = performance.now();

  constructor(say: Say, what: string, total: number) {
    this.#say = say;
    this.#what = what;
    this.#total = total;
  }

  get bytes(): number {
    return this.#done;
  }

  get seconds(): number {
    return (performance.now() - this.#began) / 1000;
  }

  add(bytes: number): void {
    this.#done += bytes;
    if (performance.now() - this.#told < 1000) return;
    this.#told = performance.now();
    this.#say(progressText(this.#what, this.#done, this.#total, this.seconds));
  }

  /** Passes a stream on and counts it. */
  async *count(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of source) {
      this.add(piece.length);
      yield piece;
    }
  }
}

/** `backup: 12.0 MB of about 40.0 MB, about 9 s left`. */
export function progressText(what: string, done: number, total: number, seconds: number): string {
  const all = Math.max(total, done);
  const left = done === 0 ? undefined : Math.ceil((seconds * (all - done)) / done);
  const rest = left === undefined ? '' : `, about ${left} s left`;
  return `${what}: ${sizeText(done)} of about ${sizeText(all)}${rest}`;
}

/** A size for people. */
export function sizeText(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
