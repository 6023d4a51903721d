import type { ContainerState } from '../../container/containers.ts';
import { type Container, isSidecar, type PodSpec, type RestartRule } from '../pod-shape.ts';
import type { ObservedRun } from './observed-pod.ts';

/** How long a container that ends again and again waits before its next run. */
export interface BackOffRule {
  readonly firstSeconds: number;
  readonly ceilingSeconds: number;
  /** A run as long as this makes good for all before it. */
  readonly resetSeconds: number;
}

/** As a kubelet does it. */
export const kubeletBackOff: BackOffRule = { firstSeconds: 10, ceilingSeconds: 300, resetSeconds: 600 };

/** True when a container that ended with this code is to run again. */
export function runsAgain(container: Container, spec: PodSpec, exitCode: number): boolean {
  if (isSidecar(container)) return true;
  const rule = container.restartPolicyRules?.find(one => ruleMatches(one, exitCode));
  if (rule) return rule.action === 'Restart';
  const policy = container.restartPolicy ?? spec.restartPolicy ?? 'Always';
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}

function ruleMatches({ exitCodes }: RestartRule, exitCode: number): boolean {
  if (!exitCodes) return false;
  const isListed = exitCodes.values?.includes(exitCode) ?? false;
  return exitCodes.operator === 'In' ? isListed : !isListed;
}

/**
 * The seconds between the end of the newest run and the next one. The first restart is immediate. After that it is twice what
 * was waited before the newest run: the times of the runs say how long that was, so nothing needs to be remembered.
 */
export function backOffSeconds(runs: readonly ObservedRun[], rule: BackOffRule): number {
  const [last, before] = [runs.at(-1)?.state, runs.at(-2)?.state];
  if (!last || !isEnd(last) || !before || !isEnd(before)) return 0;
  if (secondsBetween(last.startedAt, last.finishedAt) > rule.resetSeconds) return 0;
  const waited = secondsBetween(before.finishedAt, last.startedAt);
  // Times are whole seconds: what was waited may look a second shorter than it was.
  const slack = Math.min(1, rule.firstSeconds / 2);
  let next = rule.firstSeconds;
  while (next <= waited + slack && next < rule.ceilingSeconds) next *= 2;
  return Math.min(next, rule.ceilingSeconds);
}

type End = ContainerState & { is: 'ended' };

function isEnd(state: ContainerState): state is End {
  return state.is === 'ended';
}

function secondsBetween(from: string, to: string): number {
  const seconds = (Date.parse(to) - Date.parse(from)) / 1000;
  return Number.isNaN(seconds) ? 0 : seconds;
}

/** As Go prints a duration: `40s`, `2m40s`, `5m0s`. */
export function goDuration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const rest = `${seconds - minutes * 60}s`;
  return minutes === 0 ? rest : `${minutes}m${rest}`;
}
