import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { managedByLabel, sliceLabel } from '../../api/labels.ts';
import type { ClusterObject } from '../../cluster/cluster.ts';
import { ActWorld, emptyNotes } from '../../testing/act-world.ts';
import { aPart, aRun, aService, aWorkload } from '../../testing/scripted-ports.ts';
import { openServiceTraffic } from '../../traffic/kubernetes-service/kubernetes-service-traffic.ts';
import { sliceMark } from '../object/slices.ts';
import type { PartBundle, PhasePorts } from '../phase-run.ts';
import { applySoftware } from './apply-software.ts';
import { removeSoftware } from './remove-software.ts';
import { takeFound } from './take-found.ts';

const traffic = {
  ...{ service: 'web', drainSeconds: 5, settleSeconds: 1, cutsAtDeadline: false },
  ...{ weights: [10], stepSeconds: 1, maxErrorPercent: 5 },
};
const template = (image: string, labels: Readonly<Record<string, string>> = {}) => ({
  selector: { matchLabels: { app: 'web', ...labels } },
  template: {
    metadata: { labels: { app: 'web', ...labels } },
    spec: { containers: [{ name: 'main', image }] },
  },
});
const service = () => aService('web');
const sliced = (image: string) =>
  aPart([aWorkload('Deployment', `web-${sliceMark}`, template(image, { tier: sliceMark })), service()], {
    traffic,
  });
const found: PartBundle = {
  ...sliced('web:1'),
  found: [aWorkload('Deployment', 'web', template('web:1')), service()],
  slices: [],
};
const run = aRun({
  old: { parts: [found], slices: [] },
  new: { parts: [sliced('web:2')], slices: ['blue'] },
});

let world: ActWorld;
let ports: PhasePorts;
beforeEach(async () => {
  world = await ActWorld.open();
  ports = { ...world.ports, traffic: openServiceTraffic({ cluster: world.cluster }) };
  for (const { object } of found.found ?? [])
    await world.cluster.create({
      ...(object as unknown as ClusterObject),
      metadata: { name: 'web', namespace: 'default', labels: { [managedByLabel]: 'Helm' } },
    });
  await world.node.settle();
});
afterEach(() => world.close());

const uids = async () => {
  const { items } = await world.cluster.list({ apiVersion: 'v1', kind: 'Pod' }, { namespace: 'default' });
  return items.map(({ metadata }) => [metadata.uid, metadata.labels?.[sliceLabel]] as const);
};
const selector = async () => {
  const found = await world.find('Service', 'web', 'v1');
  return (found?.['spec'] as { selector: unknown } | undefined)?.selector;
};

describe('what was running before', () => {
  it('is taken over without a pod that starts anew', async () => {
    const before = await uids();
    expect(before.map(([, slice]) => slice)).toEqual(before.map(() => undefined));
    expect(await takeFound(run, ports, emptyNotes())).toEqual({ kind: 'done' });
    await world.node.settle();
    expect(await uids()).toEqual(before.map(([uid]) => [uid, 'found']));
    for (const [kind, apiVersion] of [
      ['Deployment', 'apps/v1'],
      ['Service', 'v1'],
    ] as const)
      expect((await world.find(kind, 'web', apiVersion))?.metadata.labels?.[managedByLabel]).toBe('afloat');
    expect(await selector()).toEqual({ app: 'web' });
  });

  it('goes on alone while what comes beside it is not tested, and serves as before when that is gone', async () => {
    const before = await uids();
    await takeFound(run, ports, emptyNotes());
    await applySoftware({ ...run, owner: world.owner }, ports, emptyNotes());
    await world.node.settle();
    expect(await selector()).toEqual({ app: 'web', [sliceLabel]: 'found' });
    expect((await uids()).filter(([, slice]) => slice === 'blue')).not.toEqual([]);
    const back = { ...run, move: { ...run.move, task: 'remove' as const, side: 'new' as const } };
    for (let pass = 0; pass < 5; pass++) {
      await removeSoftware(back, ports, emptyNotes());
      await world.node.settle();
    }
    expect(await uids()).toEqual(before.map(([uid]) => [uid, 'found']));
    expect(await selector()).toEqual({ app: 'web' });
  });
});
