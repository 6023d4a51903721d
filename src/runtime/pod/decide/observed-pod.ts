import type { ContainerId, ContainerState, OpenPod } from '../../container/containers.ts';
import type { Container, Pod } from '../pod-shape.ts';
import type { ContainerStatus } from '../pod-status-shape.ts';

/** What the probes of one run say; absent where there is no result yet. */
export interface ProbeResults {
  readonly startup?: boolean;
  readonly readiness?: boolean;
  readonly liveness?: boolean;
}

/** One run of a container and what became of it. */
export interface ObservedRun {
  readonly id: ContainerId;
  readonly state: ContainerState;
  readonly probes: ProbeResults;
  /** It runs, but has not for long enough to be said to. */
  readonly isYoung?: boolean;
  /** What the program left as its last words, once it has ended. */
  readonly lastWords?: string;
}

/** Everything a decision about a Pod goes by. */
export interface ObservedPod {
  readonly pod: Pod;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Its room, where there is one with everything in it that containers need. */
  readonly room: OpenPod | undefined;
  /** The runs by container, oldest first. */
  readonly runs: ReadonlyMap<string, readonly ObservedRun[]>;
}

/** How a run is named to the outside. */
export function containerIdOf({ id }: ObservedRun): string {
  return `afloat://${id.podUid}/${id.name}/${id.attempt}`;
}

/** The newest run of a container. */
export function latestRun({ runs }: ObservedPod, container: Container): ObservedRun | undefined {
  return runs.get(container.name)?.at(-1);
}

export function hasEnded(run: ObservedRun | undefined): run is ObservedRun & { state: { is: 'ended' } } {
  return run?.state.is === 'ended';
}

/** Starting or running. */
export function isAlive(run: ObservedRun | undefined): run is ObservedRun {
  return run !== undefined && run.state.is !== 'ended';
}

/**
 * The runs of a container, with one for what the status tells of and no file knows: a run that was reported happened, and is not
 * done again as if it had not. How it ended is known only where that was reported too.
 */
export function withLostRun(
  runs: readonly ObservedRun[],
  reported: ContainerStatus | undefined,
  podUid: string,
): readonly ObservedRun[] {
  const { terminated, running } = reported?.state ?? {};
  const last = terminated ?? (running ? undefined : reported?.lastState.terminated);
  if (runs.length > 0 || !reported || (!last && !running)) return runs;
  // A container that waits to be restarted counts the runs before this one already.
  const state: ContainerState = {
    is: 'ended',
    exitCode: last?.exitCode ?? 137,
    startedAt: last?.startedAt ?? running?.startedAt ?? '',
    finishedAt: last?.finishedAt ?? '',
    ...(last ? {} : { problem: 'ContainerStatusUnknown' as const, message: lostMessage }),
    ...(last?.message === undefined ? {} : { message: last.message }),
  };
  return [{ id: { podUid, name: reported.name, attempt: reported.restartCount }, state, probes: {} }];
}

const lostMessage = 'The container could not be located when the pod was terminated';
