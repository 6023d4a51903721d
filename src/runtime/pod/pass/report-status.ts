import { sameJson } from '../../../base/json.ts';
import type { ObservedPod } from '../decide/observed-pod.ts';
import { podStatus, type Verdict } from '../decide/pod-status.ts';
import { reportedStatus } from '../decide/reported-status.ts';
import { type Container, containersOf, type Pod } from '../pod-shape.ts';
import type { ContainerStatus, Terminated } from '../pod-status-shape.ts';
import type { PodParts } from './pod-parts.ts';

/** Writes the status of a Pod where it is another one than before, with the events that go with it. Returns the Pod as it is now. */
export async function reportStatus(observed: ObservedPod, verdict: Verdict, parts: PodParts): Promise<Pod> {
  const { pod } = observed;
  const status = podStatus(observed, verdict);
  if (sameJson(pod.status, status)) return pod;
  const told = (await parts.reconciling.updateStatus({ ...pod, status })) as Pod;
  for (const container of containersOf(pod.spec)) {
    tellStart(told, container, [reportedStatus(pod, container), reportedStatus(told, container)], parts);
  }
  return told;
}

/** A run that the status speaks of for the first time has started, or could not be. */
function tellStart(
  pod: Pod,
  container: Container,
  [before, now]: readonly [ContainerStatus | undefined, ContainerStatus | undefined],
  { events }: PodParts,
): void {
  const run = now && begunRun(now);
  if (!run || run.id === (before && begunRun(before)?.id)) return;
  if (run.end?.reason === 'StartError') {
    const message = `Error: ${run.end.message ?? 'the program could not be run'}`;
    events.record(pod, { type: 'Warning', reason: 'Failed', message, container });
  } else events.record(pod, { type: 'Normal', reason: 'Started', message: 'Container started', container });
}

/** The newest run of which the status says that it began. */
function begunRun({ state, lastState, containerID }: ContainerStatus) {
  if (state.running) return { id: containerID, end: undefined };
  const end: Terminated | undefined = state.terminated ?? lastState.terminated;
  return end && { id: end.containerID, end };
}
