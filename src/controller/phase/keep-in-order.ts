import type { OperationalStatus } from '../../api/phase-kinds.ts';
import { observeWays, sayWays } from '../../phase/act/observe-ways.ts';
import { repairDrift } from '../../phase/act/repair-drift.ts';
import { repairTraffic } from '../../phase/act/repair-traffic.ts';
import { onlySlice } from '../../phase/object/slices.ts';
import type { Again } from '../../reconcile/work-queue.ts';
import type { EngineWorld } from '../engine-world.ts';
import { stateOfService } from '../flow/flow-scope.ts';
import { isStuck, type ServiceState } from '../observe/service-state.ts';
import { type FlowObject, one, type PhaseObject } from '../our-objects.ts';
import { tellEvent } from '../runtime/events.ts';
import { FollowedCluster } from '../runtime/followed-cluster.ts';
import { portsOf } from './carry-out-phase.ts';
import { isKeeper } from './is-keeper.ts';
import { keepSchedules } from './keep-schedules.ts';
import { phaseRunOf } from './phase-run-of.ts';
import { tellWays } from './tell-ways.ts';
import { workTypes } from './work-types.ts';

/** Most changes are told by the objects themselves; kinds that are not followed (Secrets, budgets, others' kinds) are looked at so often. */
const lookForDriftSeconds = 60;

/**
 * A service that is operational is kept as its revision says. The phase that settled it last does that, as long as no flow changes it:
 * a flow that only soaks does not. Where a person must look first, everything stays as it was left. Who answers clients is looked at all
 * the while: what serves may die by itself at any moment.
 */
export async function keepInOrder(world: EngineWorld, object: PhaseObject): Promise<Again> {
  const { move, openstackServiceName } = object.spec;
  const { namespace = '' } = object.metadata;
  if (!move || !isKeeper(object)) return undefined;
  const state = stateOfService(world, namespace, openstackServiceName);
  const flow = one<FlowObject>(world.flows, namespace, move.oslc);
  const keeps = flow !== undefined && move.id.startsWith('main/') && broughtWhatRuns(flow, state);
  const run = keeps ? await phaseRunOf(world, object) : undefined;
  if (!run) {
    await tellWays(world, object, undefined);
    return undefined;
  }
  const ports = portsOf(world, run);
  // Looked at with every change of a Pod or an endpoint: they are at hand, and before anything is written the cluster itself is asked.
  const atHand = new FollowedCluster(ports.cluster, world.reconciling, workTypes);
  const seen = await observeWays(run, { ...ports, traffic: world.traffic(atHand) });
  const { ways } = (object.status ?? {}) as OperationalStatus;
  const told = await tellWays(world, object, sayWays(run, seen, ways));
  if ((state.running && !state.soaking) || isStuck(state)) return { afterSeconds: lookForDriftSeconds };
  for (const what of [...(await repairDrift(run, ports, atHand)), ...(await repairTraffic(seen, ports))]) {
    const message = `${what} was changed by somebody else and is as the revision says again`;
    const key = `${what} ${run.now}`;
    await tellEvent(
      world.reconciling,
      object,
      { type: 'Normal', reason: 'DriftRepaired', message, key },
      run.now,
    );
  }
  const dueSeconds = await keepSchedules(world, told, run, ports);
  return { afterSeconds: Math.min(dueSeconds, lookForDriftSeconds) };
}

/** Whether the parts a flow brought are those that run, in the slices it brought them in. */
function broughtWhatRuns({ status }: FlowObject, { current }: ServiceState): boolean {
  const { manifests = [], newSlices = [] } = status ?? {};
  const own = (current?.spec.parts ?? []).filter(part =>
    part.manifests.some(name => manifests.includes(name)),
  );
  const kept = new Set(own.flatMap(part => part.manifests));
  return (
    manifests.length > 0 &&
    manifests.every(name => kept.has(name)) &&
    own.every(({ slices }) => slices.every(slice => slice === onlySlice || newSlices.includes(slice)))
  );
}
