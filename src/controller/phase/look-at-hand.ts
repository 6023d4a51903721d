import { ClusterError } from '../../cluster/cluster-error.ts';
import type { PhaseOutcome, PhasePorts } from '../../phase/phase-run.ts';
import type { Route, Traffic } from '../../traffic/traffic.ts';
import type { EngineWorld } from '../engine-world.ts';
import { FollowedCluster } from '../runtime/followed-cluster.ts';
import { workTypes } from './work-types.ts';

/**
 * What a pass comes to by what is at hand of the cluster, where that is only that something is still waited for: hardly a request, and a
 * change of what it waits for brings the next pass. Undefined where there is anything to do, or anything else to say: that is decided by what
 * the cluster itself says at that moment, in a pass that follows. Changes nothing.
 */
export async function lookAtHand(
  { reconciling, drivers, traffic }: Pick<EngineWorld, 'reconciling' | 'drivers' | 'traffic'>,
  ports: PhasePorts,
  pass: (ports: PhasePorts) => Promise<PhaseOutcome>,
): Promise<PhaseOutcome | undefined> {
  let wouldAct = false;
  const notYet = async () => {
    wouldAct = true;
    return false;
  };
  const cluster = new FollowedCluster(ports.cluster, reconciling, workTypes, notYet);
  const held = heldBack(traffic(cluster), notYet);
  const atHand = { cluster, drivers: drivers(cluster), traffic: held, warmUp: notYet };
  try {
    const seen = await pass({ ...ports, ...atHand });
    return seen.outcome.kind === 'wait' && !wouldAct ? seen : undefined;
  } catch {
    // A write that was not let through, or something that the pass which follows meets too.
    return undefined;
  }
}

/** Traffic that writes to nothing but the cluster, which is held back by itself: routers of their own are written to beside it. */
function heldBack(traffic: Traffic, notYet: () => Promise<boolean>): Traffic {
  const inCluster = async <T>({ router = 'service' }: Route, write: () => Promise<T>): Promise<T> => {
    if (router === 'service') return write();
    await notYet();
    throw new ClusterError('ServiceUnavailable', `${router} is not written to by who only looks`);
  };
  return {
    observe: route => traffic.observe(route),
    wouldServe: (route, slice) => traffic.wouldServe(route, slice),
    ensure: (route, object) => inCluster(route, () => traffic.ensure(route, object)),
    setWeights: (route, weights) => inCluster(route, () => traffic.setWeights(route, weights)),
    preview: (route, slice) => inCluster(route, () => traffic.preview(route, slice)),
    removePreview: (route, slice) => inCluster(route, () => traffic.removePreview(route, slice)),
    remove: route => inCluster(route, () => traffic.remove(route)),
  };
}
