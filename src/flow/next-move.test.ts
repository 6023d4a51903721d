import { expect, test } from 'vitest';
import { aPlanStep, dataStep } from '../testing/a-plan-step.ts';
import { makeFlow } from './flow.ts';
import { type FlowFacts, type MoveState, nextMove } from './next-move.ts';

const flow = makeFlow(aPlanStep('upgrade', { strategy: 'recreate', data: [dataStep('migrate')] }));
const moves = flow.paths['main']?.moves ?? [];

/** What is known of a flow with these moves. */
function facts(states: readonly (readonly [string, MoveState])[]): FlowFacts {
  const none = { answers: {}, clientsWrote: false, createdHere: false, oldProcesses: false };
  return { states: new Map(states), ...none };
}

/** Every move before that one is done. */
function upTo(id: string): (readonly [string, MoveState])[] {
  const index = moves.findIndex(move => move.id === id);
  expect(index).toBeGreaterThan(0);
  return moves.slice(0, index).map(move => [move.id, 'done']);
}

test('the old version is stopped before the backup', () => {
  expect(nextMove(flow, facts(upTo('main/stop:old')))).toMatchObject({ move: { id: 'main/stop:old' } });
});

test('a flow that went past the stop before there was one stops nothing', () => {
  const before = upTo('main/test:new').filter(([id]) => id !== 'main/stop:old');
  expect(nextMove(flow, facts([...before, ['main/test:new', 'running']]))).toMatchObject({
    do: 'wait',
    move: { id: 'main/test:new' },
  });
  const begun = upTo('main/back-up:new').filter(([id]) => id !== 'main/stop:old');
  const failed = nextMove(flow, facts([...begun, ['main/back-up:new', 'failed']]));
  expect(failed).toMatchObject({ do: 'act', move: { id: 'resume/give-traffic:old' } });
});
