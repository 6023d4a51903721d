import { describe, expect, it } from 'vitest';
import { lostSteps, type PlanScope, readySteps } from './plan-scope.ts';

/** A plan of three stages, and how the flows of some of its steps stand. */
function scopeOf(ends: Readonly<Record<string, string | undefined>>): PlanScope {
  const step = (id: string, stage: string, waitsFor: readonly string[] = []) => ({ id, stage, waitsFor });
  const steps = [
    step('database', 'first'),
    step('identity', 'second'),
    step('image', 'second', ['identity']),
    step('compute', 'third'),
  ];
  const stages = ['first', 'second', 'third'].map(name => ({ name, gate: 'automatic' }));
  const flows = Object.entries(ends).map(([id, end]) => [id, { status: end === undefined ? {} : { end } }]);
  return {
    object: { spec: { plan: { steps, stages } } },
    flows: new Map(flows as never),
  } as unknown as PlanScope;
}

const ready = (ends: Readonly<Record<string, string | undefined>>) =>
  readySteps(scopeOf(ends)).map(({ id }) => id);
const lost = (ends: Readonly<Record<string, string | undefined>>) => [...lostSteps(scopeOf(ends))];

describe('the steps of a plan', () => {
  it('begin when the stages before theirs are done', () => {
    expect(ready({})).toEqual(['database']);
    expect(ready({ database: undefined })).toEqual([]);
    expect(ready({ database: 'operational' })).toEqual(['identity']);
    expect(ready({ database: 'operational', identity: 'operational' })).toEqual(['image']);
    expect(ready({ database: 'operational', identity: 'operational', image: 'operational' })).toEqual([
      'compute',
    ]);
  });

  it('are lost where a stage before theirs, or a step they wait for, failed', () => {
    expect(lost({})).toEqual([]);
    expect(lost({ database: 'takenback' })).toEqual(['identity', 'image', 'compute']);
    expect(lost({ database: 'operational', identity: 'rolledback' })).toEqual(['image', 'compute']);
  });
});
