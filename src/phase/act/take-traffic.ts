import type { TrafficReport } from '../../traffic/traffic.ts';
import type { PartRoute } from '../object/routes.ts';
import { sideObjects } from '../object/side-objects.ts';
import { slicesOfMove } from '../object/slices.ts';
import { slicesOfWay, waysOf } from '../object/ways.ts';
import {
  type Act,
  done,
  type Notes,
  type Outcome,
  type PhasePorts,
  type PhaseRun,
  sideOf,
} from '../phase-run.ts';
import { decideDrain } from '../traffic/decide-drain.ts';
import { sayWeights } from './give-traffic.ts';
import { listedTasks } from './listed-tasks.ts';
import { runTasks } from './run-task.ts';
import { beginWatching, noteStep, type WatchedTraffic, watchOut, watchTraffic } from './watch-traffic.ts';

/**
 * Takes traffic from the slices of the move: nothing new comes to them, and what is in flight is waited for. At the deadline nothing is
 * cut unless the package or a person accepts it; the slice stays until its work ends, and the status says how many are left.
 */
export const takeTraffic: Act = async (run, ports, notes) => {
  const side = sideOf(run);
  const objects = sideObjects(side, slicesOfMove(run, side));
  const tasks = await runTasks(run, ports, notes, listedTasks(objects, 'trafficdrain'));
  if (tasks.kind !== 'done') return tasks;
  const ways = waysOf(run, side);
  const reports = await Promise.all(ways.map(({ route }) => ports.traffic.observe(route)));
  const begins = ways.length > 0 ? beginWatching(run, notes, reports) : undefined;
  if (begins) return begins;
  const seen = watchTraffic(run, notes, reports);
  const isOut = ways.every((way, index) =>
    slicesOfWay(run, side, way).every(slice => reports[index]?.slices[slice]?.out !== 'no'),
  );
  const elapsedOut = watchOut(run, notes, isOut);
  let open: Outcome = done;
  for (const [index, way] of ways.entries()) {
    const slices = slicesOfWay(run, side, way);
    const outcome = await drainOne({
      run,
      ports,
      notes,
      way,
      slices,
      report: reports[index] as TrafficReport,
      seen,
      elapsedOut,
    });
    if (outcome.kind === 'wait') open = outcome;
  }
  return open;
};

interface OneDrain {
  readonly run: PhaseRun;
  readonly ports: PhasePorts;
  readonly notes: Notes;
  readonly way: PartRoute;
  readonly slices: readonly string[];
  readonly report: TrafficReport;
  readonly seen: WatchedTraffic;
  readonly elapsedOut: number;
}

async function drainOne(scope: OneDrain): Promise<Outcome> {
  const { run, ports, notes, way, slices, report, seen, elapsedOut } = scope;
  const { drainSeconds, settleSeconds, cutsAtDeadline } = way.rules;
  const { service } = way.route;
  const decision = decideDrain({
    report,
    slices,
    elapsed: seen.elapsedInStep,
    elapsedOut,
    ...{ drainSeconds, settleSeconds, cutsAtDeadline },
    ...(run.cutsAtMost > 0 ? { canBeCut: run.cutsAtMost } : {}),
  });
  if ('done' in decision) return done;
  if ('overdue' in decision)
    return {
      kind: 'wait',
      reason: 'DrainOverdue',
      message: `${service}: ${decision.message}`,
      afterSeconds: decision.wait,
    };
  if ('wait' in decision)
    return {
      kind: 'wait',
      reason: 'Draining',
      message: `${service}: ${decision.because}`,
      afterSeconds: decision.wait,
    };
  await ports.traffic.setWeights(way.route, decision.set);
  noteStep(run, notes, decision.set);
  const message = `${service}: traffic goes to ${sayWeights(decision.set)}`;
  return { kind: 'wait', reason: 'Draining', message, afterSeconds: 0 };
}
