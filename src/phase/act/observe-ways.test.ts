import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ActWorld } from '../../testing/act-world.ts';
import { aPart, aRun, aService, aWorkload } from '../../testing/scripted-ports.ts';
import { sliceMark } from '../object/slices.ts';
import { observeWays, sayWays } from './observe-ways.ts';
import { repairTraffic } from './repair-traffic.ts';

let world: ActWorld;
beforeEach(async () => {
  world = await ActWorld.open();
});
afterEach(() => world.close());

const labels = { app: 'web' };
const behind = (kind: string, name: string, replicas?: number) =>
  aWorkload(kind, `${name}${kind === 'Deployment' ? `-${sliceMark}` : ''}`, {
    ...(replicas === undefined ? {} : { replicas }),
    template: { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'x:1' }] } },
  });
const run = (objects: Parameters<typeof aPart>[0], slices: readonly string[] = ['blue']) =>
  aRun({ new: { parts: [aPart([aService('web'), ...objects], { traffic: { service: 'web' } })], slices } });
const now = '2026-01-01T00:00:00.000Z';

describe('who answers clients', () => {
  const says = async (of: ReturnType<typeof run>, before?: Parameters<typeof sayWays>[2]) =>
    sayWays(of, await observeWays(of, world.ports), before);

  it('is counted over everybody who has traffic, of whichever version', async () => {
    world.traffic.knows('blue', { weight: 90, ready: 2 }).knows('green', { weight: 10, ready: 1 });
    world.traffic.knows('red', { weight: 0, ready: 5 });
    expect(await says(run([behind('Deployment', 'web', 3)]))).toEqual([
      { service: 'web', ready: 3, wanted: 3 },
    ]);
  });

  it('is nobody since the first pass that saw it so', async () => {
    world.traffic.knows('blue', { weight: 100, ready: 0 });
    const one = run([behind('Deployment', 'web', 1)]);
    const first = await says(one, [{ service: 'web', ready: 1, wanted: 1 }]);
    expect(first).toEqual([{ service: 'web', ready: 0, wanted: 1, since: now }]);
    const later = { ...one, now: one.now + 60_000 };
    expect(await says(later, first)).toEqual(first);
  });

  it('is not compared with anything where hosts decide how many there are', async () => {
    world.traffic.knows('main', { weight: 100, ready: 2 });
    expect(await says(run([behind('DaemonSet', 'web')]))).toEqual([{ service: 'web', ready: 2 }]);
  });
});

describe('traffic that somebody moved by hand', () => {
  const repair = async (slices: readonly string[] = ['blue']) =>
    repairTraffic(await observeWays(run([behind('Deployment', 'web', 1)], slices), world.ports), world.ports);

  it('goes back to the slice of the revision', async () => {
    world.traffic.knows('blue', { weight: 0 }).knows('green', { weight: 100 });
    expect(await repair()).toEqual(['Service web']);
    expect(world.traffic.asked).toEqual(['set web blue 100']);
    expect(await repair()).toEqual([]);
  });

  it('goes back to several slices by way of all', async () => {
    world.traffic.knows('1', { weight: 0 }).knows('2', { weight: 0 }).knows('green', { weight: 100 });
    await repair(['1', '2']);
    await repair(['1', '2']);
    expect(world.traffic.asked).toEqual(['set web 1 34 2 33 green 33', 'set web 1 50 2 50']);
  });

  it.each([
    ['where it is as the revision says', { weight: 100, ready: 1 }, 0],
    ['where the slice of the revision does not answer', { weight: 0, ready: 0 }, 100],
  ])('stays %s', async (_, blue, green) => {
    world.traffic.knows('blue', blue).knows('green', { weight: green });
    expect(await repair()).toEqual([]);
    expect(world.traffic.asked).toEqual([]);
  });
});
