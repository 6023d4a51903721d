import { type Clock, systemClock } from '../cluster/clock.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { Reconciling } from '../reconcile/reconcile.ts';
import type { WorkQueue } from '../reconcile/work-queue.ts';
import type { EnginePorts, EngineWorld } from './engine-world.ts';
import { flowController } from './flow/flow-controller.ts';
import { Manifests } from './flow/flow-sides.ts';
import { flowIndexes, phaseIndexes, planIndexes, revisionIndexes } from './indexes.ts';
import { flowType, phaseTypes, planType, recordType, revisionType } from './our-objects.ts';
import { phaseController } from './phase/phase-controller.ts';
import { planController } from './plan/plan-controller.ts';
import { recordController } from './record/record-controller.ts';
import { epochIn, epochRef, takeEpoch } from './runtime/epoch.ts';

export interface EngineOptions {
  readonly cluster: Cluster;
  readonly ports: EnginePorts;
  /** Stops it: passes that run come to their end, and nothing begins any more. */
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  /** Told of everything that went wrong and is tried again. */
  readonly onTrouble?: (doing: string, error: unknown, waitSeconds?: number) => void;
}

/** A manager at work. */
export interface Engine {
  /** Nothing waits for a pass and none runs; what is planned for later does not count. */
  idle(): Promise<void>;
  /** After the signal: this process does nothing more. */
  readonly ended: Promise<void>;
  readonly epoch: number;
}

/** Starts to carry out records. Returns when everything that is there is known and worked on. */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const { cluster, ports, signal, clock = systemClock, onTrouble = () => {} } = options;
  const epoch = await takeEpoch(cluster);
  const reconciling = new Reconciling(cluster, { signal, clock, onTrouble });
  const world: EngineWorld = {
    ...ports,
    ...{ cluster, reconciling, clock, epoch },
    manifests: new Manifests(cluster),
    records: reconciling.informer(recordType),
    plans: reconciling.informer(planType, planIndexes),
    flows: reconciling.informer(flowType, flowIndexes),
    revisions: reconciling.informer(revisionType, revisionIndexes),
    phases: phaseTypes.map(type => reconciling.informer(type, phaseIndexes)),
  };
  const controllers = [recordController, planController, flowController, phaseController].map(make =>
    make(world),
  );
  for (const { watches } of controllers) for (const { type } of watches) reconciling.informer(type);
  const epochs = reconciling.informer({ apiVersion: epochRef.apiVersion, kind: epochRef.kind });
  // One that was relieved and hears of it does nothing more: the next one does it.
  const isRelieved = () => epochIn(epochs.get(epochRef.namespace, epochRef.name)) > epoch;
  await reconciling.start();
  const queues = controllers.map(controller =>
    reconciling.run({
      ...controller,
      pass: async key => (isRelieved() ? undefined : controller.pass(key)),
    }),
  );
  return { epoch, idle: () => allIdle(queues), ended: untilStopped(signal, reconciling) };
}

/** One queue may fill another: idle are all of them only when none has anything in one look. */
async function allIdle(queues: readonly WorkQueue[]): Promise<void> {
  for (let round = 0; round < 2; round++) for (const queue of queues) await queue.idle();
}

async function untilStopped(signal: AbortSignal, reconciling: Reconciling): Promise<void> {
  if (!signal.aborted)
    await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }));
  await reconciling.ended();
}
