import type { FlowKind } from '../api/flow-kinds.ts';
import type { PlanStep } from '../api/lifecycle-plan.ts';
import type { PackageLifecycle } from '../api/package-lifecycle.ts';
import type { ObservedService } from './observed-state.ts';

/** How long a flow takes where neither history nor package knows. Round numbers, said to be defaults. */
const defaultSeconds: Record<FlowKind, number> = {
  install: 120,
  upgrade: 180,
  reconfigure: 120,
  rollback: 120,
  uninstall: 60,
  contract: 60,
};

type Estimate = Pick<PlanStep, 'estimateSeconds' | 'estimateFrom'>;

/** How long a step takes: the median of what it took before, else the package's word, else a default. Soaking is not in it. */
export function estimateOf(
  flow: FlowKind,
  component: string,
  lifecycle: PackageLifecycle | undefined,
  running: ObservedService | undefined,
): Estimate {
  const past = (running?.durations ?? []).filter(
    entry => entry.flow === flow && (entry.component ?? running?.name) === component,
  );
  if (past.length > 0)
    return { estimateSeconds: median(past.map(entry => entry.seconds)), estimateFrom: 'history' };
  const said = lifecycle?.estimates[flow];
  if (said !== undefined) return { estimateSeconds: said, estimateFrom: 'package' };
  return { estimateSeconds: defaultSeconds[flow], estimateFrom: 'default' };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}

/** How long the steps take together: waves one after the other, the steps of a wave side by side. */
export function totalSeconds(steps: readonly PlanStep[]): number {
  const waves = new Map<number, number>();
  for (const step of steps) waves.set(step.wave, Math.max(waves.get(step.wave) ?? 0, step.estimateSeconds));
  return [...waves.values()].reduce((sum, value) => sum + value, 0);
}
