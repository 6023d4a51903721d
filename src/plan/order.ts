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
  const next = followersOf(graph);
  const order = topological(graph, next);
  if (order.length < graph.waitsFor.length) return { cycle: findCycle(graph, order) };
  const stage = effectiveStages(graph, order, next);
  const free = freeByStage(graph, stage);
  const open = graph.waitsFor.map(list => list.length);
  const wave = new Array<number>(open.length).fill(0);
  const sequence: number[] = [];
  let waves = 0;
  for (const queue of free) {
    // The queue grows while it is walked: a step becomes free in its own stage, never in an earlier one.
    for (let at = 0; at < queue.length; waves++) {
      const batch = queue.slice(at, at + maxParallel);
      at += batch.length;
      for (const step of batch) {
        wave[step] = waves;
        sequence.push(step);
        for (const follower of next[step] ?? []) {
          if (countDown(open, follower) === 0) free[stage[follower] ?? 0]?.push(follower);
        }
      }
    }
  }
  return { sequence, stage, wave, waves };
}

/** For each stage the steps that wait for nothing, in the order of their numbers. */
function freeByStage({ waitsFor }: StepGraph, stage: readonly number[]): number[][] {
  const free: number[][] = Array.from(
    { length: stage.reduce((most, own) => Math.max(most, own + 1), 0) },
    () => [],
  );
  for (const [step, list] of waitsFor.entries()) if (list.length === 0) free[stage[step] ?? 0]?.push(step);
  return free;
}

function countDown(open: number[], step: number): number {
  const left = (open[step] ?? 0) - 1;
  open[step] = left;
  return left;
}

function followersOf({ waitsFor }: StepGraph): number[][] {
  const next: number[][] = waitsFor.map(() => []);
  for (const [step, list] of waitsFor.entries()) {
    for (const before of list) next[before]?.push(step);
  }
  return next;
}

/** The steps in an order that respects the graph; shorter than the graph where there is a circle. */
function topological({ waitsFor }: StepGraph, next: readonly (readonly number[])[]): number[] {
  const open = waitsFor.map(list => list.length);
  const queue = open.flatMap((left, step) => (left === 0 ? [step] : []));
  // Walking a list while it grows is Kahn's algorithm.
  for (const step of queue) {
    for (const follower of next[step] ?? []) if (countDown(open, follower) === 0) queue.push(follower);
  }
  return queue;
}

/** The stage of each step once what it waits for has been counted in. */
function effectiveStages(
  graph: StepGraph,
  order: readonly number[],
  next: readonly (readonly number[])[],
): number[] {
  const stage = [...graph.stage];
  for (const step of order) {
    for (const follower of next[step] ?? [])
      stage[follower] = Math.max(stage[follower] ?? 0, stage[step] ?? 0);
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
