import type { ObservedPod, ObservedRun } from '../decide/observed-pod.ts';
import { containerIdOf } from '../decide/observed-pod.ts';
import { reportedStatus } from '../decide/reported-status.ts';
import { type Container, containersOf, type Pod } from '../pod-shape.ts';
import type { PodParts } from './pod-parts.ts';
import { postStart } from './post-start.ts';

/** Marks the runs that have just begun. With the seconds until the first of them is believed; undefined where none is young. */
export function markYoung(
  observed: ObservedPod,
  parts: PodParts,
): { readonly observed: ObservedPod; readonly wakeAfterSeconds: number | undefined } {
  const { pod } = observed;
  const runs = new Map(observed.runs);
  let wakeAfterSeconds: number | undefined;
  for (const container of containersOf(pod.spec)) {
    const own = runs.get(container.name) ?? [];
    const run = own.at(-1);
    if (run?.state.is !== 'running') continue;
    const reported = reportedStatus(pod, container);
    // An earlier process of ours saw it begin.
    const wasTold = reported?.state.running !== undefined && reported.containerID === containerIdOf(run);
    const seconds = wasTold
      ? 0
      : parts.beginnings.secondsLeft(run.id, container, hook(pod, container, run, parts));
    if (seconds <= 0) continue;
    runs.set(container.name, [...own.slice(0, -1), { ...run, isYoung: true }]);
    wakeAfterSeconds = Math.min(wakeAfterSeconds ?? seconds, seconds);
  }
  return { observed: { ...observed, runs }, wakeAfterSeconds };
}

/** Runs the hook of a run that began, and has its Pod looked at when it is done. */
function hook(pod: Pod, container: Container, { id }: ObservedRun, parts: PodParts) {
  return (done: () => void): void => {
    void postStart(pod, container, id, parts).finally(() => {
      done();
      parts.wake(pod);
    });
  };
}
