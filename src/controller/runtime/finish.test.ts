import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { apiVersion } from '../../api/group.ts';
import type { StoredObject } from '../../cluster/cluster.ts';
import type { EmbeddedCluster } from '../../cluster/embedded/embedded-cluster.ts';
import { StoreFolder } from '../../cluster/embedded/store-folder.contract.ts';
import { Reconciling } from '../../reconcile/reconcile.ts';
import type { EngineWorld } from '../engine-world.ts';
import type { PhaseObject } from '../our-objects.ts';
import { claimPhase } from '../phase/claim-phase.ts';
import { newestEpoch, takeEpoch } from './epoch.ts';
import { finish } from './finish.ts';
import { done, runSteps, type StepOutcome } from './outcome.ts';

let folder: StoreFolder;
let cluster: EmbeddedCluster;
let reconciling: Reconciling;
beforeEach(async () => {
  folder = new StoreFolder();
  cluster = await folder.open();
  reconciling = new Reconciling(cluster, { signal: new AbortController().signal });
});
afterEach(() => folder[Symbol.asyncDispose]());

const ref = { apiVersion, kind: 'TestPhase', namespace: 'default', name: 'test' };
const aPhase = () =>
  cluster.create({
    ...{ apiVersion, kind: 'TestPhase', metadata: { name: 'test', namespace: 'default' } },
    spec: { openstackServiceName: 'identity', source: { type: 'plan', location: 'p' } },
  });
const read = () => cluster.get(ref) as Promise<PhaseObject>;
const now = Date.UTC(2026, 0, 1);
const end = (object: StoredObject, outcome: StepOutcome, at = now) =>
  finish({
    ...{ reconciling, object, outcome, now: at },
    status: { actualState: 'running', satisfied: false },
    well: { reason: 'Done', message: 'All is done.' },
  });
const waits = { kind: 'wait', reason: 'Working', message: 'It works.' } as const;

describe('the end of a pass', () => {
  it.each<[string, StepOutcome, Record<string, string>]>([
    ['done', done, { Progressing: 'False Idle', Stalled: 'False Idle', Ready: 'True Done' }],
    ['waiting', waits, { Progressing: 'True Working', Stalled: 'False Idle', Ready: 'False Working' }],
    [
      'blocked',
      { kind: 'blocked', reason: 'Asked', message: '?' },
      { Progressing: 'False Idle', Stalled: 'True Asked', Ready: 'False Asked' },
    ],
    [
      'failed',
      { kind: 'failed', reason: 'Broken', message: '!' },
      { Progressing: 'False Idle', Stalled: 'True Broken', Ready: 'False Broken' },
    ],
  ])('%s becomes conditions of this generation', async (_, outcome, want) => {
    await end(await aPhase(), outcome);
    const { status, metadata } = await read();
    const said = (status?.conditions ?? []).map(({ type, status: is, reason }) => [type, `${is} ${reason}`]);
    expect(Object.fromEntries(said)).toEqual(want);
    expect(status?.observedGeneration).toBe(metadata.generation);
  });

  it('that says the same, later, writes nothing', async () => {
    await end(await aPhase(), waits);
    const before = await read();
    await end(before, waits, now + 60_000);
    expect((await read()).metadata.resourceVersion).toBe(before.metadata.resourceVersion);
  });

  it('that says something else is one write', async () => {
    await end(await aPhase(), waits);
    const before = await read();
    await end(before, done, now + 60_000);
    const after = await read();
    expect(Number(after.metadata.resourceVersion)).toBe(Number(before.metadata.resourceVersion) + 1);
  });

  it('over an object that changed meanwhile writes nothing, and there is another pass at once', async () => {
    const seen = await aPhase();
    await end(seen, waits);
    const before = await read();
    expect(await end(seen, done)).toEqual({ afterSeconds: 0 });
    expect(await read()).toEqual(before);
  });

  it.each<[StepOutcome, unknown]>([
    [done, undefined],
    [waits, undefined],
    [{ ...waits, afterSeconds: 7 }, { afterSeconds: 7 }],
    [{ kind: 'blocked', reason: 'Forbidden', message: '!', afterSeconds: 30 }, { afterSeconds: 30 }],
  ])('%o is looked at again after %o', async (outcome, again) => {
    expect(await end(await aPhase(), outcome)).toEqual(again);
  });
});

it('steps run in order, up to the first that is not done', async () => {
  const ran: string[] = [];
  const step = (name: string, outcome: StepOutcome) => async () => {
    ran.push(name);
    return outcome;
  };
  expect(await runSteps([step('a', done), step('b', waits), step('c', done)], {})).toBe(waits);
  expect(ran).toEqual(['a', 'b']);
  expect(await runSteps([step('d', done)], {})).toBe(done);
});

describe('the number of a manager', () => {
  it('is one more than any before it', async () => {
    expect([await takeEpoch(cluster), await takeEpoch(cluster)]).toEqual([1, 2]);
  });

  it('is counted for itself in a namespace that managers look after alone', async () => {
    await cluster.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'alone' } });
    expect([await takeEpoch(cluster), await takeEpoch(cluster, 'alone'), await takeEpoch(cluster)]).toEqual([
      1, 1, 2,
    ]);
    expect([await newestEpoch(cluster), await newestEpoch(cluster, 'alone')]).toEqual([2, 1]);
  });

  it('is never given twice, however many start at once', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => takeEpoch(cluster)));
    expect(new Set(all).size).toBe(8);
  });
});

describe('a phase is claimed', () => {
  const manager = (epoch: number) =>
    ({ epoch, reconciling, clock: { wall: () => now } }) as unknown as EngineWorld;

  it('by a manager that puts its number on it before it acts', async () => {
    const claimed = await claimPhase(manager(1), (await aPhase()) as PhaseObject);
    expect(claimed?.status).toMatchObject({
      epoch: 1,
      actualState: 'running',
      startedAt: '2026-01-01T00:00:00.000Z',
    });
    expect((await read()).status?.epoch).toBe(1);
  });

  it('once: a second pass of the same manager writes nothing', async () => {
    const claimed = await claimPhase(manager(1), (await aPhase()) as PhaseObject);
    expect(claimed && (await claimPhase(manager(1), claimed))).toBe(claimed);
  });

  it('by a newer manager, with the time it began', async () => {
    const first = await claimPhase(manager(1), (await aPhase()) as PhaseObject);
    const later = { ...manager(2), clock: { wall: () => now + 1000 } } as EngineWorld;
    const second = first && (await claimPhase(later, first));
    expect(second?.status).toMatchObject({ epoch: 2, startedAt: first?.status?.startedAt });
  });

  it('never by an older one, nor by one that saw it before somebody else took it', async () => {
    const seen = (await aPhase()) as PhaseObject;
    expect(await claimPhase(manager(2), seen)).toBeDefined();
    expect(await claimPhase(manager(1), await read())).toBeUndefined();
    expect(await claimPhase(manager(1), seen)).toBeUndefined();
    expect((await read()).status?.epoch).toBe(2);
  });
});
