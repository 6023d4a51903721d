import { type Impact, impacts, type Tier } from '../api/fields.ts';
import type { PlanImpact, PlanStep } from '../api/lifecycle-plan.ts';

/** What decides what a step costs. */
export interface ImpactFacts {
  readonly flow: PlanStep['flow'];
  readonly strategy: PlanStep['strategy'];
  readonly slices: number;
  readonly tier: Tier;
  readonly hasTraffic: boolean;
  readonly workloadImpact: Impact;
  /** Whether anything of it runs now. */
  readonly isThere: boolean;
  /** Whether nothing asks what comes before clients do. */
  readonly untested: boolean;
  /** Whether clients meet what comes as soon as it is ready, before its test, and lose what is in flight to what goes. */
  readonly podByPod: boolean;
  /** Whether it leaves nothing running of what serves. */
  readonly goesToZero: boolean;
}

/** What clients of the API and the users' workloads notice while a step runs. */
export function impactOf(facts: ImpactFacts): PlanImpact {
  if (facts.goesToZero)
    return { api: facts.hasTraffic ? 'outage' : 'degraded', workloads: facts.workloadImpact };
  if (facts.strategy === 'inplace' && facts.flow !== 'uninstall') return { api: 'none', workloads: 'none' };
  if (facts.flow === 'uninstall' && !facts.isThere) return { api: 'none', workloads: 'none' };
  if (facts.flow === 'uninstall') {
    const workloads = facts.tier === 'dataplane' ? 'outage' : 'none';
    return { api: facts.hasTraffic ? 'outage' : 'degraded', workloads };
  }
  // Clients of what serves now are the first who ask what comes.
  const least: Impact = (facts.untested || facts.podByPod) && facts.isThere ? 'degraded' : 'none';
  return { api: worst([apiImpact(facts), least]), workloads: facts.workloadImpact };
}

function apiImpact({ strategy, slices, hasTraffic }: ImpactFacts): Impact {
  // With a single slice there is nothing that serves while it is changed.
  const goesDark = strategy === 'recreate' || (strategy === 'rolling' && slices < 2);
  if (!goesDark) return 'none';
  return hasTraffic ? 'outage' : 'degraded';
}

/** The worst of many. */
export function worstImpact(all: readonly PlanImpact[]): PlanImpact {
  return { api: worst(all.map(impact => impact.api)), workloads: worst(all.map(impact => impact.workloads)) };
}

/** The most harmful of many. */
export function worst(all: readonly Impact[]): Impact {
  return all.reduce<Impact>(
    (most, impact) => (impacts.indexOf(impact) > impacts.indexOf(most) ? impact : most),
    'none',
  );
}
