import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TrafficStatus } from '../../api/phase-kinds.ts';
import { aPlanStep } from '../../testing/a-plan-step.ts';
import { ActWorld, emptyNotes } from '../../testing/act-world.ts';
import { aPart, aRun, aTask, aWorkload } from '../../testing/scripted-ports.ts';
import { sliceMark } from '../object/slices.ts';
import type { PhaseRun } from '../phase-run.ts';
import { giveTraffic } from './give-traffic.ts';
import { runTests } from './run-tests.ts';
import { soak } from './soak.ts';
import { takeTraffic } from './take-traffic.ts';

let world: ActWorld;
beforeEach(async () => {
  world = await ActWorld.open();
});
afterEach(() => world.close());

const rules = { service: 'api', weights: [10], stepSeconds: 0, drainSeconds: 30, settleSeconds: 0 };
const part = (more: object = {}) =>
  aPart([aWorkload('Deployment', `api-${sliceMark}`), aTask('smoke', 'test')], {
    traffic: { ...rules, ...more },
  });
const runOf = (overrides: Partial<PhaseRun> = {}, more: object = {}) =>
  aRun({
    old: { parts: [part(more)], slices: ['blue'] },
    new: { parts: [part(more)], slices: ['green'] },
    ...overrides,
  });
const about = (task: 'give-traffic' | 'take-traffic', side: 'old' | 'new') => ({
  move: { oslc: 'flow', id: `main/${task}:${side}`, task, side },
});
const counted = (requests: number, errors = 0, inFlight = 0) => ({ counts: { requests, errors, inFlight } });
const status = (base: number): TrafficStatus => ({
  slices: [{ slice: 'green', weight: 0, requests: 0, errors: 0, baseRequests: base, baseErrors: 0 }],
});

describe('traffic is given', () => {
  it('share by share to a new version, and nothing is written before it is known what was counted', async () => {
    world.traffic.knows('blue', { weight: 100 }).knows('green', { weight: 0 });
    expect(await world.pass(giveTraffic, runOf())).toMatchObject({ kind: 'wait', reason: 'TrafficCounted' });
    expect(world.traffic.asked).toEqual([]);
    expect(await world.carryOut(giveTraffic, runOf())).toEqual({ kind: 'done' });
    expect(world.traffic.asked).toEqual(['set api green 10 blue 90', 'set api green 100']);
  });

  it('back to the version that served before at once', async () => {
    world.traffic.knows('blue', { weight: 0 }).knows('green', { weight: 100 });
    await world.carryOut(giveTraffic, runOf(about('give-traffic', 'old')));
    expect(world.traffic.asked).toEqual(['set api blue 100']);
  });

  it('not to a slice of which no address is ready', async () => {
    world.traffic.knows('blue', { weight: 100 }).knows('green', { ready: 0 });
    const run = runOf({ traffic: status(0) });
    expect(await world.pass(giveTraffic, run)).toMatchObject({ kind: 'wait', reason: 'TrafficMoving' });
    expect(world.traffic.asked).toEqual([]);
  });

  it.each([
    ['waited for as long as it takes', 'upgrade', { kind: 'wait', reason: 'TrafficMoving' }],
    ['given up after a while where it was to go', 'uninstall', { kind: 'failed', reason: 'NotReady' }],
  ] as const)('to a version that served and does not answer: it is %s', async (_, flow, outcome) => {
    world.traffic.knows('blue', { weight: 0, ready: 0 });
    const run = runOf({ ...about('give-traffic', 'old'), step: aPlanStep(flow), traffic: status(0) });
    const late = { ...run, now: run.startedAt + 301_000 };
    expect(await world.pass(giveTraffic, late)).toMatchObject(outcome);
  });

  it('no further when the new version fails more than it may', async () => {
    world.traffic.knows('blue', { weight: 90, ...counted(1000) });
    world.traffic.knows('green', { weight: 10, ...counted(100, 50) });
    const outcome = await world.pass(giveTraffic, runOf({ traffic: status(0) }));
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'TooManyErrors' });
    expect(world.traffic.asked).toEqual([]);
  });
});

describe('where nobody counts', () => {
  it.each([
    ['given', giveTraffic, about('give-traffic', 'new'), 'set api green 50 blue 50'],
    ['taken', takeTraffic, about('take-traffic', 'old'), 'set api green 100'],
  ])(
    'traffic is %s in the first pass: there is nothing to write down before',
    async (_, act, move, asked) => {
      world.traffic.canWeigh = false;
      const isTaken = act === takeTraffic;
      world.traffic.knows('blue', { weight: 50 }).knows('green', { weight: isTaken ? 50 : 0 });
      expect(await world.pass(act, runOf(move))).toMatchObject({ kind: 'wait', afterSeconds: 0 });
      expect(world.traffic.asked).toEqual([asked]);
    },
  );
});

