import type { ContainerId } from '../../container/containers.ts';
import { runHook } from '../end/run-hook.ts';
import type { Container, Pod } from '../pod-shape.ts';
import { endRuns } from './end-pod.ts';
import type { PodParts } from './pod-parts.ts';

/** A hook has no time of its own; one that never ends would keep its container from ever being seen to fail. */
const longestSeconds = 600;

/** Runs the `postStart` hook of a run beside it. One that fails ends it. */
export async function postStart(
  pod: Pod,
  container: Container,
  id: ContainerId,
  parts: PodParts,
): Promise<void> {
  const hook = container.lifecycle?.postStart;
  const { containers, clock, signal } = parts;
  const podIp = parts.rooms.room(id.podUid)?.ip ?? '';
  const subject = { id, container, podIp };
  if (!hook) return;
  const isGood = await runHook({ hook, subject, containers, clock, timeoutSeconds: longestSeconds, signal });
  const state = containers.state(id);
  if (isGood || signal.aborted || !state || state.is === 'ended') return;
  const message = 'PostStartHook failed';
  parts.events.record(pod, { type: 'Warning', reason: 'FailedPostStartHook', message, container });
  const grace = (pod.spec.terminationGracePeriodSeconds ?? 30) * 1000;
  const how = { until: clock.wall() + grace, message: 'FailedPostStartHook' };
  endRuns(pod, [[container, { id, state, probes: {} }]], how, parts);
}
