import { containersOf, type Pod } from '../pod-shape.ts';
import { isTerminal, type Phase, type PodStatus } from '../pod-status-shape.ts';
import { conditionsOf, isoSeconds } from './conditions.ts';
import { hasBegun, initStatuses, mainStatuses } from './container-status.ts';
import type { Waiting } from './next-steps.ts';
import { isAlive, latestRun, type ObservedPod } from './observed-pod.ts';
import { phaseOf } from './phase.ts';
import { qosClass } from './qos-class.ts';

const deadlineMessage = 'Pod was active on the node longer than the specified deadline';

/** What is said of a Pod beside its runs. */
export interface Verdict {
  /** Why containers wait that could run. */
  readonly waiting: ReadonlyMap<string, Waiting>;
  /** It is being ended: nothing is started any more. */
  readonly isEnding: boolean;
  /** The address of the machine. */
  readonly hostIp: string | undefined;
}

/** The whole status of a Pod that is on this machine, from what is observed and what was said before. */
export function podStatus(observed: ObservedPod, verdict: Verdict): PodStatus {
  const { pod, room, now } = observed;
  const before = pod.status ?? {};
  const containerStatuses = mainStatuses(observed, verdict.waiting);
  const initContainerStatuses = initStatuses(observed, verdict.waiting);
  const statuses = [...initContainerStatuses, ...containerStatuses];
  const outcome = outcomeOf(observed, verdict, statuses);
  const { phase } = outcome;
  const hasRoom = room !== undefined && !isTerminal(phase);
  const hostIp = room?.hostIp ?? verdict.hostIp ?? before.hostIP;
  // The address of a Pod that has ended stays in its status.
  const podIp = room?.ip ?? before.podIP;
  const { generation } = pod.metadata;
  return {
    ...others(before),
    ...outcome,
    conditions: conditionsOf({ pod, phase, statuses, hasRoom, now }),
    containerStatuses,
    ...(initContainerStatuses.length > 0 ? { initContainerStatuses } : {}),
    ...(hostIp ? { hostIP: hostIp, hostIPs: [{ ip: hostIp }] } : {}),
    ...(podIp ? { podIP: podIp, podIPs: [{ ip: podIp }] } : {}),
    startTime: before.startTime ?? isoSeconds(now),
    qosClass: before.qosClass ?? qosClass(pod.spec),
    ...(generation === undefined ? {} : { observedGeneration: generation }),
  };
}

/** The time a Pod may be active is over. */
export function deadlineIsOver(pod: Pod, now: number): boolean {
  return secondsToDeadline(pod, now) <= 0;
}

/** Seconds until then; infinite where there is no deadline. */
export function secondsToDeadline({ spec, status }: Pod, now: number): number {
  if (spec.activeDeadlineSeconds === undefined || !status?.startTime) return Number.POSITIVE_INFINITY;
  // The time of the start is cut to whole seconds: a Pod is not to lose one.
  return (Date.parse(status.startTime) - now) / 1000 + spec.activeDeadlineSeconds + 1;
}

type Outcome = { readonly phase: Phase; readonly reason?: string; readonly message?: string };

function outcomeOf(
  observed: ObservedPod,
  { isEnding }: Verdict,
  statuses: Parameters<typeof phaseOf>[0]['statuses'],
): Outcome {
  const { pod, now } = observed;
  const { phase: before = 'Pending', reason, message } = pod.status ?? {};
  const kept = { phase: before, ...(reason ? { reason } : {}), ...(message ? { message } : {}) };
  // What has ended has ended.
  if (isTerminal(before)) return kept;
  const isOver =
    isEnding && !containersOf(pod.spec).some(container => isAlive(latestRun(observed, container)));
  const phase = phaseOf({ spec: pod.spec, statuses, isOver, hasBegun: hasBegun(observed) });
  if (isEnding && !isOver) return isTerminal(phase) ? kept : { ...kept, phase };
  if (deadlineIsOver(pod, now) && isEnding) {
    return { phase: 'Failed', reason: 'DeadlineExceeded', message: deadlineMessage };
  }
  // One that ended before it could begin has failed.
  if (isOver && !isTerminal(phase)) return { phase: 'Failed' };
  // While sidecars are being ended the outcome is known, but a Pod that still runs something has not ended.
  const stillRuns = isTerminal(phase) && statuses.some(status => status.state.running);
  if (stillRuns) return kept;
  return phase === before ? kept : { phase };
}

/** Fields of the status that are not a kubelet's. */
function others(before: PodStatus): PodStatus {
  const { nominatedNodeName, resourceClaimStatuses } = before;
  return {
    ...(nominatedNodeName === undefined ? {} : { nominatedNodeName }),
    ...(resourceClaimStatuses === undefined ? {} : { resourceClaimStatuses }),
  };
}
