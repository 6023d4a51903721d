import type { Clock } from '../../../cluster/clock.ts';
import type { Containers } from '../../container/containers.ts';
import type { Hook } from '../pod-shape.ts';
import { ask, type Subject } from '../probe/ask.ts';

export interface HookRun {
  readonly hook: Hook;
  readonly subject: Subject;
  readonly containers: Containers;
  readonly clock: Clock;
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal;
}

/** Does what a hook of a container's life says. True when that went well. */
export async function runHook({
  hook,
  subject,
  containers,
  clock,
  timeoutSeconds,
  signal,
}: HookRun): Promise<boolean> {
  if (hook.sleep) {
    await clock.sleep(Math.min(hook.sleep.seconds, timeoutSeconds) * 1000, signal);
    return hook.sleep.seconds <= timeoutSeconds;
  }
  try {
    return (await ask(hook, subject, containers, timeoutSeconds)).isGood;
  } catch {
    // The container ended under it, or cannot be entered: the hook did not do its work.
    return false;
  }
}
