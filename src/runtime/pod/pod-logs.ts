import { ClusterError } from '../../cluster/cluster-error.ts';
import type { Reconciling } from '../../reconcile/reconcile.ts';
import type { Containers, ExecResult, LogOptions } from '../container/containers.ts';
import { reportedStatus } from './decide/reported-status.ts';
import { podType } from './pass/pod-parts.ts';
import type { PodRooms } from './pod-rooms.ts';
import { containersOf, type Pod } from './pod-shape.ts';

/** Which output is asked for. */
export interface PodLogOptions extends LogOptions {
  /** Of the run before the one that is now. */
  readonly previous?: boolean;
}

/** Which container is meant. Without a name: the only one. */
export interface ContainerOf {
  readonly namespace: string;
  readonly pod: string;
  readonly container?: string;
}

/** Where containers are found. */
export interface KnownPods {
  readonly reconciling: Reconciling;
  readonly rooms: PodRooms;
  readonly containers: Containers;
}

/** Gives out what containers wrote. Answers as an API server does: `ClusterError`s in its words. */
export function podLogs(
  of: ContainerOf,
  { previous = false, ...options }: PodLogOptions,
  from: KnownPods,
): AsyncIterable<Buffer> {
  return from.containers.logs(runOf(of, previous, from), options);
}

/** Runs a program where a container runs. */
export function podExec(
  of: ContainerOf,
  command: readonly string[],
  timeoutSeconds: number,
  from: KnownPods,
): Promise<ExecResult> {
  return from.containers.exec(runOf(of, false, from), command, timeoutSeconds);
}

/** The newest run of a container, or the one before it. */
function runOf(
  { namespace, pod: podName, container: asked }: ContainerOf,
  previous: boolean,
  from: KnownPods,
) {
  const pod = from.reconciling.informer(podType).get(namespace, podName) as Pod | undefined;
  if (!pod) throw new ClusterError('NotFound', `pods "${podName}" not found`);
  const name = asked ?? onlyContainer(pod);
  const container = containersOf(pod.spec).find(one => one.name === name);
  if (!container) throw refused(`container ${name} is not valid for pod ${podName}`);
  const runs = from.rooms.runs(pod.metadata.uid).filter(run => run.name === name);
  const run = runs.at(previous ? -2 : -1);
  if (run) return run;
  const which = `container "${name}" in pod "${podName}"`;
  if (previous) throw refused(`previous terminated ${which} not found`);
  const reason = reportedStatus(pod, container)?.state.waiting?.reason ?? 'ContainerCreating';
  throw refused(`${which} is waiting to start: ${reason}`);
}

function onlyContainer({ metadata, spec }: Pod): string {
  const [first, ...others] = spec.containers;
  if (first && others.length === 0) return first.name;
  const names = spec.containers.map(({ name }) => name).join(' ');
  throw refused(`a container name must be specified for pod ${metadata.name}, choose one of: [${names}]`);
}

function refused(message: string): ClusterError {
  return new ClusterError('BadRequest', message);
}
