import { type Container, isSidecar, type Pod } from '../pod-shape.ts';
import type { ContainerStatus, StatusState } from '../pod-status-shape.ts';
import type { Waiting } from './next-steps.ts';
import { containerIdOf, latestRun, type ObservedPod, type ObservedRun } from './observed-pod.ts';
import { imageOfRun } from './reported-status.ts';

/** The status of the main containers, by name as a kubelet lists them. */
export function mainStatuses(observed: ObservedPod, waiting: ReadonlyMap<string, Waiting>) {
  const { containers } = observed.pod.spec;
  return containers
    .map(container => statusOf(observed, container, waiting.get(container.name)))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The status of the init containers, in their order. */
export function initStatuses(observed: ObservedPod, waiting: ReadonlyMap<string, Waiting>) {
  const { initContainers = [] } = observed.pod.spec;
  return initContainers.map(container => {
    const status = statusOf(observed, container, waiting.get(container.name));
    if (isSidecar(container)) return status;
    return { ...status, ready: status.state.terminated?.exitCode === 0 };
  });
}

function statusOf(
  observed: ObservedPod,
  container: Container,
  waiting: Waiting | undefined,
): ContainerStatus {
  const { pod, runs } = observed;
  const all = runs.get(container.name) ?? [];
  const run = all.at(-1);
  const state = run ? stateOf(run, container) : undefined;
  const before = all.at(-2);
  const isWaiting = !state || waiting !== undefined || state.waiting !== undefined;
  const image = imageOfRun(pod, container, run);
  const mounts = mountStatuses(container);
  const last = waiting && state?.terminated ? state : before ? stateOf(before, container) : {};
  const isStarted = state?.running !== undefined && startupIsOver(container, run);
  return {
    name: container.name,
    state: isWaiting ? { waiting: waiting ?? defaultWaiting(pod) } : state,
    lastState: last,
    ready: isStarted && (!container.readinessProbe || run?.probes.readiness === true),
    started: isStarted,
    restartCount: run?.id.attempt ?? 0,
    image,
    imageID: run ? image : '',
    ...(run ? { containerID: containerIdOf(run) } : {}),
    ...(mounts.length > 0 ? { volumeMounts: mounts } : {}),
  };
}

function startupIsOver(container: Container, run: ObservedRun | undefined): boolean {
  return !container.startupProbe || run?.probes.startup === true;
}

function defaultWaiting({ spec }: Pod): Waiting {
  return { reason: (spec.initContainers ?? []).length > 0 ? 'PodInitializing' : 'ContainerCreating' };
}

function stateOf(run: ObservedRun, container: Container): StatusState {
  const { state } = run;
  if (state.is === 'starting' || (state.is === 'running' && run.isYoung))
    return { waiting: { reason: 'ContainerCreating' } };
  if (state.is === 'running') return { running: { startedAt: state.startedAt } };
  const message = state.message ?? run.lastWords;
  return {
    terminated: {
      exitCode: state.exitCode,
      reason: state.problem ?? (state.exitCode === 0 ? 'Completed' : 'Error'),
      ...(message ? { message } : {}),
      ...(state.startedAt ? { startedAt: state.startedAt } : {}),
      ...(state.finishedAt ? { finishedAt: state.finishedAt } : {}),
      containerID: containerIdOf({ ...run, id: { ...run.id, name: container.name } }),
    },
  };
}

function mountStatuses({ volumeMounts = [] }: Container): readonly object[] {
  return volumeMounts.map(({ name, mountPath, readOnly }) => ({
    name,
    mountPath,
    ...(readOnly ? { readOnly, recursiveReadOnly: 'Disabled' } : {}),
  }));
}

/** True when a main container runs, or ran at some time: the Pod was prepared. */
export function hasBegun(observed: ObservedPod): boolean {
  return observed.pod.spec.containers.some(container => latestRun(observed, container) !== undefined);
}
