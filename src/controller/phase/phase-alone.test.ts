import { describe, expect, it } from 'vitest';
import type { PhaseObject } from '../our-objects.ts';
import { doneBefore, isOver } from './phase-alone.ts';

const phase = (status: object) =>
  ({ metadata: { name: 'by-hand', generation: 2 }, spec: {}, status }) as unknown as PhaseObject;
const finishedAt = '2026-01-01T00:00:00.000Z';

describe('a phase by hand of an older Afloat, which wrote no `done`', () => {
  it.each([
    ['is over when it was deployed', { actualState: 'deployed', finishedAt, observedGeneration: 2 }, true],
    ['and when it failed', { actualState: 'failed', finishedAt, observedGeneration: 2 }, true],
    [
      'is carried out anew with a new spec',
      { actualState: 'deployed', finishedAt, observedGeneration: 1 },
      false,
    ],
    ['goes on where it is half way', { actualState: 'running', observedGeneration: 2 }, false],
  ])('%s', (_, status, want) => {
    expect(isOver(phase(status))).toBe(want);
  });

  it('has run what it told as progress to be done', () => {
    const progress = [
      { name: 'Job init', state: 'done' },
      { name: 'Deployment api', state: 'running' },
    ];
    expect([...doneBefore(phase({ progress }))]).toEqual(['Job init']);
    expect([...doneBefore(phase({ done: ['Job first'], progress }))]).toEqual(['Job first', 'Job init']);
    expect([...doneBefore(phase({}))]).toEqual([]);
  });
});
