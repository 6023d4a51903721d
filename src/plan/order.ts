/**
 * A graph of steps by number. `waitsFor[v]` lists what must be done before v; `stage[v]` is the stage v belongs to by
 * itself.
 */
export interface StepGraph {
  readonly waitsFor: readonly (readonly number[])[];
  readonly stage: readonly number[];
}

/** Where each step ended up. `sequence` is the order in which they run. */
export interface Ordering {
  readonly sequence: readonly number[];
  readonly stage: readonly number[];
  readonly wave: readonly number[];
  readonly waves: number;
}

/**
 * Puts steps into stages and waves. A stage starts when the one before is done; a wave holds at most `maxParallel`
 * steps and starts when the one before is done. A step that waits for one of a later stage moves to that stage: what
 * a package says must come first outranks the stages. Steps that are free at the same time run in the order of their
 * numbers, so the same graph always gives the same order. Linear in steps and edges.
 *
 * Returns the members of one circle, in order, where there is one.
 */
export function orderSteps(
  graph: StepGraph,
  maxParallel: number,
): Ordering | { readonly cycle: readonly number[] } {
  const followers = followersOf(graph);
  const order = topological(graph, followers);
  if (order.length < graph.waitsFor.length) return { cycle: findCycle(graph, order) };
  const stage = effectiveStages(graph, order, followers);
  const free = freeByStage(graph, stage);
  const open = countsOf(graph);
  const wave = new Array<number>(open.length).fill(0);
  const sequence: number[] = [];
  let waves = 0;
  for (const queue of free) {
    // The queue grows while it is walked: a step becomes free in its own stage, never in an earlier one.
    for (let at = 0; at < queue.length; waves++) {
      const end = Math.min(at + maxParallel, queue.length);
      for (; at < end; at++) {
        const step = queue[at] ?? 0;
        wave[step] = waves;
        sequence.push(step);
        forEachFollower(followers, step, follower => {
          if (countDown(open, follower) === 0) free[stage[follower] ?? 0]?.push(follower);
        });
      }
    }
  }
  return { sequence, stage, wave, waves };
}

/**
 * Who waits for each step, in two flat arrays: the followers of v are `list[start[v]]` up to `list[start[v + 1]]`. Flat,
 * because a hundred thousand little lists no longer fit into a processor's cache.
 */
interface Followers {
  readonly start: Int32Array;
  readonly list: Int32Array;
}

function followersOf({ waitsFor }: StepGraph): Followers {
  const start = new Int32Array(waitsFor.length + 1);
  for (const list of waitsFor) for (const before of list) add(start, before + 1, 1);
  for (let step = 1; step < start.length; step++) add(start, step, start[step - 1] ?? 0);
  const list = new Int32Array(start.at(-1) ?? 0);
  const filled = start.slice();
  for (let step = 0; step < waitsFor.length; step++) {
    for (const before of waitsFor[step] ?? []) {
      list[filled[before] ?? 0] = step;
      add(filled, before, 1);
    }
  }
  return { start, list };
}

function forEachFollower({ start, list }: Followers, step: number, visit: (follower: number) => void): void {
  const end = start[step + 1] ?? 0;
  for (let at = start[step] ?? 0; at < end; at++) visit(list[at] ?? 0);
}

function add(counts: Int32Array, at: number, more: number): void {
  counts[at] = (counts[at] ?? 0) + more;
}

/** How many steps each step waits for. */
function countsOf({ waitsFor }: StepGraph): Int32Array {
  return Int32Array.from(waitsFor, list => list.length);
}

function countDown(open: Int32Array, step: number): number {
  add(open, step, -1);
  return open[step] ?? 0;
}

/** For each stage the steps that wait for nothing, in the order of their numbers. */
function freeByStage({ waitsFor }: StepGraph, stage: readonly number[]): number[][] {
  const stages = stage.reduce((most, own) => Math.max(most, own + 1), 0);
  const free: number[][] = Array.from({ length: stages }, () => []);
  for (const [step, list] of waitsFor.entries()) if (list.length === 0) free[stage[step] ?? 0]?.push(step);
  return free;
}

/** The steps in an order that respects the graph; shorter than the graph where there is a circle. */
function topological(graph: StepGraph, followers: Followers): number[] {
  const open = countsOf(graph);
  const queue: number[] = [];
  for (const [step, left] of open.entries()) if (left === 0) queue.push(step);
  // Walking a list while it grows is Kahn's algorithm.
  for (const step of queue) {
    forEachFollower(followers, step, follower => {
      if (countDown(open, follower) === 0) queue.push(follower);
    });
  }
  return queue;
}

/** The stage of each step once what it waits for has been counted in. */
function effectiveStages(graph: StepGraph, order: readonly number[], followers: Followers): number[] {
  const stage = [...graph.stage];
  for (const step of order) {
    forEachFollower(followers, step, follower => {
      stage[follower] = Math.max(stage[follower] ?? 0, stage[step] ?? 0);
    });
  }
  return stage;
}

/** One circle: from a step that never became free, follow what it waits for until a step comes up again. */
function findCycle({ waitsFor }: StepGraph, order: readonly number[]): number[] {
  const free = new Set(order);
  const seenAt = new Map<number, number>();
  const path: number[] = [];
  let step = waitsFor.findIndex((_, candidate) => !free.has(candidate));
  while (!seenAt.has(step)) {
    seenAt.set(step, path.length);
    path.push(step);
    step = (waitsFor[step] ?? []).find(before => !free.has(before)) ?? step;
  }
  return path.slice(seenAt.get(step));
}
