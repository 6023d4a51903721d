import { describe, expect, it } from 'vitest';
import type { LifecyclePlan } from '../api/lifecycle-plan.ts';
import { aCloud, aPlan, aRecord, aRevision } from '../testing/a-cloud.ts';
import { aPlanStep } from '../testing/a-plan-step.ts';
import { cloudStories } from '../testing/cloud-stories.ts';
import type { CloudObjects, Seen } from './cloud-objects.ts';
import type { Outcome } from './outcome.ts';
import { outcomeOfApply, planOfApply } from './outcome-of-apply.ts';
import { viewOf } from './status.ts';

const step = aPlanStep('upgrade', { strategy: 'bluegreen', to: { version: '22.0.1' } });
type State = NonNullable<NonNullable<LifecyclePlan['status']>['state']>;

function plan(
  generation: number,
  state: State,
  more: { readonly made?: string; readonly name?: string } = {},
) {
  const { name = `north-${generation}`, made = `01:0${generation}` } = more;
  const one = aPlan([step], state, { name, spec: { recordGeneration: generation } });
  return { ...one, metadata: { ...one.metadata, creationTimestamp: `2026-03-14T${made}:00Z` } };
}

/** A record of generation 2 that was looked at, with what it says of itself. */
function cloud(
  plans: readonly Seen<LifecyclePlan>[],
  said: { readonly type: 'Progressing' | 'Stalled'; readonly reason: string } | undefined,
): CloudObjects {
  const conditions = said === undefined ? [] : [{ ...said, status: 'True' as const, message: 'says why' }];
  return aCloud('02:00', {
    record: aRecord({ keystone: '22.0.1' }, { status: { conditions } }),
    revisions: [aRevision('keystone', 3, '22.0.0')],
    plans,
  });
}

const applied = { generation: 2, formerPlans: [] };
const running = { type: 'Progressing', reason: 'Running' } as const;

describe('an apply in mid-plan', () => {
  it.each<{ readonly says: string; readonly objects: CloudObjects; readonly want: Outcome }>([
    { says: 'the plan of before still runs', objects: cloud([plan(1, 'Running')], running), want: 'running' },
    {
      says: 'it has just failed, and nothing is planned yet',
      objects: cloud([plan(1, 'Failed')], running),
      want: 'running',
    },
    {
      says: 'it has just given way',
      objects: cloud([plan(0, 'Failed'), plan(1, 'Superseded')], running),
      want: 'running',
    },
    {
      says: 'it was paused, and has just given way',
      objects: cloud([plan(1, 'Superseded')], { type: 'Stalled', reason: 'Paused' }),
      want: 'running',
    },
    {
      says: 'its own plan was made and not looked at',
      objects: cloud([plan(1, 'Failed')], { type: 'Progressing', reason: 'Planned' }),
      want: 'running',
    },
    {
      says: 'its own plan runs',
      objects: cloud([plan(1, 'Failed'), plan(2, 'Running')], running),
      want: 'running',
    },
    {
      says: 'its own plan failed',
      objects: cloud([plan(1, 'Done'), plan(2, 'Failed')], undefined),
      want: 'undone',
    },
    {
      says: 'its own plan is done',
      objects: cloud([plan(1, 'Failed'), plan(2, 'Done')], undefined),
      want: 'done',
    },
    {
      says: 'nothing was to be done for it',
      objects: cloud([plan(0, 'Failed'), plan(1, 'Superseded')], undefined),
      want: 'done',
    },
  ])('$says: $want', ({ objects, want }) => {
    expect(outcomeOfApply(objects, viewOf(objects), applied)).toBe(want);
  });

  it('is not judged by a record that is older than what was written', () => {
    const objects = cloud([plan(2, 'Done')], undefined);
    expect(outcomeOfApply(objects, viewOf(objects), { generation: 3, formerPlans: [] })).toBe('running');
  });

  it('never takes the plan of before for its own', () => {
    expect(planOfApply(cloud([plan(1, 'Running')], running), applied)).toBeUndefined();
    expect(planOfApply(cloud([plan(3, 'Running')], running), applied)?.metadata.name).toBe('north-3');
  });
});

describe('an apply of what is held', () => {
  const held = cloudStories['held after rollback'] as CloudObjects;
  const names = held.plans.map(({ metadata }) => metadata.name);

  it('waits for a person where it failed before', () => {
    expect(outcomeOfApply(held, viewOf(held), { generation: 2, formerPlans: names })).toBe('waiting');
  });

  it('is undone where it failed since', () => {
    expect(outcomeOfApply(held, viewOf(held), applied)).toBe('undone');
  });
});
