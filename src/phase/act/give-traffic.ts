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
  type VersionSide,
} from '../phase-run.ts';
import { decideRollout } from '../traffic/decide-rollout.ts';
import { weightsOf } from '../traffic/decision.ts';
import { rolledOut } from './apply-software.ts';
import { listedTasks } from './listed-tasks.ts';
import { comesBack, longestTroubleSeconds } from './node-trouble.ts';
import { runTasks } from './run-task.ts';
import { beginWatching, noteStep, type WatchedTraffic, watchTraffic } from './watch-traffic.ts';

/**
 * Gives traffic to the slices of the move, share by share where the router can weigh, watched all the while. Giving it back to the
 * version that served before is done at once: it needs no proof.
 */
export const giveTraffic: Act = async (run, ports, notes) => {
  const side = sideOf(run);
  const exposed = await expose(run, ports, notes, side);
  if (exposed.kind !== 'done') return exposed;
  const ways = waysOf(run, side);
  const reports = await Promise.all(ways.map(({ route }) => ports.traffic.observe(route)));
  const begins = ways.length > 0 ? beginWatching(run, notes, reports) : undefined;
  if (begins) return begins;
  const seen = watchTraffic(run, notes, reports);
  let open: Outcome = done;
  for (const [index, way] of ways.entries()) {
    const report = reports[index] as TrafficReport;
    const outcome = await oneWay({ run, ports, notes, side, way, report, seen });
    if (outcome.kind === 'failed') return outcome;
    if (outcome.kind === 'wait') open = outcome;
  }
  return open;
};

/** How long a new slice may have no address that is ready. Its software has rolled out: it was ready before. */
const patienceSeconds = 30;

/** The same where a service that was to go is given its clients back, and may have been dead before. */
const returnPatienceSeconds = 300;

/** What a package brings only when it takes traffic: what exposes it, and tasks of that phase. */
async function expose(run: PhaseRun, ports: PhasePorts, notes: Notes, side: VersionSide): Promise<Outcome> {
  const objects = sideObjects(side, slicesOfMove(run, side));
  const exposing = objects.filter(one => one.role === 'workload' && one.phases.includes('trafficrollout'));
  for (const { object } of exposing) await ports.drivers.for(object).apply(object);
  const rolled = await rolledOut(run, ports, notes, exposing);
  if (rolled.kind !== 'done') return rolled;
  return runTasks(run, ports, notes, listedTasks(objects, 'trafficrollout'));
}

interface OneWay {
  readonly run: PhaseRun;
  readonly ports: PhasePorts;
  readonly notes: Notes;
  readonly side: VersionSide;
  readonly way: PartRoute;
  readonly report: TrafficReport;
  readonly seen: WatchedTraffic;
}

async function oneWay(scope: OneWay): Promise<Outcome> {
  const { run, ports, notes, side, way, report, seen } = scope;
  const slices = slicesOfWay(run, side, way);
  const before = weightsOf(report);
  const others = Object.fromEntries(Object.entries(before).filter(([slice]) => !slices.includes(slice)));
  const warm = await warmUp(scope, slices, before);
  if (warm.kind !== 'done') return warm;
  const isReturn = run.move.side === 'old';
  const { weights, stepSeconds, maxErrorPercent } = way.rules;
  const isOneOfMany = run.move.slice !== undefined;
  const decision = decideRollout({
    report,
    from: others,
    slices,
    plan: isReturn
      ? { weights: [], stepSeconds: 0, maxErrorPercent: 100 }
      : { weights, stepSeconds, maxErrorPercent },
    elapsedInStep: seen.elapsedInStep,
    watched: isReturn ? undefined : seen.watched,
    ...patience(run),
    ...(isOneOfMany
      ? { finalPercent: (100 * slices.length) / (slices.length + Object.keys(others).length) }
      : {}),
  });
  if ('done' in decision) return done;
  if ('failed' in decision) {
    const mayCome =
      decision.failed === 'NotReady' && seen.elapsedInStep < stepSeconds + longestTroubleSeconds;
    const comes = mayCome ? await comesBack(run, ports, slices) : undefined;
    return comes ?? { kind: 'failed', reason: decision.failed, message: decision.message };
  }
  if ('wait' in decision) {
    const message = `${way.route.service}: ${decision.because}`;
    return { kind: 'wait', reason: 'TrafficMoving', message, afterSeconds: decision.wait };
  }
  await ports.traffic.setWeights(way.route, decision.set);
  noteStep(run, notes, decision.set);
  const message = `${way.route.service}: shares were set to ${sayWeights(decision.set)}`;
  return { kind: 'wait', reason: 'TrafficMoving', message, afterSeconds: 0 };
}

/** Who served is waited for as long as it takes, unless it was to go. */
function patience({ move, step }: PhaseRun): { readonly patienceSeconds?: number } {
  if (move.side !== 'old') return { patienceSeconds };
  return step.flow === 'uninstall' ? { patienceSeconds: returnPatienceSeconds } : {};
}

/** A slice that takes no traffic yet is asked once before clients do: some programs fail their first requests. */
async function warmUp(
  { run, ports, way }: OneWay,
  slices: readonly string[],
  now: Readonly<Record<string, number>>,
): Promise<Outcome> {
  const { warmUp: path } = way.rules;
  if (path === undefined || run.move.side === 'old') return done;
  for (const slice of slices) {
    if ((now[slice] ?? 0) > 0) continue;
    const preview = await ports.traffic.preview(way.route, slice);
    const [port] = preview?.ports ?? [];
    if (preview && port && (await ports.warmUp(`http://${preview.address}:${port.port}${path}`))) continue;
    const message = `Slice ${slice} of ${way.route.service} is warmed up with ${path}.`;
    return { kind: 'wait', reason: 'WarmingUp', message, afterSeconds: 1 };
  }
  return done;
}

/** `blue 90, green 10`; nobody where there is none. */
export function sayWeights(weights: Readonly<Record<string, number>>): string {
  const named = Object.entries(weights).filter(([, weight]) => weight > 0);
  return named.length === 0 ? 'nobody' : named.map(([slice, weight]) => `${slice} ${weight}`).join(', ');
}
