import { describe, expect, it } from 'vitest';
import { checkConditions } from './check-conditions.ts';
import { type Condition, type NewCondition, setCondition, summariseReady } from './conditions.ts';

const before = '2026-03-14T01:00:00Z';
const now = '2026-03-14T02:00:00Z';
const well = { reason: 'Operational', message: 'everything is as the record says' };

function condition(
  type: NewCondition['type'],
  status: NewCondition['status'],
  reason = 'Because',
): NewCondition {
  return { type, status, reason, message: `${type} is ${status}` };
}

function all(...set: readonly NewCondition[]): Condition[] {
  return set.reduce<Condition[]>((list, one) => setCondition(list, one, before), []);
}

describe('setCondition', () => {
  it('moves the time only when the status changes', () => {
    const first = all(condition('Available', 'True'));
    const [same] = setCondition(
      first,
      { ...condition('Available', 'True', 'Other'), message: 'new words' },
      now,
    );
    expect(same).toMatchObject({ reason: 'Other', message: 'new words', lastTransitionTime: before });
    const [other] = setCondition(first, condition('Available', 'False'), now);
    expect(other).toMatchObject({ status: 'False', lastTransitionTime: now });
  });

  it('keeps the others and their order, so that the same facts give the same bytes', () => {
    const three = all(
      condition('Available', 'True'),
      condition('Progressing', 'False'),
      condition('Stalled', 'False'),
    );
    expect(JSON.stringify(setCondition(three, condition('Progressing', 'False'), now))).toBe(
      JSON.stringify(three),
    );
    expect(setCondition(undefined, condition('Ready', 'True'), now)).toHaveLength(1);
  });
});

describe('summariseReady', () => {
  it.each([
    {
      says: 'all is well',
      set: [condition('Available', 'True')],
      want: { status: 'True', reason: 'Operational' },
    },
    {
      says: 'a service that is held is available and not ready',
      set: [condition('Available', 'True'), condition('Stalled', 'True', 'HeldAfterRollback')],
      want: { status: 'False', reason: 'HeldAfterRollback' },
    },
    {
      says: 'an outage goes before the change that causes it',
      set: [condition('Available', 'False', 'Drained'), condition('Progressing', 'True', 'FlowRunning')],
      want: { status: 'False', reason: 'Drained' },
    },
    {
      says: 'what is not known is not ready',
      set: [condition('Available', 'Unknown', 'NotSeen')],
      want: { status: 'Unknown', reason: 'NotSeen' },
    },
  ])('$says', ({ set, want }) => {
    const conditions = summariseReady(all(...set), well, now, 3);
    expect(conditions.find(({ type }) => type === 'Ready')).toMatchObject({ ...want, observedGeneration: 3 });
    expect(checkConditions({ metadata: { name: 'x', generation: 3 }, status: { conditions } })).toEqual([]);
  });
});

describe('checkConditions', () => {
  const check = (conditions: readonly Condition[], more: object = {}) =>
    checkConditions({ metadata: { name: 'x', generation: 1 }, status: { conditions, ...more } });

  it.each([
    {
      says: 'Ready, and not Available',
      set: all(condition('Ready', 'True'), condition('Available', 'False')),
    },
    {
      says: 'Ready, and still Progressing',
      set: all(condition('Ready', 'True'), condition('Progressing', 'True')),
    },
    { says: 'Ready, and Stalled', set: all(condition('Ready', 'True'), condition('Stalled', 'True')) },
    { says: 'there are conditions, but no Ready', set: all(condition('Available', 'True')) },
    {
      says: 'Progressing, and Stalled',
      set: all(condition('Ready', 'False'), condition('Progressing', 'True'), condition('Stalled', 'True')),
    },
    { says: 'Ready has no reason in one word', set: all(condition('Ready', 'True', 'two words')) },
    {
      says: 'Ready is there twice',
      set: [...all(condition('Ready', 'True')), ...all(condition('Ready', 'True'))],
    },
  ])('finds: $says', ({ says, set }) => {
    expect(check(set)).toContain(`x: ${says}`);
  });

  it('finds a generation that is not there yet, and a time that is missing', () => {
    expect(check(all(condition('Ready', 'True')), { observedGeneration: 2 })).toHaveLength(1);
    expect(check([{ type: 'Ready', status: 'True', reason: 'Fine' }])).toEqual([
      'x: Ready does not say since when',
    ]);
  });

  it('has nothing against an object without conditions', () => {
    expect(checkConditions({ metadata: { name: 'x' } })).toEqual([]);
  });
});
