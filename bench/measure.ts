/** How big a benchmark is run: `quick` in seconds to see that it works, `full` for numbers worth keeping. */
export type BenchSize = 'quick' | 'full';

/** What a file `bench/<name>.bench.ts` exports as `bench`. */
export interface Bench {
  readonly name: string;
  readonly run: (size: BenchSize) => Iterable<Measure> | AsyncIterable<Measure>;
}

/**
 * One result: ours against a floor that was measured in the same run, so that it means the same on every machine. The
 * ratio says how many times worse than the floor ours is; below 1 it is better.
 */
export interface Measure {
  readonly measure: string;
  readonly value: number;
  readonly unit: string;
  /** What the floor is, for example `bare Kahn`. */
  readonly against: string;
  readonly floor: number;
  readonly ratio: number;
  /** The ratio that must not be passed. */
  readonly goal: number;
  readonly holds: boolean;
}

/** A measure with its ratio and whether the goal holds. For rates pass `more: 'is better'`, so that the ratio keeps its sense. */
export function measured(
  facts: Pick<Measure, 'measure' | 'value' | 'unit' | 'against' | 'floor' | 'goal'> & {
    readonly more?: 'is better' | 'is worse';
  },
): Measure {
  const { more = 'is worse', ...rest } = facts;
  const [over, under] = more === 'is worse' ? [facts.value, facts.floor] : [facts.floor, facts.value];
  const ratio = under === 0 ? (over === 0 ? 1 : Number.POSITIVE_INFINITY) : over / under;
  return { ...rest, ratio, holds: ratio <= facts.goal };
}

/** The middle value; the mean of the two in the middle where their number is even. NaN of nothing. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const [lower = Number.NaN, upper = Number.NaN] = [
    sorted[Math.floor((sorted.length - 1) / 2)],
    sorted[Math.ceil((sorted.length - 1) / 2)],
  ];
  return (lower + upper) / 2;
}

/**
 * Median times in milliseconds of two pieces of work, run in turns so that a busy moment of the machine hits both. One
 * turn before counting warms both up.
 */
export async function medianTimes(
  runs: number,
  ours: () => unknown,
  floor: () => unknown,
): Promise<{ ours: number; floor: number }> {
  const times = { ours: [] as number[], floor: [] as number[] };
  for (let turn = 0; turn <= runs; turn++) {
    const oursTook = await timeOf(ours);
    const floorTook = await timeOf(floor);
    if (turn === 0) continue;
    times.ours.push(oursTook);
    times.floor.push(floorTook);
  }
  return { ours: median(times.ours), floor: median(times.floor) };
}

async function timeOf(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
