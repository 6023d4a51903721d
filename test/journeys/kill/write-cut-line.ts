import { Cut, CutLine } from '../../../src/testing/cut-line.ts';
import { isWrite } from './recording-line.ts';

/** The line of a manager that is killed at its n-th write, before it is told that it was done. */
export class WriteCutLine extends CutLine {
  readonly #at: number;
  #written = 0;

  constructor(at: number) {
    super();
    this.#at = at;
  }

  override async call<T>(verb: string, about: string, work: () => Promise<T>): Promise<T> {
    if (isWrite(verb)) this.#written += 1;
    const isHere = isWrite(verb) && this.#written === this.#at;
    const answer = await super.call(verb, about, work);
    if (!isHere) return answer;
    this.cutNow();
    throw new Cut();
  }
}
