import { expect, it } from 'vitest';
import { phaseNames } from '../api/phase-names.ts';
import { checkConditions } from './check-conditions.ts';
import { type Condition, setCondition, summariseReady } from './conditions.ts';
import { type OlderWord, olderConditions, olderReason } from './older-words.ts';

const at = '2026-01-01T00:00:00Z';

function after(...words: OlderWord[]): Condition[] {
  let conditions: Condition[] = [];
  for (const word of words) {
    for (const next of olderConditions(conditions, word, 1)) conditions = setCondition(conditions, next, at);
    conditions = summariseReady(conditions, { reason: 'Done', message: '' }, at, 1);
  }
  return conditions;
}

it('one of the older words holds at a time, and those that held before say that they no longer do', () => {
  const conditions = after(
    { type: 'Pending', reason: 'WaitsForFlow', message: 'm' },
    { type: 'Running', reason: 'InPhase', message: 'm' },
    { type: 'Deployed', reason: 'InstallSuccessful', message: 'm' },
  );
  const said = conditions.map(({ type, status, reason }) => `${type}=${status} ${reason}`);
  expect(said.filter(text => !text.startsWith('Ready'))).toEqual([
    'Pending=False InstallSuccessful',
    'Running=False InstallSuccessful',
    'Deployed=True InstallSuccessful',
  ]);
  expect(checkConditions({ metadata: { name: 'n', generation: 1 }, status: { conditions } })).toEqual([]);
});

it('what was taken down is no longer deployed', () => {
  const conditions = after(
    { type: 'Deployed', reason: 'InstallSuccessful', message: 'm' },
    { type: 'Deployed', status: 'False', reason: 'UninstallSuccessful', message: 'm' },
  );
  expect(conditions.find(({ type }) => type === 'Deployed')).toMatchObject({
    status: 'False',
    reason: 'UninstallSuccessful',
  });
});

it('every phase has a reason of the older programs for both ends', () => {
  const known = /^(Install|Reconcile|Uninstall|Update)(Successful|Error)$|^UnderlyingResourcesReady$/;
  for (const phase of phaseNames)
    for (const well of [true, false]) expect(olderReason(phase, well)).toMatch(known);
});
