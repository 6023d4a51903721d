import { isReason } from '../../../cluster/cluster-error.ts';
import type { Again } from '../../../reconcile/work-queue.ts';
import type { ObservedPod, ObservedRun } from '../decide/observed-pod.ts';
import { deadlineIsOver } from '../decide/pod-status.ts';
import { type Container, isSidecar, type Pod } from '../pod-shape.ts';
import { isTerminal } from '../pod-status-shape.ts';
import { aliveRuns, observePod } from './observe-pod.ts';
import { type PodParts, podType } from './pod-parts.ts';
import { reportStatus } from './report-status.ts';

/** True for a Pod of which nothing is to run any more: it was deleted, has ended, or its time is over. */
export function isToEnd(pod: Pod, now: number): boolean {
  const isDeleted = pod.metadata.deletionTimestamp !== undefined;
  return isDeleted || isTerminal(pod.status?.phase) || deadlineIsOver(pod, now);
}

/**
 * One pass over a Pod that is to end. In this order: no requests come any more, the main containers end, the sidecars end, the end is
 * reported, the room is closed, the object goes. A Pod that was not deleted stays with its room: its logs can be read.
 */
export async function endPod(pod: Pod, parts: PodParts): Promise<Again> {
  const room = parts.rooms.room(pod.metadata.uid);
  const isDeleted = pod.metadata.deletionTimestamp !== undefined;
  if (!room && isTerminal(pod.status?.phase)) {
    // All was said of it while there was something to look at.
    if (isDeleted) await takeAway(pod, parts);
    return undefined;
  }
  const observed = await observePod(pod, room, parts);
  const isLate = deadlineIsOver(pod, observed.now) && !isTerminal(pod.status?.phase);
  if (isLate)
    parts.events.record(pod, { type: 'Normal', reason: 'DeadlineExceeded', message: late, lasts: true });
  const alive = aliveRuns(observed);
  const { until, gracePeriod } = timeToEnd(observed);
  if (alive.length > 0) {
    const wait = isDeleted ? secondsToWaitForTraffic(pod, observed.now, until - gracePeriod, parts) : 0;
    if (wait <= 0) endRuns(pod, nextToEnd(alive, observed.now >= until), { until }, parts);
    await report(observed, parts);
    return wait > 0 ? { afterSeconds: wait } : undefined;
  }
  const ended = await report(observed, parts);
  if (isDeleted) await takeAway(ended, parts);
  return undefined;
}

const late = 'Pod was active on the node longer than the specified deadline';

function report(observed: ObservedPod, parts: PodParts): Promise<Pod> {
  return reportStatus(observed, { waiting: new Map(), isEnding: true, hostIp: observed.room?.hostIp }, parts);
}

/** How runs are ended. */
export interface EndOptions {
  readonly until: number;
  /** Said in the event, where it is not the usual. */
  readonly message?: string;
}

/** Begins to end runs of a Pod; those that are being ended already go on with that. */
export function endRuns(
  pod: Pod,
  runs: readonly (readonly [Container, ObservedRun])[],
  { until, message }: EndOptions,
  parts: PodParts,
): void {
  const podIp = parts.rooms.room(pod.metadata.uid)?.ip ?? '';
  for (const [container, { id }] of runs) {
    parts.probes.onlyReadiness(id);
    const preStop = container.lifecycle?.preStop;
    const failed = {
      type: 'Warning',
      reason: 'FailedPreStopHook',
      message: 'PreStopHook failed',
      container,
    } as const;
    const isNew = parts.endings.end({
      subject: { id, container, podIp },
      until,
      ...(preStop ? { preStop, onFailedHook: () => parts.events.record(pod, failed) } : {}),
    });
    const text = message ?? `Stopping container ${container.name}`;
    if (isNew) parts.events.record(pod, { type: 'Normal', reason: 'Killing', message: text, container });
  }
}

/** Main containers at once, then sidecars one by one, the last one first; all of them when the time is over. */
function nextToEnd(alive: readonly (readonly [Container, ObservedRun])[], isLate: boolean) {
  const main = alive.filter(([container]) => !isSidecar(container));
  if (isLate) return alive;
  return main.length > 0 ? main : alive.slice(-1);
}

/** The last moment, and how long there was in all, in milliseconds. */
function timeToEnd({ pod, now }: ObservedPod): { readonly until: number; readonly gracePeriod: number } {
  const { deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata;
  const seconds = deletionGracePeriodSeconds ?? pod.spec.terminationGracePeriodSeconds ?? 30;
  const gracePeriod = seconds * 1000;
  // The time of deletion is cut to whole seconds: a program is not to lose one.
  const until = deletionTimestamp ? Date.parse(deletionTimestamp) + 999 : now + gracePeriod;
  return { until: seconds === 0 ? now : until, gracePeriod };
}

/** Requests in flight are waited for, but never longer than half the time. */
function secondsToWaitForTraffic(pod: Pod, now: number, began: number, { gate }: PodParts): number {
  if (gate.isOut(pod.metadata.uid)) return 0;
  const seconds = pod.metadata.deletionGracePeriodSeconds ?? 0;
  return (began + (seconds / 2) * 1000 - now) / 1000;
}

/** Nothing of the Pod runs and its end was reported: room and object go. Finalizers may keep the object for others. */
async function takeAway(pod: Pod, parts: PodParts): Promise<void> {
  const { uid, namespace = '', name, deletionGracePeriodSeconds } = pod.metadata;
  if (parts.rooms.room(uid)) await parts.rooms.close(uid);
  parts.hosts.drop(uid);
  parts.lastWords.drop(uid);
  if (deletionGracePeriodSeconds === 0) return;
  try {
    const options = { gracePeriodSeconds: 0, preconditions: { uid } };
    await parts.reconciling.delete({ ...podType, namespace, name }, options);
  } catch (error) {
    if (!isReason(error, 'NotFound', 'Conflict')) throw error;
  }
}
