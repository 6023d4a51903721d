import { expect, test } from 'vitest';
import type { Notes, Outcome } from '../../phase/phase-run.ts';
import { emptyNotes } from '../../testing/act-world.ts';
import { type PhaseObject, summarySeconds } from '../our-objects.ts';
import { quietSeconds } from './quiet-seconds.ts';

const takenOn = Date.parse('2030-01-01T00:00:00Z');
const waits: Outcome = { kind: 'wait', reason: 'TaskRunning', message: 'Job one runs' };
const traffic = { slices: [{ slice: 'blue', weight: 100, requests: 0, errors: 0 }] };

function quietAt(seconds: number, notes: Partial<Notes> = {}, outcome: Outcome = waits, more: object = {}) {
  const status = { claimedAt: new Date(takenOn).toISOString(), ...more };
  const object = { status } as unknown as PhaseObject;
  return quietSeconds(object, { ...emptyNotes(), ...notes }, outcome, takenOn + seconds * 1000);
}

test.each([
  ['how far it is, in its first moments', quietAt(0.25), summarySeconds - 0.25],
  [
    'what is known of its traffic already',
    quietAt(0.25, { traffic }, waits, { traffic }),
    summarySeconds - 0.25,
  ],
  ['by a clock that was set back, for no longer', quietAt(-3600), summarySeconds],
])('a phase need not tell %s', (_, quiet, seconds) => {
  expect(quiet).toBeCloseTo(seconds);
});

test.each([
  ['how far it is after that', quietAt(summarySeconds)],
  ['its end', quietAt(0.25, {}, { kind: 'done' })],
  ['its failure', quietAt(0.25, {}, { kind: 'failed', reason: 'Failed', message: '' })],
  ['what it goes on from at once', quietAt(0.25, {}, { ...waits, afterSeconds: 0 })],
  ['what it did with traffic', quietAt(0.25, { traffic })],
  ['what it noted of a database', quietAt(0.25, { schemas: [{ database: 'one' }] as never })],
  [
    'how far it is where nobody knows when it was taken on',
    quietAt(0.25, {}, waits, { claimedAt: undefined }),
  ],
])('a phase tells %s at once', (_, quiet) => {
  expect(quiet).toBe(0);
});
