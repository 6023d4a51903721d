import { type Clock, systemClock } from '../cluster/clock.ts';
import type { Cluster, ObjectType } from '../cluster/cluster.ts';
import type { Informer } from '../reconcile/informer.ts';
import { type EndedPass, Reconciling } from '../reconcile/reconcile.ts';
import type { WorkQueue } from '../reconcile/work-queue.ts';
import type { EnginePorts, EngineWorld } from './engine-world.ts';
import { flowController } from './flow/flow-controller.ts';
import { Manifests } from './flow/flow-sides.ts';
import { flowIndexes, phaseIndexes, planIndexes, revisionIndexes } from './indexes.ts';
import { flowType, phaseTypes, planType, recordType, revisionType } from './our-objects.ts';
import { phaseController } from './phase/phase-controller.ts';
import { planController } from './plan/plan-controller.ts';
import { recordController } from './record/record-controller.ts';
import { clusterHome, epochIn, epochRef, takeEpoch } from './runtime/epoch.ts';

export interface EngineOptions {
  readonly cluster: Cluster;
  readonly ports: EnginePorts;
  /** Stops it: passes that run come to their end, and nothing begins any more. */
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  /** Told of everything that went wrong and is tried again. */
  readonly onTrouble?: (doing: string, error: unknown, waitSeconds?: number) => void;
  /** Told of every pass that has ended. */
  readonly onPass?: (pass: EndedPass) => void;
  /** Told, once, that a newer manager is there: this one does nothing more. */
  readonly onRelieved?: () => void;
  /** Works on the records of this namespace only; on those of all where it is absent. */
  readonly namespace?: string;
  /**
   * Follows Secrets, so that a change of one is noticed at once: the default. It takes the right to read all of them, and the room to keep
   * them. Without it those that records name are looked at every minute.
   */
  readonly followsSecrets?: boolean;
  /** Before a plan is made it is asked what the account of the record may not do: where accounts have rights of their own. */
  readonly checksRights?: boolean;
  /** Kinds that packages bring and whose changes are told too. One that the cluster does not have is followed when it has. */
  readonly follows?: readonly ObjectType[];
}

/** A manager at work. */
export interface Engine {
  /** Nothing waits for a pass and none runs; what is planned for later does not count. */
  idle(): Promise<void>;
  /** After the signal: this process does nothing more. */
  readonly ended: Promise<void>;
  readonly epoch: number;
  /** What is known of the clouds it looks after. */
  readonly known: Pick<EngineWorld, 'records' | 'plans' | 'flows'>;
  /** How many keys wait for a pass, by controller. */
  depths(): Readonly<Record<string, number>>;
}

/** Starts to carry out records. Returns when everything that is there is known and worked on. */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const { cluster, ports, signal, clock = systemClock, onTrouble = () => {}, onPass, namespace } = options;
  const { followsSecrets = true, follows = [], checksRights = false } = options;
  const home = namespace ?? clusterHome;
  const epoch = await takeEpoch(cluster, namespace);
  const reconciling = new Reconciling(cluster, {
    ...{ signal, clock, onTrouble },
    ...(onPass ? { onPass } : {}),
    ...(namespace === undefined ? {} : { namespace }),
  });
  const world: EngineWorld = {
    ...ports,
    ...{ cluster, reconciling, clock, epoch, home, followsSecrets, follows, checksRights },
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
  for (const type of follows) reconciling.lateInformer(type);
  for (const { watches } of controllers) for (const { type } of watches) reconciling.informer(type);
  const ref = epochRef(home);
  const epochs = reconciling.informer({ apiVersion: ref.apiVersion, kind: ref.kind });
  // One that was relieved and hears of it does nothing more: the next one does it.
  const isRelieved = () => epochIn(epochs.get(ref.namespace, ref.name)) > epoch;
  if (options.onRelieved) tellOnce(epochs, isRelieved, options.onRelieved);
  await reconciling.start();
  const queues = controllers.map(controller =>
    reconciling.run({
      ...controller,
      pass: async key => (isRelieved() ? undefined : controller.pass(key)),
    }),
  );
  return {
    epoch,
    idle: () => allIdle(queues),
    ended: untilStopped(signal, reconciling),
    known: world,
    depths: () => Object.fromEntries(queues.map((queue, place) => [controllers[place]?.name, queue.depth])),
  };
}

function tellOnce(informer: Informer, isSo: () => boolean, tell: () => void): void {
  let isTold = false;
  informer.onChange(() => {
    if (isTold || !isSo()) return;
    isTold = true;
    tell();
  });
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
