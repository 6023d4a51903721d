import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { orderSteps, type StepGraph } from './order.ts';

/** A graph without a circle: a step waits only for steps that come before it in some hidden order. */
const acyclic: fc.Arbitrary<StepGraph> = fc
  .record({
    size: fc.integer({ min: 0, max: 40 }),
    picks: fc.array(fc.tuple(fc.nat(1000), fc.nat(1000)), { maxLength: 120 }),
    stages: fc.array(fc.nat(3), { minLength: 40, maxLength: 40 }),
    shuffle: fc.array(fc.nat(), { minLength: 40, maxLength: 40 }),
  })
  .map(({ size, picks, stages, shuffle }) => {
    const hidden = Array.from({ length: size }, (_, index) => index).sort(
      (a, b) => (shuffle[a] ?? 0) - (shuffle[b] ?? 0),
    );
    const waitsFor: number[][] = hidden.map(() => []);
    for (const [a, b] of picks) {
      if (size < 2) break;
      const [low, high] = [a % size, b % size].sort((x, y) => x - y);
      const before = hidden[low ?? 0];
      const after = hidden[high ?? 0];
      if (before === undefined || after === undefined || before === after) continue;
      if (!waitsFor[after]?.includes(before)) waitsFor[after]?.push(before);
    }
    return { waitsFor, stage: stages.slice(0, size) };
  });

function ordered(graph: StepGraph, maxParallel: number) {
  const result = orderSteps(graph, maxParallel);
  if ('cycle' in result) throw new TypeError(`unexpected circle: ${result.cycle.join()}`);
  return result;
}

describe('order', () => {
  it('runs every step once, after all it waits for', () => {
    fc.assert(
      fc.property(acyclic, fc.integer({ min: 1, max: 5 }), (graph, maxParallel) => {
        const { sequence, wave } = ordered(graph, maxParallel);
        expect([...sequence].sort((a, b) => a - b)).toEqual(graph.waitsFor.map((_, index) => index));
        for (const [step, list] of graph.waitsFor.entries()) {
          for (const before of list) expect(wave[before] ?? 0).toBeLessThan(wave[step] ?? 0);
        }
      }),
    );
  });

  it('puts at most maxParallel steps into a wave, and leaves no wave empty', () => {
    fc.assert(
      fc.property(acyclic, fc.integer({ min: 1, max: 5 }), (graph, maxParallel) => {
        const { wave, waves } = ordered(graph, maxParallel);
        const counts = Array.from({ length: waves }, (_, index) => wave.filter(own => own === index).length);
        for (const count of counts) expect(count).toBeGreaterThan(0);
        for (const count of counts) expect(count).toBeLessThanOrEqual(maxParallel);
      }),
    );
  });

  it('finishes a stage before the next, and moves a step later only for what it waits for', () => {
    fc.assert(
      fc.property(acyclic, graph => {
        const { sequence, stage } = ordered(graph, 3);
        const stages = sequence.map(step => stage[step] ?? 0);
        expect(stages).toEqual([...stages].sort((a, b) => a - b));
        for (const [step, list] of graph.waitsFor.entries()) {
          const latest = Math.max(graph.stage[step] ?? 0, ...list.map(before => stage[before] ?? 0));
          expect(stage[step]).toBe(latest);
        }
      }),
    );
  });

  it('names the members of a circle, and nobody else', () => {
    fc.assert(
      fc.property(acyclic, fc.integer({ min: 1, max: 6 }), (graph, length) => {
        const size = graph.waitsFor.length;
        const ring = Array.from({ length }, (_, index) => [size + ((index + 1) % length)]);
        const tail = [[size]];
        const result = orderSteps(
          {
            waitsFor: [...graph.waitsFor, ...ring, ...tail],
            stage: [...graph.stage, ...Array(length + 1).fill(0)],
          },
          2,
        );
        expect('cycle' in result && [...result.cycle].sort((a, b) => a - b)).toEqual(
          ring.map((_, index) => size + index),
        );
      }),
    );
  });

  it('takes steps that are free at the same time in the order of their numbers', () => {
    expect(ordered({ waitsFor: [[], [], [], [0]], stage: [0, 0, 0, 0] }, 2).wave).toEqual([0, 0, 1, 1]);
  });
});
