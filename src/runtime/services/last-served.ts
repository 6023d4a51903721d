import type { ForwarderReport } from '../forwarder/forwarder-report.ts';

/**
 * Who may get new requests by the table that was written last, and from which table on the others may not. Pods and slices are looked
 * at alike: by a key.
 */
export class LastServed {
  readonly #served = new Set<string>();
  readonly #outSince = new Map<string, number>();

  /** A table of this generation sends requests to these, and to nobody else. */
  onTable(generation: number, served: ReadonlySet<string>): void {
    for (const key of this.#served) if (!served.has(key)) this.#outSince.set(key, generation);
    this.#served.clear();
    for (const key of served) {
      this.#served.add(key);
      this.#outSince.delete(key);
    }
  }

  /** No forwarder sends it anything new: each has taken in a table without it. Undefined reports: one has not said anything yet. */
  isOut(key: string, reports: readonly ForwarderReport[] | undefined): boolean {
    if (this.#served.has(key)) return false;
    const since = this.#outSince.get(key) ?? Number.NEGATIVE_INFINITY;
    return reports?.every(({ generation }) => generation >= since) ?? false;
  }

  /** Nobody will ask for it. */
  forget(key: string): void {
    this.#outSince.delete(key);
  }

  /** Lets go of what every forwarder knows: one that starts later begins with a later table. */
  tidy(reports: readonly ForwarderReport[] | undefined): void {
    for (const key of this.#outSince.keys()) if (this.isOut(key, reports)) this.#outSince.delete(key);
  }
}
