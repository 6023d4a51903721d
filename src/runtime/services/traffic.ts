import type { Counts, ForwarderReport } from '../forwarder/forwarder-report.ts';
import type { ForwardingTable } from '../forwarder/forwarding-table.ts';
import type { TrafficGate } from '../pod/end/traffic-gate.ts';

/** What is known of the forwarders: the reports of those that run; undefined where one runs that has not reported yet. */
export type Reports = readonly ForwarderReport[] | undefined;

/**
 * Which Pods get requests: by the table that was written last and by what forwarders report. A Pod is out when every forwarder has
 * taken in a table that sends it no more, and nothing is in flight there.
 */
export class Traffic implements TrafficGate {
  readonly #serving = new Set<string>();
  /** From which table on a Pod that was served to is not any more. */
  readonly #outSince = new Map<string, number>();
  readonly #inFlight = new Map<string, number>();
  /** Pods that were not out when last looked at. */
  readonly #watched = new Set<string>();
  readonly #listeners: ((podUid: string) => void)[] = [];
  #reports: Reports = [];

  /** This table is what forwarders go by from now on, or soon. */
  onTable(table: ForwardingTable | undefined): void {
    const endpoints = (table?.listeners ?? []).flatMap(listener => listener.endpoints);
    const serving = new Set(endpoints.filter(({ state }) => state === 'serving').map(({ id }) => id));
    for (const id of this.#serving) if (!serving.has(id)) this.#outSince.set(id, table?.generation ?? 0);
    this.#serving.clear();
    for (const id of serving) {
      this.#serving.add(id);
      this.#outSince.delete(id);
      this.#watched.add(id);
    }
    this.#tell();
  }

  onReports(reports: Reports): void {
    this.#reports = reports;
    this.#inFlight.clear();
    for (const { listeners } of reports ?? []) {
      for (const { id, inFlight } of listeners.flatMap(listener => listener.endpoints)) {
        this.#inFlight.set(id, (this.#inFlight.get(id) ?? 0) + inFlight);
        if (inFlight > 0) this.#watched.add(id);
      }
    }
    this.#tell();
  }

  /** The Pod's object is gone: nobody will ask for it. */
  forget(podUid: string): void {
    this.#outSince.delete(podUid);
    this.#watched.delete(podUid);
  }

  isOut(podUid: string): boolean {
    if (this.#serving.has(podUid)) return false;
    const since = this.#outSince.get(podUid) ?? Number.NEGATIVE_INFINITY;
    const isTakenIn = this.#reports?.every(({ generation }) => generation >= since) ?? false;
    return isTakenIn && (this.#inFlight.get(podUid) ?? 0) === 0;
  }

  onChange(listener: (podUid: string) => void): void {
    this.#listeners.push(listener);
  }

  /** Requests and errors of a Service by slice, since the forwarders began. */
  sliceCounts(namespace: string, service: string): ReadonlyMap<string, Counts> {
    const sums = new Map<string, Counts>();
    const prefix = `${namespace}/${service}:`;
    for (const { id, slices } of (this.#reports ?? []).flatMap(({ listeners }) => listeners)) {
      for (const [slice, counts] of id.startsWith(prefix) ? Object.entries(slices) : []) {
        const { requests, errors, refused } = sums.get(slice) ?? { requests: 0, errors: 0, refused: 0 };
        sums.set(slice, {
          requests: requests + counts.requests,
          errors: errors + counts.errors,
          refused: refused + counts.refused,
        });
      }
    }
    return sums;
  }

  #tell(): void {
    for (const podUid of [...this.#watched]) {
      if (!this.isOut(podUid)) continue;
      this.#watched.delete(podUid);
      for (const listener of this.#listeners) listener(podUid);
    }
  }
}
