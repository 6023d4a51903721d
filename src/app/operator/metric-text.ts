/** Labels of one sample. */
export type Labels = Readonly<Record<string, string>>;

/** A number by its labels. */
export interface Sample {
  readonly labels?: Labels;
  readonly value: number;
}

/** A metric with all its samples, as a scrape gets it. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly samples: readonly (Sample & {
    /** `_bucket`, `_sum`, `_count` of a histogram. */ readonly suffix?: string;
  })[];
}

/** Metrics in the text format of Prometheus, version 0.0.4. */
export function metricText(metrics: readonly Metric[]): string {
  return metrics
    .flatMap(({ name, help, type, samples }) => [
      `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}`,
      `# TYPE ${name} ${type}`,
      ...samples.map(
        ({ suffix = '', labels = {}, value }) => `${name}${suffix}${labelText(labels)} ${value}`,
      ),
    ])
    .map(line => `${line}\n`)
    .join('');
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

/** Counts by labels. */
export class Counter {
  readonly #counts = new Map<string, { readonly labels: Labels; value: number }>();

  add(labels: Labels, by = 1): void {
    const key = JSON.stringify(labels);
    const known = this.#counts.get(key);
    if (known) known.value += by;
    else this.#counts.set(key, { labels, value: by });
  }

  get samples(): readonly Sample[] {
    return [...this.#counts.values()];
  }
}

/** How long things took, by labels. */
export class Histogram {
  readonly #bounds: readonly number[];
  readonly #seen = new Map<string, { readonly labels: Labels; readonly counts: number[]; sum: number }>();

  /** Upper bounds of the buckets, smallest first; all that is longer is counted too. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
  }

  observe(labels: Labels, value: number): void {
    const key = JSON.stringify(labels);
    const known = this.#seen.get(key) ?? { labels, counts: [...this.#bounds, 0].map(() => 0), sum: 0 };
    this.#seen.set(key, known);
    const bucket = this.#bounds.findIndex(bound => value <= bound);
    const place = bucket < 0 ? this.#bounds.length : bucket;
    known.counts[place] = (known.counts[place] ?? 0) + 1;
    known.sum += value;
  }

  get samples(): Metric['samples'] {
    return [...this.#seen.values()].flatMap(({ labels, counts, sum }) => {
      let total = 0;
      const buckets = counts.map((count, place) => {
        total += count;
        const le = String(this.#bounds[place] ?? '+Inf');
        return { suffix: '_bucket', labels: { ...labels, le }, value: total };
      });
      return [...buckets, { suffix: '_sum', labels, value: sum }, { suffix: '_count', labels, value: total }];
    });
  }
}
