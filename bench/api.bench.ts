/**
 * What the operator asks of an API server, on a real node: for the upgrade of one service (bluegreen, tested, its old version removed), and
 * while nothing is to be done. Requests for each phase, by verb, of everything that goes through the port, refused ones included, against
 * what one that knew everything beforehand would ask for in the same run:
 *
 * - an object that came or went is one request, and an object that was changed is one: those of this very run are counted;
 * - a phase is claimed and ended, and its flow tells of each; plan and record tell of beginning and end: that many statuses;
 * - what is followed need not be read. Secrets are not followed, and each that was needed is read once; beside them every phase looks once
 *   before it says that it is done, for what is followed may be late.
 * - Idle: kinds that are followed are followed anew every five to ten minutes, each with one request.
 *
 * Goals are ratios to that. Writes are what others wait for, and may be twice the least, statuses three times: they tell progress too. Reads
 * are cheap, and made anew in every pass that does something or ends a phase; passes that only wait go by what is followed.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { openJourneyWorld } from '../test/journeys/engine/journey-world.ts';
import { nodePlace } from '../test/kubernetes/node-place.ts';
import { CountingCluster, noneTouched, type Touched, type WriteCounts } from './engine/counting-cluster.ts';
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
      forget(counting.touched);
      await world.apply(wish('1.1.0'));
      const flow = await world.untilFlowEnds('shop', 'operational');
      await world.untilReady();
      await world.engine.idle();
      const phases = flow.status?.moves?.length ?? 0;
      const counts = minus(taken(counting), before);
      sayCounts(counts);
      yield* byVerb(counts, counting.touched, phases);

      const quiet = taken(counting);
      await pause(idleSeconds * 1000);
      const idle = minus(taken(counting), quiet);
      sayCounts(idle);
      yield measured({
        ...{ measure: 'requests a minute, nothing to be done', value: (total(idle) * 60) / idleSeconds },
        ...{ unit: 'requests', against: 'following anew', floor: followedKinds / refollowMinutes, goal: 5 },
      });
    } finally {
      await world.close();
    }
  });
}

/** What the engine follows: its own kinds, and those that its services are made of. */
const followedKinds = 22;
/** A server ends a watch after five to ten minutes. */
const refollowMinutes = 7.5;

/** What each kind of request costs at least in this run, and how many times that it may. */
const verbs = [
  {
    ...{ measure: 'objects made and taken away', verbs: ['create', 'delete'], goal: 2 },
    least: ({ made, removed }: Touched) => made.size + removed.size,
  },
  {
    ...{ measure: 'changes of objects', verbs: ['patch', 'update'], goal: 2 },
    least: ({ changed }: Touched) => changed.size,
  },
  {
    ...{ measure: 'changes of status', verbs: ['updateStatus'], goal: 3 },
    least: (_: Touched, phases: number) => 3 * phases + 4, // claim, end, and the flow for each; plan and record twice
  },
  {
    ...{ measure: 'reads', verbs: ['get', 'list', 'watch'], goal: 20 },
    least: ({ read }: Touched, phases: number) =>
      phases + [...read].filter(place => place.startsWith('Secret ')).length,
  },
] as const;

function* byVerb(counts: WriteCounts, touched: Touched, phases: number): Iterable<Measure> {
  for (const { measure, verbs: all, goal, least } of verbs) {
    const those = [...counts].filter(([what]) => all.some(verb => what.endsWith(` ${verb}`)));
    yield measured({
      ...{ measure: `${measure}, for each phase`, value: total(new Map(those)) / phases, unit: 'requests' },
      ...{ against: 'the least of this run', floor: least(touched, phases) / phases, goal },
    });
  }
}

function forget(touched: Touched): void {
  for (const name of Object.keys(noneTouched()) as (keyof Touched)[]) touched[name].clear();
}

/** What was asked for, the most first: where to look when a number is high. */
function sayCounts(counts: WriteCounts): void {
  const lines = [...counts].filter(([, count]) => count > 0).toSorted(([, a], [, b]) => b - a);
  for (const [what, count] of lines) process.stderr.write(`  ${count} ${what}\n`);
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