describe('traffic is taken', () => {
  const drain = (more: object = {}, overrides: Partial<PhaseRun> = {}) =>
    runOf({ ...about('take-traffic', 'old'), ...overrides }, more);
  const base: TrafficStatus = { slices: [{ slice: 'blue', weight: 0, requests: 0, errors: 0 }] };

  it('in one write, and what is in flight is waited for', async () => {
    world.traffic.knows('blue', { weight: 100, out: 'no', ...counted(5, 0, 2) }).knows('green', {});
    world.traffic.knows('green', { weight: 1 });
    const notes = { ...emptyNotes() };
    await world.pass(takeTraffic, drain(), notes);
    const set = await world.pass(takeTraffic, { ...drain(), traffic: notes.traffic });
    expect([set.kind, world.traffic.asked]).toEqual(['wait', ['set api green 100']]);
    const waits = await world.pass(takeTraffic, { ...drain(), traffic: base });
    expect(waits).toMatchObject({ kind: 'wait', reason: 'Draining' });
    world.traffic.knows('blue', { out: 'yes' });
    expect(await world.pass(takeTraffic, { ...drain(), traffic: base })).toEqual({ kind: 'done' });
    expect(world.traffic.asked).toHaveLength(1);
  });

  it('where nobody counts, in the time it is given from when it was seen to get no more, and not a moment sooner', async () => {
    world.traffic.knows('blue', { weight: 0, out: 'no' }).knows('green', { weight: 100 });
    const { startedAt } = runOf();
    let traffic: TrafficStatus | undefined = {
      slices: [...base.slices, { slice: 'green', weight: 100, requests: 0, errors: 0 }],
    };
    const passAt = async (seconds: number) => {
      const notes = emptyNotes();
      const run = drain({ drainSeconds: 1 }, { now: startedAt + seconds * 1000, traffic });
      const { kind } = await world.pass(takeTraffic, run, notes);
      traffic = notes.traffic;
      return kind;
    };
    expect(await passAt(0)).toBe('wait');
    // The endpoint is there for longer than the whole drain would take, then it is gone.
    expect(await passAt(100)).toBe('wait');
    world.traffic.knows('blue', { out: 'unknown' });
    expect(await passAt(101)).toBe('wait');
    expect(await passAt(104)).toBe('wait');
    expect(await passAt(105)).toBe('done');
  });

  it.each([
    ['stays until its work ends', {}, 0, 'wait'],
    ['may be cut where the package says so', { cutsAtDeadline: true }, 0, 'done'],
    ['may be cut where a person accepts as many', {}, 2, 'done'],
    ['may not be cut where a person accepts fewer', {}, 1, 'wait'],
  ])('after the deadline what is in flight %s', async (_, more, cutsAtMost, kind) => {
    world.traffic.knows('blue', { out: 'no', ...counted(5, 0, 2) }).knows('green', { weight: 100 });
    const late = runOf().startedAt + 31_000;
    const traffic = {
      ...base,
      slices: [...base.slices, { slice: 'green', weight: 100, requests: 0, errors: 0 }],
    };
    const outcome = await world.pass(takeTraffic, drain(more, { now: late, cutsAtMost, traffic }));
    expect(outcome.kind).toBe(kind);
    if (outcome.kind === 'wait') expect(outcome.reason).toBe('DrainOverdue');
  });
});

describe('a soak', () => {
  const soaking = (overrides: Partial<PhaseRun>) =>
    runOf({ step: aPlanStep('upgrade', { soakSeconds: 60 }), traffic: status(0), ...overrides });

  it.each([
    ['lasts its time', {}, {}, 'wait'],
    ['is over after it', { now: aRun().startedAt + 61_000 }, {}, 'done'],
    ['is over when a person says so', { endSoak: true }, {}, 'done'],
    ['fails at once with too many errors', {}, counted(100, 50), 'failed'],
    ['goes on while the new version does not answer', { endSoak: true }, { ready: 0 }, 'wait'],
  ])('%s', async (_, overrides, green, kind) => {
    world.traffic.knows('blue', {}).knows('green', { weight: 100, ...green });
    expect((await world.pass(soak, soaking(overrides))).kind).toBe(kind);
  });
});

