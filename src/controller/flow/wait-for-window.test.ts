import { expect, it } from 'vitest';
import type { Gate } from '../../flow/move.ts';
import { aPlanStep } from '../../testing/a-plan-step.ts';
import { waitForWindow } from './wait-for-window.ts';

const saturday = Date.parse('2026-01-03T22:00:00Z');
const minute = 60_000;
const windows = [{ days: ['sat'], start: '22:00', durationMinutes: 60, timeZone: 'UTC' }];

/** A move of a flow that a person answered, unless told, at a moment of a cloud with one window. */
function at(
  now: number,
  {
    id = 'main/take-traffic:old',
    gates = [],
    first = true,
    maintenanceWindows = windows,
    ...said
  }: Partial<{
    readonly id: string;
    readonly gates: readonly Gate[];
    readonly first: boolean;
    readonly maintenanceWindows: readonly object[];
    readonly answers: object | undefined;
  }> = {},
) {
  const answers = 'answers' in said ? said.answers : { contract: 'yes' };
  const scope = {
    world: { records: { get: () => ({ spec: { maintenanceWindows } }) } },
    ...{ namespace: 'default', planned: { deployment: 'north', step: aPlanStep('rollback') } },
    ...{ object: { spec: answers ? { answers } : {} }, now },
  } as unknown as Parameters<typeof waitForWindow>[0];
  return waitForWindow(scope, { id, task: 'take-traffic', gates }, first);
}

const consent: readonly Gate[] = [{ kind: 'consent', question: 'contract' }];

it.each([
  ['an answer that comes in a window is acted on', at(saturday), false],
  ['one that comes before it waits', at(saturday - minute), true],
  ['one that comes after it waits', at(saturday + 61 * minute), true],
  ['it needs room for its way back', at(saturday + 59 * minute), true],
  ['a cloud without windows waits for none', at(0, { maintenanceWindows: [] }), false],
  ['a flow that nobody was asked by goes on as its plan began', at(0, { answers: undefined }), false],
  [
    'a yes to a restore waits for nothing: more would be lost with every minute',
    at(0, { answers: { restore: 'yes' } }),
    false,
  ],
  ['what has touched something already goes on', at(0, { first: false }), false],
  ['but not over a point of no return', at(0, { first: false, gates: consent }), true],
  ['which needs no room for a way back', at(saturday + 59 * minute, { first: false, gates: consent }), false],
  ['a way back waits for nothing', at(0, { id: 'back/restore:old' }), false],
])('%s', (_, closed, waits) => {
  expect(closed?.outcome.kind).toBe(waits ? 'wait' : undefined);
  if (waits) expect(closed?.outcome).toMatchObject({ reason: 'WaitingForWindow', afterSeconds: 60 });
});

it.each([
  [
    'the yes that waits, and until when, is told',
    at(saturday - minute, { first: false, gates: consent }),
    { question: 'contract', until: '2026-01-03T22:00:00.000Z' },
  ],
  [
    'a window that has no room for it is not the one it waits for',
    at(saturday + 59 * minute, { gates: consent }),
    { question: 'contract', until: '2026-01-10T22:00:00.000Z' },
  ],
  [
    'where no window is long enough, none is named',
    at(saturday, { gates: consent, maintenanceWindows: [{ ...windows[0], durationMinutes: 1 }] }),
    { question: 'contract' },
  ],
  ['what nobody was asked about cannot be taken back', at(saturday - minute), undefined],
])('%s', (_, closed, heard) => {
  expect(closed?.outcome.kind).toBe('wait');
  expect(closed?.heard).toEqual(heard);
});
