import type { Again } from '../../../reconcile/work-queue.ts';
import type { OpenPod } from '../../container/containers.ts';
import { nextSteps, type Steps, type Waiting } from '../decide/next-steps.ts';
import { latestRun, type ObservedPod } from '../decide/observed-pod.ts';
import { secondsToDeadline } from '../decide/pod-status.ts';
import { hostnameOf } from '../host/hosts-file.ts';
import type { Pod } from '../pod-shape.ts';
import { mountVolumes } from '../volume/pod-volumes.ts';
import { endRuns } from './end-pod.ts';
import { markYoung } from './mark-young.ts';
import { aliveRuns, observePod, watchProbes } from './observe-pod.ts';
import { type PodParts, sourcesFor } from './pod-parts.ts';
import { reportStatus } from './report-status.ts';
import { cannotBeMade, startContainer } from './start-container.ts';

/** How soon something is tried again that no change tells of: a path of the machine. */
const retrySeconds = 2;
const refusedSeconds = 10;

/** One pass over a Pod that shall run: room, volumes, containers, probes, status. */
export async function runPod(pod: Pod, parts: PodParts): Promise<Again> {
  const room = await openRoom(pod, parts);
  const mounted = await mountVolumes(room.folder, sourcesFor(pod, room, parts), parts.claims);
  if ('problem' in mounted) return waitForVolumes(pod, mounted.problem, parts);
  await parts.hosts.write(pod, room);
  const observed = await observePod(pod, room, parts);
  const steps = nextSteps(observed, parts.backOff);
  const current = await reportEnds(observed, steps, parts);
  const waiting = await carryOut({ ...observed, pod: current }, steps, mounted.sources, parts);
  watchProbes(await observePod(current, room, parts), parts);
  // After the probes are watched: that a run was ready under the manager before is one of their results.
  const after = await observePod(current, room, parts);
  const young = markYoung(after, parts);
  const verdict = { waiting, isEnding: false, hostIp: room.hostIp };
  const told = await reportStatus(young.observed, verdict, parts);
  const isRefused = [...waiting.values()].some(({ reason }) => reason === cannotBeMade);
  const retry = isRefused ? refusedSeconds : undefined;
  return wakeAfter(told, [steps.wakeAfterSeconds, young.wakeAfterSeconds, retry], parts);
}

async function openRoom(pod: Pod, parts: PodParts): Promise<OpenPod> {
  const { uid, namespace = '', name } = pod.metadata;
  const hostname = hostnameOf(pod);
  try {
    return await parts.rooms.open({
      uid,
      namespace,
      name,
      hostname,
      hostNetwork: pod.spec.hostNetwork ?? false,
    });
  } catch (error) {
    const message = `Failed to create pod sandbox: ${(error as Error).message}`;
    parts.events.record(pod, { type: 'Warning', reason: 'FailedCreatePodSandBox', message, lasts: true });
    const observed = await observePod(pod, undefined, parts);
    await reportStatus(observed, { waiting: new Map(), isEnding: false, hostIp: undefined }, parts);
    throw error;
  }
}

/** Nothing is started before all volumes are there, and the Pod has no address to others until then. */
async function waitForVolumes(pod: Pod, problem: string, parts: PodParts): Promise<Again> {
  parts.events.record(pod, { type: 'Warning', reason: 'FailedMount', message: problem, lasts: true });
  const observed = await observePod(pod, undefined, parts);
  const hostIp = parts.rooms.room(pod.metadata.uid)?.hostIp;
  await reportStatus(observed, { waiting: new Map(), isEnding: false, hostIp }, parts);
  return { afterSeconds: retrySeconds };
}

/** What ended is reported before it runs again: whoever watches sees each end. */
async function reportEnds(observed: ObservedPod, steps: Steps, parts: PodParts): Promise<Pod> {
  const runsAgain = steps.start.some(container => latestRun(observed, container));
  if (!runsAgain) return observed.pod;
  const verdict = { waiting: steps.waiting, isEnding: false, hostIp: observed.room?.hostIp };
  return reportStatus(markYoung(observed, parts).observed, verdict, parts);
}

/** Starts and stops. Returns why containers wait that are not running now. */
async function carryOut(
  observed: ObservedPod,
  steps: Steps,
  volumes: ReadonlyMap<string, string>,
  parts: PodParts,
): Promise<ReadonlyMap<string, Waiting>> {
  const { pod, now } = observed;
  const waiting = new Map(steps.waiting);
  for (const [name] of steps.waiting) {
    const container = [...(pod.spec.initContainers ?? []), ...pod.spec.containers].find(
      one => one.name === name,
    );
    const { namespace, uid } = pod.metadata;
    const message = `Back-off restarting failed container ${name} in pod ${pod.metadata.name}_${namespace}(${uid})`;
    parts.events.record(pod, {
      type: 'Warning',
      reason: 'BackOff',
      message,
      lasts: true,
      ...(container ? { container } : {}),
    });
  }
  for (const container of steps.start) {
    const attempt = (latestRun(observed, container)?.id.attempt ?? -1) + 1;
    const waits = await startContainer({ pod, container, attempt, volumes }, parts);
    if (waits) waiting.set(container.name, waits);
  }
  for (const { run, container, message, graceSeconds } of steps.stop) {
    endRuns(pod, [[container, run]], { until: now + graceSeconds * 1000, message }, parts);
  }
  if (steps.isOver) {
    const grace = (pod.spec.terminationGracePeriodSeconds ?? 30) * 1000;
    endRuns(pod, aliveRuns(observed).slice(-1), { until: now + grace }, parts);
  }
  return waiting;
}

function wakeAfter(pod: Pod, asked: readonly (number | undefined)[], parts: PodParts): Again {
  const toDeadline = Math.max(secondsToDeadline(pod, parts.clock.wall()), 0);
  const seconds = Math.min(toDeadline, ...asked.filter(one => one !== undefined));
  return Number.isFinite(seconds) ? { afterSeconds: seconds } : undefined;
}
