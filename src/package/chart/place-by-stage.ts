import { type PhaseName, phaseNames } from '../../api/phase-names.ts';
import { canonicalJson } from '../../base/json.ts';
import {
  compareForInstall,
  identityKey,
  identityOf,
  stillKinds,
  supportKinds,
  taskKinds,
} from '../object-kinds.ts';
import type { ChartObject } from './chart-object.ts';
import type { PlacedChart, PlacedObject } from './placed-object.ts';

/** What a chart rendered for each phase. */
export type ChartByStage = ReadonlyMap<PhaseName, readonly ChartObject[]>;

/**
 * Places the objects of a chart that asks for the phase by value: an object belongs to the phases that it was rendered for. What such charts
 * leave out is added: what is installed is changed by upgrade and rollback too, and secrets, config and accounts are there in every phase that
 * runs something. An object that is another one in another phase is placed once for each.
 */
export function placeByStage(stages: ChartByStage): PlacedChart {
  const found = new Map<string, { chartObject: ChartObject; stages: PhaseName[] }>();
  for (const phase of phaseNames) {
    for (const chartObject of stages.get(phase) ?? []) {
      const key = canonicalJson(chartObject.object);
      const known = found.get(key) ?? { chartObject, stages: [] };
      found.set(key, known);
      if (!known.stages.includes(phase)) known.stages.push(phase);
    }
  }
  const all = [...found.values()].map(one => ({ ...one, ...placeOf(one.chartObject, one.stages) }));
  const running = all.filter(runsSomething).flatMap(one => one.phases);
  const placed = all
    .map(one => (one.role === 'support' ? { ...one, phases: supportPhases(one, all, running) } : one))
    .sort(
      (a, b) =>
        a.chartObject.weight - b.chartObject.weight ||
        compareForInstall(a.chartObject.object, b.chartObject.object),
    );
  return {
    placed: placed.map(({ stages: _, ...one }, order) => ({ ...one, order })),
    unplaced: [],
  };
}

interface Staged extends Pick<PlacedObject, 'chartObject' | 'role' | 'phases' | 'because'> {
  readonly stages: readonly PhaseName[];
}

function placeOf(
  { object, resourcePolicy }: ChartObject,
  stages: readonly PhaseName[],
): Pick<PlacedObject, 'role' | 'phases' | 'because'> {
  const { kind } = identityOf(object);
  const because = `the chart renders it for ${stages.join(', ')}`;
  if (resourcePolicy === 'keep')
    return {
      role: 'kept',
      phases: stages,
      because: `${because}; it says \`keep\`: made once, then left as it is`,
    };
  if (supportKinds.has(kind))
    return {
      role: 'support',
      phases: stages,
      because: `${because}; a ${kind} is there in every phase that runs something`,
    };
  if (taskKinds.has(kind)) return { role: 'task', phases: stages, because };
  if (!stages.includes('install')) return { role: 'workload', phases: stages, because };
  return {
    role: 'workload',
    phases: inOrder([...stages, 'upgrade', 'rollback']),
    because: `${because}; what is installed is changed by upgrade and rollback too`,
  };
}

/** Its own, and those that run something and have no other object of that name; of several, the first has them. */
function supportPhases(one: Staged, all: readonly Staged[], running: readonly PhaseName[]): PhaseName[] {
  const key = identityKey(one.chartObject.object);
  const alike = all.filter(other => identityKey(other.chartObject.object) === key);
  const taken = alike.flatMap(other => other.stages);
  const open =
    alike[0]?.chartObject === one.chartObject ? running.filter(phase => !taken.includes(phase)) : [];
  return inOrder([...one.stages, ...open]);
}

function runsSomething({ role, chartObject }: Staged): boolean {
  return role === 'task' || (role === 'workload' && !stillKinds.has(identityOf(chartObject.object).kind));
}

/** Each phase once, in the order of a service's life. */
function inOrder(phases: readonly PhaseName[]): PhaseName[] {
  return phaseNames.filter(phase => phases.includes(phase));
}
