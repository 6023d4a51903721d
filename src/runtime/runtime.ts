/**
 * Runtime: what the controllers and the kubelet of a cluster do, on one machine, with plain processes.
 *
 * In: a cluster whose objects are to come true here, and a folder for everything that must outlive this process. Out: processes,
 * addresses, and statuses as a real cluster writes them. Never: ends a process because the manager ends, or touches one that is not ours.
 */
import { type Clock, systemClock } from '../cluster/clock.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { Reconciling } from '../reconcile/reconcile.ts';
import type { ExecResult, IsolationKind } from './container/containers.ts';
import { openContainers } from './container/open-containers.ts';
import { serviceRange } from './isolation/address-range.ts';
import type { BackOffRule } from './pod/decide/restart.ts';
import type { ContainerOf, PodLogOptions } from './pod/pod-logs.ts';
import { Pods } from './pod/pods.ts';
import { startServices } from './services/start-services.ts';
import type { SliceTraffic } from './services/traffic.ts';
import { workloadControllers } from './workload/workload-controllers.ts';

export interface RuntimeOptions {
  readonly cluster: Cluster;
  /** The state folder. One manager at a time has it. */
  readonly folder: string;
  /** Lets go of everything: what runs, runs on, and the next manager takes it up. */
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  /** `auto`: what the folder was begun with, or the better one that can be had. */
  readonly isolation?: 'auto' | IsolationKind;
  /** Told of everything that went wrong and is tried again. */
  readonly onTrouble?: (doing: string, error: unknown, waitSeconds?: number) => void;
  /** How restarts are delayed, where not as on a kubelet. */
  readonly backOff?: BackOffRule;
}

export interface Runtime {
  readonly isolation: IsolationKind;
  /** After the signal: this process does nothing more. */
  readonly ended: Promise<void>;
  /** What a container wrote; throws `ClusterError`s in the words of an API server. */
  podLogs(of: ContainerOf, options?: PodLogOptions): AsyncIterable<Buffer>;
  /** Runs a program beside a container's own; throws `ClusterError`s in the words of an API server. */
  podExec(of: ContainerOf, command: readonly string[], timeoutSeconds: number): Promise<ExecResult>;
  /**
   * What each slice of a Service gets: requests and errors so far, what is in flight, and whether it is drained. To drain one, give it
   * weight 0 (the Service's annotation `openstacklcm.airshipit.org/weights`) and wait until `isOut`. The counts never fall while this
   * process runs, also when a forwarder is replaced or killed; of one that was killed its last second may be missing. The next
   * manager begins with what the forwarders that run then have counted, so take differences, and expect one to be negative after a restart.
   */
  sliceCounts(namespace: string, service: string): ReadonlyMap<string, SliceTraffic>;
  /**
   * Nothing is in flight to a Pod, and no Service sends it anything new, but for one that is to end and is the last to take it. True of
   * a Pod that no Service knows.
   */
  isOut(podUid: string): boolean;
}

/** Starts to make objects come true. Returns when everything that an earlier manager left was taken up. */
export async function startRuntime(options: RuntimeOptions): Promise<Runtime> {
  const { cluster, folder, signal, clock = systemClock, isolation = 'auto', onTrouble = () => {} } = options;
  const containers = await openContainers({
    stateFolder: folder,
    clock,
    onTrouble,
    ...(isolation === 'auto' ? {} : { isolation }),
  });
  await containers.adopt();
  const reconciling = new Reconciling(cluster, { signal, clock, onTrouble });
  const range = serviceRange(containers.range);
  const services = startServices({ reconciling, folder, range, clock, onTrouble });
  const { gate } = services;
  const pods = new Pods({
    cluster,
    reconciling,
    containers,
    folder,
    clock,
    signal,
    onTrouble,
    gate,
    ...(options.backOff ? { backOff: options.backOff } : {}),
  });
  const workloads = workloadControllers(reconciling, clock);
  await reconciling.start();
  await pods.start();
  for (const controller of [...services.controllers, ...workloads]) reconciling.run(controller);
  return {
    isolation: containers.isolation,
    podLogs: (of, more) => pods.logs(of, more),
    podExec: (of, command, timeoutSeconds) => pods.exec(of, command, timeoutSeconds),
    sliceCounts: services.sliceCounts,
    isOut: podUid => gate.isOut(podUid),
    ended: letGo(signal, [
      () => reconciling.ended(),
      () => pods.ended(),
      () => services.close(),
      () => containers.close(),
    ]),
  };
}

/** After the signal, one after the other: what is going on comes to its end, then the doors are closed. */
async function letGo(signal: AbortSignal, steps: readonly (() => Promise<void>)[]): Promise<void> {
  if (!signal.aborted) {
    await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }));
  }
  for (const step of steps) await step();
}
