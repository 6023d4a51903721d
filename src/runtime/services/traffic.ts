import type { Counts, EndpointReport, ForwarderReport } from '../forwarder/forwarder-report.ts';
import type { ForwardingTable } from '../forwarder/forwarding-table.ts';
import type { TrafficGate } from '../pod/end/traffic-gate.ts';
import { LastServed } from './last-served.ts';
import { SliceCounts } from './slice-counts.ts';

/** What is known of the forwarders: the reports of those that run; undefined where one runs that has not reported yet. */
export type Reports = readonly ForwarderReport[] | undefined;

/** What a slice of a Service gets, and got. The counts never fall while this manager runs; they are a second behind at most. */
export interface SliceTraffic extends Counts {
  /** Requests, or connections for tcp, that are going on now. */
  readonly inFlight: number;
  /** The slice is drained: no forwarder sends it anything new, and nothing is in flight. */
  readonly isOut: boolean;
  /** A forwarder listens for the Service and says that it sends requests to the slice. */
  readonly isServed: boolean;
}

/**
 * Which Pods and slices get requests: by the table that was written last and by what forwarders report. A Pod is out when every forwarder
 * has taken in a table that sends it no more, and nothing is in flight there.
 */
export class Traffic implements TrafficGate {
  readonly #pods = new LastServed();
  readonly #slices = new LastServed();
  readonly #counts: SliceCounts;
  readonly #inFlight = new Map<string, number>();
  /** Pods that were not out when last looked at. */
  readonly #watched = new Set<string>();
  readonly #listeners: ((podUid: string) => void)[] = [];
  #table: ForwardingTable | undefined;
  #reports: Reports = [];

  constructor(counts: SliceCounts = new SliceCounts()) {
    this.#counts = counts;
  }

  /** This table is what forwarders go by from now on, or soon. */
  onTable(table: ForwardingTable | undefined): void {
    this.#table = table;
    const generation = table?.generation ?? 0;
    const pods = new Set<string>();
    const slices = new Set<string>();
    for (const { id: listener, endpoints } of table?.listeners ?? []) {
      for (const { id, slice, state } of endpoints) {
        if (state === 'serving') pods.add(id);
        // A Pod that leaves may get something still; whoever waits for a slice wants to know of it.
        if (state !== 'draining') slices.add(sliceKey(serviceOf(listener), slice));
      }
    }
    this.#pods.onTable(generation, pods);
    this.#slices.onTable(generation, slices);
    for (const id of pods) this.#watched.add(id);
    this.#tell();
  }

  onReports(reports: Reports): void {
    this.#reports = reports;
    this.#inFlight.clear();
    for (const { id, inFlight } of (reports ?? []).flatMap(endpointsOf)) {
      this.#inFlight.set(id, (this.#inFlight.get(id) ?? 0) + inFlight);
      if (inFlight > 0) this.#watched.add(id);
    }
    this.#slices.tidy(reports);
    // Where one has not said anything yet, what the others say is not known: nothing is added, and nothing is lost.
    if (reports) this.#counts.onReports(reports);
    this.#counts.keep(new Set(this.#table?.listeners.map(({ id }) => id)));
    this.#tell();
  }

  /** The Pod's object is gone: nobody will ask for it. */
  forget(podUid: string): void {
    this.#pods.forget(podUid);
    this.#watched.delete(podUid);
  }

  isOut(podUid: string): boolean {
    return this.#pods.isOut(podUid, this.#reports) && (this.#inFlight.get(podUid) ?? 0) === 0;
  }

  onChange(listener: (podUid: string) => void): void {
    this.#listeners.push(listener);
  }

  /** What each slice of a Service gets, and got since the forwarders began that this manager found. A slice that never was is not in it. */
  sliceCounts(namespace: string, name: string): ReadonlyMap<string, SliceTraffic> {
    const service = `${namespace}/${name}`;
    const isOne = ({ id }: { readonly id: string }) => serviceOf(id) === service;
    const counts = this.#counts.of(id => isOne({ id }));
    const written = (this.#table?.listeners ?? []).filter(isOne).flatMap(({ endpoints }) => endpoints);
    const reported = (this.#reports ?? []).flatMap(({ listeners }) => listeners.filter(isOne));
    const served = new Set(reported.filter(({ problem }) => problem === undefined).flatMap(servedOf));
    const inFlight = new Map<string, number>();
    for (const one of reported.flatMap(({ endpoints }) => endpoints)) {
      inFlight.set(one.slice, (inFlight.get(one.slice) ?? 0) + one.inFlight);
    }
    const slices = new Set([...counts.keys(), ...inFlight.keys(), ...written.map(({ slice }) => slice)]);
    return new Map(
      [...slices].map(slice => {
        const going = inFlight.get(slice) ?? 0;
        const isOut = this.#slices.isOut(sliceKey(service, slice), this.#reports) && going === 0;
        const now = { inFlight: going, isOut, isServed: served.has(slice) };
        return [slice, { requests: 0, errors: 0, refused: 0, ...counts.get(slice), ...now }];
      }),
    );
  }

  #tell(): void {
    for (const podUid of [...this.#watched]) {
      if (!this.isOut(podUid)) continue;
      this.#watched.delete(podUid);
      for (const listener of this.#listeners) listener(podUid);
    }
  }
}

function endpointsOf({ listeners }: ForwarderReport): EndpointReport[] {
  return listeners.flatMap(({ endpoints }) => endpoints);
}

/** The slices that a listener sends requests to. */
function servedOf({ endpoints }: ForwarderReport['listeners'][number]): string[] {
  return endpoints.filter(({ state }) => state === 'serving').map(({ slice }) => slice);
}

/** `namespace/name` of a listener's id. */
function serviceOf(listener: string): string {
  return listener.slice(0, listener.indexOf(':'));
}

function sliceKey(service: string, slice: string): string {
  return `${service} ${slice}`;
}
