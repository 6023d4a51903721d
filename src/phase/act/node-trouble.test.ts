import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aPlanStep } from '../../testing/a-plan-step.ts';
import { ActWorld, emptyNotes } from '../../testing/act-world.ts';
import { befalls } from '../../testing/befalls.ts';
import { aPart, aRun, aWorkload } from '../../testing/scripted-ports.ts';
import { sliceMark } from '../object/slices.ts';
import type { PhaseRun } from '../phase-run.ts';
import { giveTraffic } from './give-traffic.ts';
import { soak } from './soak.ts';

let world: ActWorld;
beforeEach(async () => {
  world = await ActWorld.open();
});
afterEach(() => world.close());

const part = aPart([aWorkload('Deployment', `api-${sliceMark}`)], {
  traffic: { service: 'api', weights: [10], stepSeconds: 0, drainSeconds: 30, settleSeconds: 0 },
});
const traffic = {
  slices: ['blue', 'green'].map(slice => ({
    ...{ slice, weight: slice === 'green' ? 100 : 0, requests: 0, errors: 0, baseRequests: 0, baseErrors: 0 },
  })),
};
const begun = aRun({
  old: { parts: [part], slices: ['blue'] },
  new: { parts: [part], slices: ['green'] },
  step: aPlanStep('upgrade', { soakSeconds: 3600 }),
  traffic,
});
const at = (seconds: number, more: Partial<PhaseRun> = {}) => ({
  ...begun,
  now: begun.startedAt + seconds * 1000,
  ...more,
});
const notReady = (seconds: number) => befalls(world.cluster, begun, { slice: 'green', seconds });

describe('a version that takes traffic and has no address that is ready', () => {
  beforeEach(() => {
    world.traffic.knows('blue', { weight: 90 }).knows('green', { weight: 10, ready: 0 });
  });
  const weights = {
    slices: traffic.slices.map(one => ({ ...one, weight: one.slice === 'green' ? 10 : 90 })),
  };
  const given = (seconds: number) => world.pass(giveTraffic, at(seconds, { traffic: weights }));

  it('has failed after a while', async () => {
    expect(await given(31)).toMatchObject({ kind: 'failed', reason: 'NotReady' });
  });

  it('gets time to come back where its node was in trouble, and no more than that', async () => {
    await notReady(20);
    expect(await given(31)).toMatchObject({ kind: 'wait', reason: 'NodeTrouble' });
    expect(await given(321)).toMatchObject({ kind: 'failed', reason: 'NotReady' });
  });

  it('gets no time for ever where its node comes and goes', async () => {
    await notReady(590);
    expect(await given(595)).toMatchObject({ kind: 'wait', reason: 'NodeTrouble' });
    await notReady(640);
    expect(await given(650)).toMatchObject({ kind: 'failed', reason: 'NotReady' });
  });
});

describe('a version that soaks and has no address that is ready, beside an old one that has', () => {
  beforeEach(() => {
    world.traffic.knows('blue', { ready: 2 }).knows('green', { weight: 100, ready: 0 });
  });

  it('has failed at once', async () => {
    expect(await world.pass(soak, at(5))).toMatchObject({ kind: 'failed', reason: 'NotReady' });
  });

  it('gets a moment where its node was in trouble: nodes that are back tell of one pod after the other', async () => {
    await notReady(4);
    const notes = emptyNotes();
    expect(await world.pass(soak, at(5), notes)).toMatchObject({ kind: 'wait', reason: 'NodeTrouble' });
    const seen = { traffic: notes.traffic };
    expect(await world.pass(soak, at(19, seen))).toMatchObject({ kind: 'wait', reason: 'NodeTrouble' });
    expect(await world.pass(soak, at(20, seen))).toMatchObject({ kind: 'failed', reason: 'NotReady' });
  });
});
