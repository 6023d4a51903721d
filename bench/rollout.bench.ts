/**
 * What clients lose and how long it takes when a service of two replicas gets a new version, on a real node, under the same clients: by us
 * (bluegreen: the new one beside the old, tested, then given traffic, the old one drained and removed), and by a plain Deployment that
 * `kubectl set image` changes, without and with a sleep before its Pods end.
 *
 * The program and its images are the same for all; it has no database and no pre-flight check, which a plain Deployment does not have
 * either. Half of the clients keep their connections; every request whose answer is not the expected one counts as failed. The sleep is as
 * long as we wait at least before a slice counts as drained.
 *
 * Time is the same stretch for all: it begins with the write of who wants the change (the record by us, `kubectl set image` plainly) and ends
 * when the last Pod of the version before is gone, which is after the new one has all traffic and the old one had its time to finish. In
 * ours lie also what a plain rollout does not do: the plan and its approval, the test of the new version by a Job at an address of its own
 * before any client meets it, and the wait for the old one to be seen out. What follows, the bookkeeping of the flow, is waited for and
 * checked, but not measured.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { compareText } from '../src/base/json.ts';
import type { PhaseObject } from '../src/controller/our-objects.ts';
import { type JourneyWorld, openJourneyWorld } from '../test/journeys/engine/journey-world.ts';
import { nodePlace } from '../test/kubernetes/node-place.ts';
import { rollOutPlainly } from '../test/kubernetes/plain-rollout.ts';
import { kubectlOf } from '../test/kubernetes/run-kubectl.ts';
import { type Bench, type BenchSize, type Measure, measured, median } from './measure.ts';
import { withNode } from './node/with-node.ts';

const pace = { clients: 4, perSecond: 60 };
const replicas = 2;
const preStopSeconds = 3;

interface Rolled {
  readonly requests: number;
  readonly failed: number;
  readonly seconds: number;
}

async function* run(size: BenchSize): AsyncIterable<Measure> {
  const rounds = size === 'full' ? 5 : 1;
  yield* withNode('rollout', async function* (node) {
    const world = await openJourneyWorld(folder => nodePlace(node, folder));
    try {
      const kubectl = kubectlOf(node, world.namespace);
      const images = ['1.0.0', '1.1.0'].map(version => `journey/ours:${version}`) as [string, string];
      await install(world);
      const ours: Rolled[] = [];
      const plain: Rolled[] = [];
      const slept: Rolled[] = [];
      const plainly = async (name: string, more: object) => {
        const wish = { name, from: images[0], to: images[1], replicas, pace, ...more };
        const { counts, seconds } = await rollOutPlainly(world, kubectl, wish);
        return { requests: counts.requests, failed: counts.failed, seconds };
      };
      for (let round = 0; round < rounds; round++) {
        ours.push(await upgrade(world, round % 2 === 0 ? '1.1.0' : '1.0.0'));
        plain.push(await plainly(`plain-${round}`, {}));
        slept.push(await plainly(`slept-${round}`, { preStopSeconds }));
      }
      yield* measuresOf(ours, plain, slept);
    } finally {
      await world.close();
    }
  });
}

function* measuresOf(
  ours: readonly Rolled[],
  plain: readonly Rolled[],
  slept: readonly Rolled[],
): Iterable<Measure> {
  const sum = (all: readonly Rolled[], of: 'failed' | 'requests') =>
    all.reduce((total, one) => total + one[of], 0);
  const time = (all: readonly Rolled[]) => median(all.map(({ seconds }) => seconds));
  for (const [measure, all, goal] of [
    ['requests that failed, by us', ours, 0],
    ['requests that failed, plain Deployment', plain, 1],
    ['requests that failed, plain Deployment that sleeps before it ends', slept, 1],
  ] as const)
    yield measured({
      ...{ measure, value: sum(all, 'failed'), unit: 'requests' },
      ...{ against: 'all requests', floor: sum(all, 'requests'), goal },
    });
  yield measured({
    ...{ measure: 'time to the new version alone', value: time(ours), unit: 's' },
    ...{ against: 'plain Deployment that sleeps before it ends', floor: time(slept), goal: 1.5 },
  });
}

const wish = (version: string) => ({ services: [{ name: 'ours', version }], soakSeconds: 0 });

async function install(world: JourneyWorld): Promise<void> {
  mkdirSync(join(world.data.folder, 'ours')); // its rows
  for (const version of ['1.0.0', '1.1.0'])
    world.aPackage('ours', version, {
      ...{ replicas, data: 'none', lifecycle: { preflight: [] } },
      traffic: { drainSeconds: 0, stepSeconds: 0 },
    });
  await world.apply(wish('1.0.0'));
  await world.untilFlowEnds('ours', 'operational');
}

async function upgrade(world: JourneyWorld, version: string): Promise<Rolled> {
  const load = await world.load('ours', pace);
  await world.until('clients at work', async () => load.counts().requests > pace.perSecond);
  const before = new Set((await world.pods('ours')).map(({ metadata }) => metadata.uid));
  // Its package is in the cluster since the install, as the images of both are on the node.
  const [start, startedAt] = [performance.now(), Date.now()];
  await world.putRecord(wish(version));
  await world.until('the end of the old Pods', async () =>
    (await world.pods('ours')).every(({ metadata }) => !before.has(metadata.uid)),
  );
  const seconds = (performance.now() - start) / 1000;
  const { metadata } = await world.untilFlowEnds('ours', 'operational');
  await load.stop();
  sayMoves(await world.phases(metadata.name), startedAt);
  return { requests: load.counts().requests, failed: load.counts().failed, seconds };
}

/** Where the time went: when each move began and ended, in seconds from the write of the record. */
function sayMoves(phases: readonly PhaseObject[], since: number): void {
  const seconds = (time = '') => ((Date.parse(time) - since) / 1000).toFixed(1);
  const inOrder = phases.toSorted((a, b) =>
    compareText(a.status?.startedAt ?? '', b.status?.startedAt ?? ''),
  );
  for (const { spec, status } of inOrder)
    process.stderr.write(
      `  ${spec.move?.id}: ${seconds(status?.startedAt)} to ${seconds(status?.finishedAt)} s\n`,
    );
}

export const bench: Bench = { name: 'rollout', run };
