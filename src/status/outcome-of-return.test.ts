import { describe, expect, it } from 'vitest';
import { aCloud, aFlow, aPlan } from '../testing/a-cloud.ts';
import { aPlanStep } from '../testing/a-plan-step.ts';
import { cloudStories } from '../testing/cloud-stories.ts';
import type { CloudObjects } from './cloud-objects.ts';
import type { Outcome } from './outcome.ts';
import { outcomeOfReturn } from './outcome-of-return.ts';

const flow = 'north-2-keystone-upgrade';
const story = (name: string) => cloudStories[name] as CloudObjects;
const back = aPlanStep('rollback', { to: { version: '22.0.0', revision: 3 } });

describe('a way back by moving traffic', () => {
  it.each<{ readonly name: string; readonly want: Outcome }>([
    { name: 'soaking', want: 'running' },
    { name: 'going back by itself', want: 'running' },
    { name: 'held after rollback', want: 'done' },
    { name: 'asks whether data is restored', want: 'waiting' },
    { name: 'irreconcilable, the old version serves', want: 'undone' },
  ])('$name: $want', ({ name, want }) => {
    expect(outcomeOfReturn(story(name), { flows: [flow] })).toBe(want);
  });
});

describe('a way back by a plan', () => {
  it.each([
    { state: 'WaitingForApproval', want: 'waiting' },
    { state: 'WaitingForWindow', want: 'running' },
    { state: 'Running', want: 'running' },
    { state: 'Done', want: 'done' },
    { state: 'Failed', want: 'undone' },
    { state: 'Aborted', want: 'undone' },
  ] as const)('$state: $want', ({ state, want }) => {
    const other = aPlan([back], 'Done', { name: 'other' });
    const objects = aCloud('02:00', { plans: [other, aPlan([back], state, { name: 'back' })] });
    expect(outcomeOfReturn(objects, { plan: 'back' })).toBe(want);
  });

  it('runs until it is seen, and waits where its flow asks', () => {
    expect(outcomeOfReturn(aCloud('02:00', {}), { plan: 'back' })).toBe('running');
    const asks = aFlow(back, [], {
      planned: { plan: 'back' },
      status: { question: { question: 'restore', because: 'writes would be lost' } },
    });
    const objects = aCloud('02:00', { flows: [asks], plans: [aPlan([back], 'Running', { name: 'back' })] });
    expect(outcomeOfReturn(objects, { plan: 'back' })).toBe('waiting');
  });
});
