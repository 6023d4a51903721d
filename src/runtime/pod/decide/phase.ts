import { type Container, isSidecar, type PodSpec } from '../pod-shape.ts';
import type { ContainerStatus, Phase } from '../pod-status-shape.ts';
import { runsAgain } from './restart.ts';

/** What a phase is worked out from. */
export interface PhaseInput {
  readonly spec: PodSpec;
  readonly statuses: readonly ContainerStatus[];
  /** Everything has ended and nothing will be started again, whatever the restart policy says. */
  readonly isOver: boolean;
  /** Main containers ran already. */
  readonly hasBegun: boolean;
}

/** The phase of a Pod as a kubelet works it out (getPhase). */
export function phaseOf({ spec, statuses, isOver, hasBegun }: PhaseInput): Phase {
  const of = (container: Container) => statuses.find(({ name }) => name === container.name);
  const preparing = (spec.initContainers ?? []).filter(container => !isSidecar(container));
  const sidecars = (spec.initContainers ?? []).filter(isSidecar).map(of);
  const main = spec.containers.map(of);
  const goesOn = (container: Container) => runsAgain(container, spec, exitOf(of(container)) ?? 0);
  const failed = preparing.filter(container => (exitOf(of(container)) ?? 0) !== 0);
  if (failed.some(container => !goesOn(container))) return 'Failed';
  const isPreparing =
    preparing.some(container => exitOf(of(container)) === undefined) ||
    (!hasBegun && sidecars.some(status => !isStarted(status)));
  if (isPreparing || [...sidecars, ...main].some(hasNotRunYet)) return 'Pending';
  if ([...sidecars, ...main].some(status => status?.state.running)) return 'Running';
  if (!isOver && spec.containers.some(goesOn)) return 'Running';
  // One that waits for its next run failed, whatever its last run said.
  return main.every(status => status?.state.terminated?.exitCode === 0) ? 'Succeeded' : 'Failed';
}

function hasNotRunYet(status: ContainerStatus | undefined): boolean {
  return status?.state.waiting !== undefined && status.lastState.terminated === undefined;
}

function isStarted(status: ContainerStatus | undefined): boolean {
  return status?.state.waiting ? status.lastState.terminated !== undefined : status?.started === true;
}

/** How it ended, now or before the run that is waited for. */
function exitOf(status: ContainerStatus | undefined): number | undefined {
  if (status?.state.running) return undefined;
  return (status?.state.terminated ?? status?.lastState.terminated)?.exitCode;
}
