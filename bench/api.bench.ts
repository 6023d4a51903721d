/**
 * What the operator asks of an API server, on a real node: for the upgrade of one service (bluegreen, tested, its old version removed), and
 * while nothing is to be done.
 *
 * - Requests for each phase, by verb, of everything that goes through the port, refused ones included. The least: a phase is created, and
 *   claimed, ended and told of by its flow; an object that is made or taken away needs one request; one patch changes what a phase
 *   changes; and nothing needs to be asked for, since followers tell (one read a phase is the floor, so that there is a ratio).
 * - Idle: requests a minute while everything is as it shall be. The least is one: a follower that begins anew now and then.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { openJourneyWorld } from '../test/journeys/engine/journey-world.ts';
import { nodePlace } from '../test/kubernetes/node-place.ts';
import { CountingCluster, type WriteCounts } from './engine/counting-cluster.ts';
import { type Bench, type BenchSize, type Measure, measured } from './measure.ts';
import { withNode } from './node/with-node.ts';

const wish = (version: string) => ({ services: [{ name: 'shop', version }], soakSeconds: 0 });

async function* run(size: BenchSize): AsyncIterable<Measure> {
  const idleSeconds = size === 'full' ? 300 : 60;
  yield* withNode('api', async function* (node) {
    let counting: CountingCluster | undefined;
    const world = await openJourneyWorld(folder =>
      nodePlace(node, folder, cluster => {
        counting = new CountingCluster(cluster);
        return counting;
      }),
    );
    if (!counting) throw new TypeError('nobody counts');
    try {
      for (const version of ['1.0.0', '1.1.0'])
        world.aPackage('shop', version, { head: '1', traffic: { drainSeconds: 0 } });
      await world.apply(wish('1.0.0'));
      await world.untilFlowEnds('shop', 'operational');
      await world.untilReady();
      await world.engine.idle();

      const before = taken(counting);
      await world.apply(wish('1.1.0'));
      const flow = await world.untilFlowEnds('shop', 'operational');
      await world.untilReady();
      await world.engine.idle();
      const phases = flow.status?.moves?.length ?? 0;
      yield* byVerb(minus(taken(counting), before), phases);

      const quiet = taken(counting);
      await pause(idleSeconds * 1000);
      const idle = total(minus(taken(counting), quiet));
      yield measured({
        ...{ measure: 'requests a minute, nothing to be done', value: (idle * 60) / idleSeconds },
        ...{ unit: 'requests', against: 'one', floor: 1, goal: 30 },
      });
    } finally {
      await world.close();
    }
  });
}

/** What each kind of request costs at least, for one phase, and how many times that it may. */
const verbs = [
  { measure: 'objects made and taken away', verbs: ['create', 'delete'], floor: 2, goal: 3 },
  { measure: 'changes of status', verbs: ['updateStatus'], floor: 3, goal: 8 },
  { measure: 'changes of objects', verbs: ['patch', 'update'], floor: 1, goal: 8 },
  { measure: 'reads of one object', verbs: ['get'], floor: 1, goal: 100 },
  { measure: 'reads of lists', verbs: ['list', 'watch'], floor: 1, goal: 60 },
] as const;

function* byVerb(counts: WriteCounts, phases: number): Iterable<Measure> {
  for (const { measure, verbs: all, floor, goal } of verbs) {
    const those = [...counts].filter(([what]) => all.some(verb => what.endsWith(` ${verb}`)));
    yield measured({
      ...{ measure: `${measure}, for each phase`, value: total(new Map(those)) / phases, unit: 'requests' },
      ...{ against: 'the least', floor, goal },
    });
  }
}

function taken({ counts, reads }: CountingCluster): WriteCounts {
  return new Map([...counts, ...reads]);
}

function minus(after: WriteCounts, before: WriteCounts): WriteCounts {
  return new Map([...after].map(([key, count]) => [key, count - (before.get(key) ?? 0)]));
}

function total(counts: WriteCounts): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

export const bench: Bench = { name: 'api', run };
