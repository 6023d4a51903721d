import { afterEach, describe, expect, it } from 'vitest';
import { phaseLabel, serviceLabel, sliceLabel } from '../../api/labels.ts';
import { ActWorld } from '../../testing/act-world.ts';
import { befalls } from '../../testing/befalls.ts';
import { aPart, aRun, aTask, aWorkload } from '../../testing/scripted-ports.ts';
import { sliceMark } from '../object/slices.ts';
import { runTests } from './run-tests.ts';

let world: ActWorld;
/** How many tests were run. */
let runs = 0;
afterEach(() => world.close());

const part = aPart([aWorkload('Deployment', `api-${sliceMark}`), aTask('smoke', 'test')], {
  traffic: { service: 'api', weights: [10], stepSeconds: 0, drainSeconds: 30, settleSeconds: 0 },
});
const begun = aRun({
  old: { parts: [part], slices: ['blue'] },
  new: { parts: [part], slices: ['green'] },
});
const at = (seconds: number) => ({ ...begun, now: begun.startedAt + seconds * 1000 });

/** A world whose tests end with these codes, one run after the other; the last stands for all after it. */
async function openWorld(...exitCodes: readonly number[]): Promise<void> {
  runs = 0;
  world = await ActWorld.open(({ owner }) => {
    if (owner?.kind !== 'Job') return undefined;
    const exitCode = exitCodes[Math.min(runs, exitCodes.length - 1)] ?? 0;
    runs += 1;
    return { exitCode, seconds: 0 };
  });
  world.traffic.preview_ = { address: '10.0.0.9', ports: [{ port: 80 }], madeAt: 0 };
}

const ofSlice = (slice: string) => ({ [serviceLabel]: begun.service, [sliceLabel]: slice });

describe('a test that failed', () => {
  it('counts where nothing befell a node', async () => {
    await openWorld(1, 0);
    expect(await world.carryOut(runTests, at(5))).toMatchObject({ kind: 'failed' });
    expect(runs).toBe(1);
  });

  it.each([
    ['the slice that it was about', ofSlice('green'), 'NodeNotReady'],
    ['the test itself', { [phaseLabel]: begun.name }, 'NodeNotReady'],
    ['a slice whose pods were begun anew', ofSlice('green'), 'SandboxChanged'],
  ])('is run once more where a node was in trouble under %s', async (_, labels, reason) => {
    await openWorld(1, 0);
    await befalls(world.cluster, begun, { labels, seconds: 4, reason });
    expect(await world.carryOut(runTests, at(5))).toEqual({ kind: 'done' });
    expect(runs).toBe(2);
  });

  it.each([
    ['the other slice', ofSlice('blue'), 4, 'NodeNotReady'],
    ['it long before', ofSlice('green'), -61, 'NodeNotReady'],
    ['it that was its own fault', ofSlice('green'), 4, 'BackOff'],
  ])('counts where something befell %s', async (_, labels, seconds, reason) => {
    await openWorld(1, 0);
    await befalls(world.cluster, begun, { labels, seconds, reason });
    expect(await world.carryOut(runTests, at(5))).toMatchObject({ kind: 'failed' });
  });

  it('is not run a third time', async () => {
    await openWorld(1);
    await befalls(world.cluster, begun, { slice: 'green', seconds: 4 });
    expect(await world.carryOut(runTests, at(5))).toMatchObject({ kind: 'failed' });
    expect(runs).toBe(2);
  });

  it('is run once more when the slice answers again, and after a while whatever it does', async () => {
    await openWorld(1, 0);
    await befalls(world.cluster, begun, { slice: 'green', seconds: 4 });
    await world.pass(runTests, at(61)); // the first run, which fails
    world.answers = false;
    expect(await world.pass(runTests, at(100))).toMatchObject({ kind: 'wait', reason: 'NodeTrouble' });
    expect(runs).toBe(1);
    expect(await world.pass(runTests, at(305))).toMatchObject({ kind: 'wait', reason: 'TaskRunning' });
    expect(await world.pass(runTests, at(306))).toEqual({ kind: 'done' });
  });

  it('is run once more in the end also where a node comes and goes', async () => {
    await openWorld(1, 0);
    await world.pass(runTests, at(5)); // the first run, which fails
    world.answers = false;
    await befalls(world.cluster, begun, { slice: 'green', seconds: 1190 });
    expect(await world.pass(runTests, at(1199))).toMatchObject({ kind: 'wait', reason: 'NodeTrouble' });
    expect(await world.pass(runTests, at(1201))).toMatchObject({ kind: 'wait', reason: 'TaskRunning' });
    expect(await world.pass(runTests, at(1202))).toEqual({ kind: 'done' });
  });

  it('counts as its second run does also when nobody knows any more why there was one', async () => {
    await openWorld(1, 0);
    await befalls(world.cluster, begun, { slice: 'green', seconds: 4 });
    await world.pass(runTests, at(5));
    await world.pass(runTests, at(6));
    const { items } = await world.cluster.list({ apiVersion: 'v1', kind: 'Event' }, { namespace: 'default' });
    for (const { metadata } of items)
      await world.cluster.delete({
        apiVersion: 'v1',
        kind: 'Event',
        namespace: 'default',
        name: metadata.name,
      });
    expect(await world.pass(runTests, at(7))).toEqual({ kind: 'done' });
  });
});
