import type { OpenPod } from '../../container/containers.ts';
import {
  containerIdOf,
  isAlive,
  type ObservedPod,
  type ObservedRun,
  withLostRun,
} from '../decide/observed-pod.ts';
import { reportedStatus } from '../decide/reported-status.ts';
import { type Container, containersOf, type Pod } from '../pod-shape.ts';
import type { PodParts } from './pod-parts.ts';

/** Looks at a Pod: which runs there were, what became of them, what their probes say. `room` where containers can be started. */
export async function observePod(pod: Pod, room: OpenPod | undefined, parts: PodParts): Promise<ObservedPod> {
  const { uid } = pod.metadata;
  const ids = parts.rooms.runs(uid);
  const runs = new Map<string, readonly ObservedRun[]>();
  for (const container of containersOf(pod.spec)) {
    const own: ObservedRun[] = [];
    for (const id of ids.filter(({ name }) => name === container.name)) {
      const state = parts.containers.state(id);
      if (!state) continue;
      if (state.is === 'ended') {
        parts.probes.drop(id);
        parts.beginnings.drop(id);
        const folder = parts.rooms.room(uid)?.folder ?? '';
        const lastWords = await parts.lastWords.of(id, container, folder, state.exitCode);
        own.push({ id, state, probes: {}, ...(lastWords ? { lastWords } : {}) });
      } else own.push({ id, state, probes: parts.probes.results(id) });
    }
    runs.set(container.name, withLostRun(own, reportedStatus(pod, container), uid));
  }
  return { pod, now: parts.clock.wall(), room, runs };
}

/** Has the probes asked of everything that runs. */
export function watchProbes(observed: ObservedPod, parts: PodParts): void {
  const { pod, room, runs } = observed;
  if (!room) return;
  for (const container of containersOf(pod.spec)) {
    const run = runs.get(container.name)?.at(-1);
    if (run?.state.is !== 'running') continue;
    const reported = reportedStatus(pod, container);
    const isSame = reported?.containerID === containerIdOf(run);
    parts.probes.watch({
      subject: { id: run.id, container, podIp: room.ip },
      startedAt: Date.parse(run.state.startedAt),
      known: { isStarted: isSame && reported.started === true, isReady: isSame && reported.ready },
      containers: parts.containers,
      clock: parts.clock,
      onEvent: event => parts.events.record(pod, event),
      onResult: () => parts.wake(pod),
    });
  }
}

/** The runs of a Pod that are going on, in the order of its containers. */
export function aliveRuns({ pod, runs }: ObservedPod): readonly (readonly [Container, ObservedRun])[] {
  return containersOf(pod.spec).flatMap(container => {
    const run = runs.get(container.name)?.at(-1);
    return isAlive(run) ? [[container, run] as const] : [];
  });
}
