import { readFileSync, writeFileSync } from 'node:fs';
import { CodedError } from '../../base/coded-error.ts';
import { type Addresses, addressNumber, addressText } from './address-range.ts';

/**
 * Gives out the addresses of Pods in order, and starts again at the end: an address that a Pod left is not given to another one
 * at once, while clients may still think of the old one. With a file, that holds for the next manager as well.
 */
export class AddressPool {
  readonly #range: Addresses;
  readonly #file: string | undefined;
  #next: number | undefined;

  constructor(range: Addresses, file?: string) {
    this.#range = range;
    this.#file = file;
    this.#next = this.#read();
  }

  take(taken: ReadonlySet<string>): string {
    // The first is the machine's, the last is for all.
    const first = this.#range.first + 2;
    const count = this.#range.count - 3;
    const start = this.#next ?? Math.max(first, ...this.#within(taken).map(number => number + 1));
    for (let step = 0; step < count; step++) {
      const number = first + ((start - first + step) % count);
      if (taken.has(addressText(number))) continue;
      this.#next = number + 1;
      this.#write(addressText(this.#next));
      return addressText(number);
    }
    throw new CodedError('AddressesExhausted', `all ${count} addresses for Pods are in use`);
  }

  #within(taken: ReadonlySet<string>): number[] {
    const { first, count } = this.#range;
    return [...taken].map(addressNumber).filter(number => number >= first && number < first + count);
  }

  #read(): number | undefined {
    try {
      // Without its end the line was cut off, and is another address.
      const [, text] = /^([\d.]+)\n$/.exec(readFileSync(this.#file ?? '', 'utf8')) ?? [];
      return text === undefined ? undefined : this.#within(new Set([text]))[0];
    } catch {
      return undefined;
    }
  }

  #write(next: string): void {
    if (this.#file === undefined) return;
    try {
      writeFileSync(this.#file, `${next}\n`);
    } catch {
      // The order is a courtesy: no Pod fails for it.
    }
  }
}
