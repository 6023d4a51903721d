import { runs } from '../forwarder/forwarder-identity.ts';
import type { Counts, ForwarderReport } from '../forwarder/forwarder-report.ts';

/** Counts by slice of one listener. */
type ListenerCounts = Map<string, Counts>;

const none: Counts = { requests: 0, errors: 0, refused: 0 };

/**
 * Counts by slice that never fall: what a forwarder counted stays counted when it is replaced, relieved or killed. Each report adds what
 * it has more than the last one of the same forwarder. What a forwarder that was killed had not reported is lost, a second's worth at
 * most; so is, for the next manager, what ended before it.
 */
export class SliceCounts {
  readonly #runs: (identity: string) => boolean;
  readonly #totals = new Map<string, ListenerCounts>();
  /** What each forwarder said last, by its identity. */
  readonly #said = new Map<string, ReadonlyMap<string, ListenerCounts>>();

  constructor(isRunning: (identity: string) => boolean = runs) {
    this.#runs = isRunning;
  }

  onReports(reports: readonly ForwarderReport[]): void {
    for (const report of reports) {
      const said = this.#said.get(report.identity);
      const says = countsOf(report);
      for (const [id, slices] of says) {
        for (const [slice, counts] of slices) {
          add(this.#totals, id, slice, more(counts, said?.get(id)?.get(slice) ?? none));
        }
      }
      this.#said.set(report.identity, says);
    }
    // One that runs and whose report could not be read will say the same again.
    const heard = new Set(reports.map(({ identity }) => identity));
    for (const identity of this.#said.keys()) {
      if (!heard.has(identity) && !this.#runs(identity)) this.#said.delete(identity);
    }
  }

  /** Only these listeners are there: the others are forgotten once no forwarder speaks of them. */
  keep(listeners: ReadonlySet<string>): void {
    const spokenOf = new Set([...this.#said.values()].flatMap(said => [...said.keys()]));
    for (const id of this.#totals.keys()) {
      if (!listeners.has(id) && !spokenOf.has(id)) this.#totals.delete(id);
    }
  }

  /** The sums of the listeners that `isOne` picks. */
  of(isOne: (listener: string) => boolean): ReadonlyMap<string, Counts> {
    const sums = new Map<string, ListenerCounts>();
    for (const [id, slices] of this.#totals) {
      if (isOne(id)) for (const [slice, counts] of slices) add(sums, '', slice, counts);
    }
    return sums.get('') ?? new Map();
  }
}

/** A listener may be twice in a report, while it changes its place. */
function countsOf({ listeners }: ForwarderReport): Map<string, ListenerCounts> {
  const all = new Map<string, ListenerCounts>();
  for (const { id, slices } of listeners) {
    for (const [slice, counts] of Object.entries(slices)) add(all, id, slice, counts);
  }
  return all;
}

function add(to: Map<string, ListenerCounts>, id: string, slice: string, counts: Counts): void {
  const slices = to.get(id) ?? new Map<string, Counts>();
  to.set(id, slices);
  const { requests, errors, refused } = slices.get(slice) ?? none;
  slices.set(slice, {
    requests: requests + counts.requests,
    errors: errors + counts.errors,
    refused: refused + counts.refused,
  });
}

function more(now: Counts, before: Counts): Counts {
  return {
    requests: Math.max(0, now.requests - before.requests),
    errors: Math.max(0, now.errors - before.errors),
    refused: Math.max(0, now.refused - before.refused),
  };
}
