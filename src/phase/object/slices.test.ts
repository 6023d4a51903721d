import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aPlanStep } from '../../testing/a-plan-step.ts';
import { aPart, aRun, aWorkload } from '../../testing/scripted-ports.ts';
import type { VersionSide } from '../phase-run.ts';
import { chooseSlices, hasSlices, shareOf, sliceMark, slicesOfMove, slicesOfPart } from './slices.ts';

const sliced = aPart([aWorkload('Deployment', `api-${sliceMark}`)]);
const whole = aPart([aWorkload('StatefulSet', 'api')]);

describe('the slices a flow brings', () => {
  it.each([
    ['a first install of what comes beside', 'inplace', false, [], ['blue']],
    ['a first install of what goes one by one', 'inplace', true, [], ['1', '2']],
    ['bluegreen beside blue', 'bluegreen', false, ['blue'], ['green']],
    ['bluegreen beside green', 'bluegreen', false, ['green'], ['blue']],
    ['bluegreen beside numbers', 'bluegreen', false, ['1', '2'], ['blue']],
    ['bluegreen over what had no slices', 'bluegreen', false, ['main'], ['blue']],
    ['rolling over the same numbers', 'rolling', true, ['1', '2'], ['1', '2']],
    ['rolling over a colour', 'rolling', true, ['blue'], ['1', '2']],
    ['rolling over one slice less: the new one comes first', 'rolling', true, ['1'], ['2', '1']],
    ['recreate in the place of what runs', 'recreate', false, ['green'], ['green']],
    ['recreate over several', 'recreate', false, ['1', '2'], ['1']],
    ['a change in place', 'inplace', true, ['2', '1'], ['2', '1']],
  ])('%s', (_, strategy, isRolling, running, want) => {
    expect(chooseSlices({ strategy, slices: 2, isRolling }, running)).toEqual(want);
  });

  it('bluegreen never chooses a colour that runs', () => {
    const runs = fc.constantFrom(['blue'], ['green'], ['1', '2'], ['main', 'blue'], []);
    fc.assert(
      fc.property(runs, running => {
        const [chosen = ''] = chooseSlices({ strategy: 'bluegreen', slices: 1, isRolling: false }, running);
        expect(running).not.toContain(chosen);
      }),
    );
  });
});

describe('the slices of a part', () => {
  it.each([
    ['are those of its side', sliced, ['blue']],
    ['are its own, where parts changed one by one', { ...sliced, slices: ['green'] }, ['green']],
    ['are one, where its pods cannot stand side by side', whole, ['main']],
    ['are one also where it says otherwise', { ...whole, slices: ['green'] }, ['main']],
  ])('%s', (_, part, want) => {
    expect(slicesOfPart(part, { parts: [part], slices: ['blue'] })).toEqual(want);
  });

  it('config with a slice in its name does not make slices of its pods', () => {
    const config = { ...aWorkload('Deployment', `api-${sliceMark}`), role: 'support' as const };
    expect(hasSlices(aPart([config]))).toBe(false);
  });
});

/** The moves of a rolling change, each with the slices of the old side that it is about. */
function movesOver(old: readonly string[], count: number): string[][] {
  const slices = chooseSlices({ strategy: 'rolling', slices: count, isRolling: true }, old);
  const sides = { old: { parts: [], slices: old }, new: { parts: [], slices } };
  return slices.map((_, index) => [...slicesOfMove(moveOf(index + 1, count, sides), sides.old)]);
}

function moveOf(slice: number | undefined, slices: number, sides: { old: VersionSide; new: VersionSide }) {
  const move = { oslc: 'flow', id: 'main/apply:new', task: 'apply', side: 'new' } as const;
  return aRun({
    ...sides,
    step: aPlanStep('upgrade', { strategy: 'rolling', slices }),
    move: slice === undefined ? move : { ...move, slice },
  });
}

describe('the slices of a move', () => {
  it.each([
    ['each with its number', ['1', '2'], 2, [['1'], ['2']]],
    ['what is left over goes last', ['1', '2', '3'], 2, [['1'], ['2', '3']]],
    ['nobody is taken before a new slice serves', ['1', '2'], 3, [[], ['1'], ['2']]],
    ['a colour goes when the others serve', ['blue'], 2, [[], ['blue']]],
    ['the only one goes with the only one', ['blue'], 1, [['blue']]],
  ])('of the old side: %s', (_, old, count, want) => {
    expect(movesOver(old, count)).toEqual(want);
  });

  it('are all of them where a move has no number', () => {
    const sides = { old: { parts: [], slices: ['blue'] }, new: { parts: [], slices: ['1', '2'] } };
    const run = moveOf(undefined, 2, sides);
    expect([slicesOfMove(run, sides.old), slicesOfMove(run, sides.new)]).toEqual([['blue'], ['1', '2']]);
  });

  it('take every old slice exactly once, and one that is replaced with its replacement', () => {
    const names = fc.uniqueArray(fc.constantFrom('1', '2', '3', '4', '5', 'blue', 'green'), { maxLength: 6 });
    fc.assert(
      fc.property(names, fc.integer({ min: 1, max: 5 }), (old, count) => {
        const moves = movesOver(old, count);
        expect(moves.flat().sort()).toEqual([...old].sort());
        const walked = chooseSlices({ strategy: 'rolling', slices: count, isRolling: true }, old);
        for (const slice of old.filter(one => walked.includes(one)))
          expect(moves[walked.indexOf(slice)]).toContain(slice);
      }),
    );
  });
});

describe('the share of a slice', () => {
  it.each([
    [5, 2, [3, 2]],
    [1, 2, [1, 0]],
    [0, 3, [0, 0, 0]],
    [6, 3, [2, 2, 2]],
  ])('%i replicas over %i slices', (replicas, slices, want) => {
    expect(want.map((_, index) => shareOf(replicas, index, slices))).toEqual(want);
  });

  it('adds up to all replicas, and no slice has two more than another', () => {
    const count = fc.integer({ min: 0, max: 1000 });
    fc.assert(
      fc.property(count, fc.integer({ min: 1, max: 64 }), (replicas, slices) => {
        const shares = Array.from({ length: slices }, (_, index) => shareOf(replicas, index, slices));
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(replicas);
        expect(Math.max(...shares) - Math.min(...shares)).toBeLessThan(2);
      }),
    );
  });
});
