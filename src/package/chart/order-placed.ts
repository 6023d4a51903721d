import { compareText } from '../../base/json.ts';
import { compareForInstall, identityOf } from '../object-kinds.ts';
import type { ChartObject } from './chart-object.ts';
import type { PlaceDraft, UnplacedObject } from './placed-object.ts';
import { waitsOf } from './settle-moments.ts';

/**
 * Puts objects into the order in which they are made or run: what others need, tasks before the software, the software, tasks after it, all
 * else. Inside a group by the step of Helm's hooks, by their weight, then as Helm installs kinds; but a task never before one that it waits
 * for. Tasks that wait for each other have no order and are told apart.
 */
export function orderPlaced(drafts: readonly PlaceDraft[]): {
  readonly placed: readonly PlaceDraft[];
  readonly unplaced: readonly UnplacedObject[];
} {
  const sorted = [...drafts].sort(compareDrafts);
  const waits = waitsOf(sorted);
  const placed: PlaceDraft[] = [];
  const done = new Set<PlaceDraft>();
  let left = sorted;
  while (left.length > 0) {
    const next = left.find(one => one.role !== 'task' || (waits.get(one) ?? []).every(job => done.has(job)));
    if (!next) break;
    placed.push(next);
    done.add(next);
    left = left.filter(one => one !== next);
  }
  return { placed: inGroups(placed), unplaced: left.map(one => circle(one, waits.get(one) ?? [])) };
}

/** A task that had to wait for another may have come behind what follows its group. */
function inGroups(placed: readonly PlaceDraft[]): readonly PlaceDraft[] {
  return placed.toSorted((a, b) => groupOf(a) - groupOf(b));
}

function circle({ chartObject }: PlaceDraft, waits: readonly PlaceDraft[]): UnplacedObject {
  const names = waits
    .map(one => identityOf(one.chartObject.object))
    .map(({ kind, name }) => `${kind} ${name}`);
  return { chartObject, because: `it waits for ${names.join(', ')}, and that for it` };
}

function compareDrafts(a: PlaceDraft, b: PlaceDraft): number {
  return (
    groupOf(a) - groupOf(b) ||
    (a.role === 'task' && b.role === 'task' ? compareHooks(a.chartObject, b.chartObject) : 0) ||
    compareForInstall(a.chartObject.object, b.chartObject.object) ||
    compareText(a.chartObject.file, b.chartObject.file) ||
    compareText(a.component ?? '', b.component ?? '')
  );
}

function compareHooks(a: ChartObject, b: ChartObject): number {
  return stepOf(a) - stepOf(b) || a.weight - b.weight;
}

/** Helm runs hooks that come before, then makes the release, then runs those that come after. */
function stepOf({ hooks }: ChartObject): number {
  if (hooks.length === 0) return 1;
  return hooks.some(hook => hook.startsWith('pre-') || hook === 'crd-install') ? 0 : 2;
}

function groupOf({ role, phases, moment }: PlaceDraft): number {
  if (role === 'support' || role === 'kept') return 0;
  if (role === 'task')
    return moment === 'before' || phases.includes('planning') ? 1 : moment === 'after' ? 3 : 4;
  return phases.includes('install') ? 2 : 5;
}