describe('a test', () => {
  const first = async (run: PhaseRun) => {
    const notes = emptyNotes();
    return { outcome: await world.pass(runTests, run, notes), traffic: notes.traffic };
  };
  const came = (requests: number) => {
    world.traffic.preview_ = { address: '10.0.0.9', ports: [{ port: 80 }], requests };
  };

  const at = (seconds: number) => runOf({ now: runOf().startedAt + seconds * 1000 });

  it('begins when what came before is written down', async () => {
    came(5);
    const { outcome, traffic } = await first(runOf());
    expect(outcome).toMatchObject({ kind: 'wait', reason: 'TestBegins' });
    expect(traffic?.slices).toEqual([expect.objectContaining({ slice: 'green', baseRequests: 5 })]);
    expect(world.node.ledger.runs()).toEqual([]);
  });

  it('waits for an address that only its slice answers', async () => {
    world.traffic.preview_ = undefined;
    expect((await first(runOf())).outcome).toMatchObject({ kind: 'wait', reason: 'PreviewMissing' });
  });

  it.each([
    ['reached the slice', 6, 'done'],
    ['reached it by a router that began anew', 1, 'done'],
    ['did not reach it, as far as is told', 5, 'wait'],
  ])('that %s', async (_, requests, kind) => {
    came(requests);
    const run = runOf({ traffic: status(5) });
    await world.pass(runTests, run);
    expect((await world.pass(runTests, run)).kind).toBe(kind);
  });

  it('whose requests nobody saw proves nothing once the counts had their time', async () => {
    came(5);
    const run = runOf({ traffic: status(5) });
    await world.pass(runTests, run);
    const { outcome, traffic } = await first(run);
    expect(outcome).toMatchObject({ kind: 'wait', reason: 'ProofMissing' });
    const late = { ...run, traffic, now: run.now + 6_000 };
    expect((await first(late)).outcome).toMatchObject({ kind: 'failed', reason: 'TestMissedTheSlice' });
  });

  it('of a router that does not count begins when all nodes had time to hear of the address, and is taken at its word', async () => {
    world.traffic.preview_ = { address: '10.0.0.9', ports: [{ port: 80 }] };
    expect((await first(at(0))).outcome).toMatchObject({ kind: 'wait', reason: 'PreviewMissing' });
    expect(await world.carryOut(runTests, at(3))).toEqual({ kind: 'done' });
    expect(world.node.ledger.runs()).toHaveLength(1);
  });

  it.each([
    ['with the phase', 0, 2.5],
    ['a second before it', -1, 1.5],
    ['long before it', -60, 0.5],
    ['after it, by a clock that is ahead', 60, 2.5],
  ])(
    'of an address that was made %s begins when both it and its slice had their time',
    async (_, made, left) => {
      const madeAt = runOf().startedAt + made * 1000;
      world.traffic.preview_ = { address: '10.0.0.9', ports: [{ port: 80 }], madeAt };
      expect((await first(at(0.5))).outcome).toMatchObject({ reason: 'PreviewMissing', afterSeconds: left });
      expect(await world.carryOut(runTests, at(0.5 + left))).toEqual({ kind: 'done' });
    },
  );

  it.each([
    ['is known to be refused waits', false, 59, 'wait'],
    ['is refused for too long begins, and tells what is wrong by itself', false, 60, 'done'],
    ['is out of reach from here begins', undefined, 3, 'done'],
    ['is taken begins', true, 3, 'done'],
  ])('whose connection %s', async (_, answers, seconds, kind) => {
    world.traffic.preview_ = { address: '10.0.0.9', ports: [{ port: 80 }] };
    world.answers = answers;
    const { outcome } = await first(at(seconds));
    expect(outcome).toMatchObject(
      kind === 'wait' ? { reason: 'PreviewMissing', afterSeconds: 0.5 } : { reason: 'TaskRunning' },
    );
    expect(world.node.ledger.runs()).toHaveLength(kind === 'wait' ? 0 : 1);
  });

  it.each([
    ['is waited for anew by a manager that took it over', 100, 159, 'PreviewMissing'],
    ['is waited for no longer than a manager looks', 100, 160, 'TaskRunning'],
    ['is not waited for by one manager after the other', 290, 300, 'TaskRunning'],
  ])('whose address is refused %s', async (_, claimed, seconds, reason) => {
    world.traffic.preview_ = { address: '10.0.0.9', ports: [{ port: 80 }], isServed: false, madeAt: 0 };
    const run = { ...at(seconds), claimedAt: at(claimed).now };
    expect((await first(run)).outcome).toMatchObject({ reason });
  });

  it('is not held up by ports that take no connections at all', async () => {
    world.traffic.preview_ = { address: '10.0.0.9', ports: [{ port: 53, protocol: 'UDP' }] };
    world.answers = false;
    expect((await first(at(3))).outcome).toMatchObject({ reason: 'TaskRunning' });
  });

  it('of a router that counts asks the router alone: a connection of ours would count as one of the test', async () => {
    came(5);
    world.answers = false;
    expect((await first(at(3))).outcome).toMatchObject({ reason: 'TestBegins' });
  });

  it('of an address that was made by the manager that took it over gives that address its time', async () => {
    const run = at(30);
    const claimedAt = run.now;
    world.traffic.preview_ = { address: '10.0.0.9', ports: [{ port: 80 }], madeAt: claimedAt };
    expect((await first({ ...run, claimedAt })).outcome).toMatchObject({ afterSeconds: 3 });
    expect(await world.carryOut(runTests, { ...at(33), claimedAt })).toEqual({ kind: 'done' });
  });
});
