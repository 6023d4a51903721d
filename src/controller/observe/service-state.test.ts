import { expect, test } from 'vitest';
import type { FlowObject } from '../our-objects.ts';
import { serviceState } from './service-state.ts';

/** A flow with only what counts here. */
function flow(name: string, spec: object, status: object): FlowObject {
  const creationTimestamp = `2026-01-01T00:00:0${name.length}Z`;
  return { metadata: { name, creationTimestamp }, spec, status } as unknown as FlowObject;
}

const upgraded = flow('up', {}, { startedAt: '1', settledAt: '2', end: 'operational' });
const moves = (...ids: string[]) => ({ moves: ids.map(id => ({ id, state: 'done' })) });
const stateWith = (newest: FlowObject) =>
  serviceState('identity', { revisions: [], flows: [upgraded, newest] });

test('a way back that a person asked for holds from the moment its revision may be seen, not only from its end', () => {
  const back = flow(
    'back',
    { planned: { holds: true, step: { id: 'identity/rollback', parts: ['identity'] } } },
    { startedAt: '3', settledAt: '4' },
  );
  expect(stateWith(back).hold).toBe(back);
});

test('a way back that has not arrived holds nothing yet', () => {
  const back = flow(
    'back',
    { planned: { holds: true, step: { id: 'identity/rollback', parts: ['identity'] } } },
    { startedAt: '3' },
  );
  expect(stateWith(back)).toMatchObject({ hold: undefined, running: back, soaking: false });
});

test.each([
  ['that keeps the old version is soaking', {}, moves('main/settle:new', 'main/soak'), true],
  ['that was told to go back is not', { aborted: true }, moves('main/soak'), false],
  ['that goes back by itself is not', {}, moves('main/soak', 'software/give-traffic:old'), false],
])('a settled flow %s', (_, spec, said, soaking) => {
  const settled = flow('soak', spec, { startedAt: '3', settledAt: '4', ...said });
  expect(stateWith(settled).soaking).toBe(soaking);
});
