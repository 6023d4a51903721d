import { isReason } from '../../cluster/cluster-error.ts';
import { slicesOfWay, waysOf } from '../object/ways.ts';
import type { Outcome, PhasePorts, PhaseRun, VersionSide } from '../phase-run.ts';
import { weightsOf } from '../traffic/decision.ts';

/**
 * Sees to it, before the pods of a move are made, that no router leads clients to them before their test: who is served now goes on alone.
 * Where a router cannot say that, the reason why they must not be made; undefined where they may.
 */
export async function keepOutUntested(
  run: PhaseRun,
  ports: PhasePorts,
  side: VersionSide,
): Promise<Outcome | undefined> {
  for (const way of waysOf(run, side))
    for (const slice of slicesOfWay(run, side, way)) {
      if (!(await ports.traffic.wouldServe(way.route, slice))) continue;
      const now = weightsOf(await ports.traffic.observe(way.route));
      try {
        await ports.traffic.setWeights(way.route, { ...now, [slice]: 0 });
      } catch (error) {
        if (!isReason(error, 'Invalid')) throw error;
        return wouldServe(slice, way.route.service, Object.keys(now));
      }
    }
  return undefined;
}

function wouldServe(slice: string, service: string, served: readonly string[]): Outcome {
  const message = `Clients would meet slice ${slice} before its test: Service ${service} leads to slices ${served.join(', ')} and cannot leave out one more. Let this change go by bluegreen where one slice serves before it, and by recreate where several do.`;
  return { kind: 'failed', reason: 'SliceWouldServe', message };
}
