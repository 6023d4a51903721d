import type { TrafficReport } from '../../traffic/traffic.ts';
import { noSoonerThanSeen } from '../deadlines.ts';
import { slicesOfWay, waysOf } from '../object/ways.ts';
import { type Act, done, type Outcome, sideOf } from '../phase-run.ts';
import { decideSoak } from '../traffic/decide-soak.ts';
import type { Decision } from '../traffic/decision.ts';
import { comesBack } from './node-trouble.ts';
import { beginWatching, watchOut, watchTraffic } from './watch-traffic.ts';

/** Keeps the old version beside the new one, which is watched: more errors than its package allows bring traffic back by themselves. */
export const soak: Act = async (run, ports, notes) => {
  const side = sideOf(run);
  const ways = waysOf(run, side);
  const { soakSeconds } = run.step;
  const soakUntil = noSoonerThanSeen(run, run.soakUntil ?? run.startedAt + soakSeconds * 1000, soakSeconds);
  if (ways.length === 0) return waitFor(soakUntil, run.now, run.endSoak);
  const reports = await Promise.all(ways.map(({ route }) => ports.traffic.observe(route)));
  const begins = beginWatching(run, notes, reports);
  if (begins) return begins;
  const seen = watchTraffic(run, notes, reports);
  const decided = ways.map((way, index) => {
    const slices = slicesOfWay(run, side, way);
    const decision = decideSoak({
      report: reports[index] as TrafficReport,
      slices,
      elapsed: soakSeconds - (soakUntil - run.now) / 1000,
      soakSeconds,
      watched: seen.watched,
      maxErrorPercent: way.rules.maxErrorPercent,
      endNow: run.endSoak,
    });
    return { slices, decision };
  });
  const goneSeconds = watchOut(run, notes, decided.some(isGone));
  let open: Outcome = done;
  for (const { slices, decision } of decided) {
    if ('failed' in decision) {
      const mayCome = isGone({ decision }) && goneSeconds < patienceSeconds;
      const comes = mayCome ? await comesBack(run, ports, slices) : undefined;
      return comes ?? { kind: 'failed', reason: decision.failed, message: decision.message };
    }
    if ('wait' in decision)
      open = { kind: 'wait', reason: 'Soaking', message: decision.because, afterSeconds: decision.wait };
  }
  return open;
};

/**
 * Nodes that are heard of again tell of their pods one after the other, within ten seconds: for so long the old slice may answer alone without
 * being given the traffic back. No longer: clients wait.
 */
const patienceSeconds = 15;

function isGone({ decision }: { readonly decision: Decision }): boolean {
  return 'failed' in decision && decision.failed === 'NotReady';
}

function waitFor(until: number, now: number, endNow: boolean): Outcome {
  const left = (until - now) / 1000;
  if (endNow || left <= 0) return done;
  return {
    kind: 'wait',
    reason: 'Soaking',
    message: 'The old version is kept beside the new one until the soak is over.',
    afterSeconds: left,
  };
}
