import type { Side } from '../api/flow-kinds.ts';
import type { Oslc } from '../api/oslc.ts';
import type { MoveStatus, TrafficStatus, WayStatus } from '../api/phase-kinds.ts';
import { byAge, type CloudObjects, revisionsOf } from './cloud-objects.ts';
import { newestFlows, partOfFlow } from './leading-flows.ts';
import { moveWords } from './move-words.ts';
import type { Serving } from './view.ts';
import { isDead, waysOf } from './ways.ts';

/** Whether the version before a flow, and the one it brings, take requests, as its moves say. */
export interface Sides {
  readonly old: boolean;
  readonly new: boolean;
  /** Since when neither does. */
  readonly since?: string;
}

/** Who takes requests while a flow runs and after it: worked out from the moves it began, in their order. */
export function sidesOf({ spec, status }: Pick<Oslc, 'spec' | 'status'>): Sides {
  const step = spec.planned?.step;
  const kind = step?.flow ?? spec.flowKind;
  // What is changed in place never leaves traffic; which version it is, the end says. A contract brings none.
  const bringsVersion = kind !== 'uninstall' && kind !== 'contract';
  if (step?.strategy === 'inplace' && status?.end === 'operational' && bringsVersion)
    return { old: false, new: true };
  const all = Array.from({ length: step?.slices ?? 1 }, (_, index) => index + 1);
  const on = { old: new Set(kind === 'install' ? [] : all), new: new Set<number>() };
  let since: string | undefined;
  let wasServed = kind !== 'install';
  for (const move of status?.moves ?? []) {
    count(on, all, move);
    const isServed = on.old.size + on.new.size > 0;
    wasServed ||= isServed;
    since = isServed || !wasServed ? undefined : (since ?? move.finishedAt ?? move.startedAt);
  }
  return { old: on.old.size > 0, new: on.new.size > 0, ...(since === undefined ? {} : { since }) };
}

/** Keeps count of the slices of each side that have traffic. A move that names no slice is about all of them. */
function count(on: Readonly<Record<Side, Set<number>>>, all: readonly number[], move: MoveStatus): void {
  const words = moveWords(move.id);
  if (!words) return;
  const { task, side, slice } = words;
  const slices = slice === undefined ? all : [slice];
  // Traffic counts as given from the moment it begins, also where that failed half way, and as taken away only when that is done.
  if (task === 'give-traffic') for (const one of slices) on[side].add(one);
  const isTaken =
    (task === 'take-traffic' && move.state === 'done') || (task === 'remove' && move.state !== 'failed');
  if (isTaken) for (const one of slices) on[side].delete(one);
}

/**
 * Who serves the clients of a service now: the service as a whole, and beside it each part of it that a flow of its own is changing or
 * has left in trouble.
 */
export function servingOf(objects: CloudObjects, service: string): Serving[] {
  const flows = newestFlows(objects, service).filter(({ spec, status }) => spec.planned && status?.moves);
  const known = knownVersion(objects, service);
  const whole = flows.find(flow => partOfFlow(flow) === service);
  const parts = flows.filter(flow => partOfFlow(flow) !== service && flow.status?.end !== 'operational');
  return [
    whole
      ? servingBy(whole, known, objects)
      : { service, by: known ? [known] : [], expected: known !== undefined },
    ...parts.map(flow => ({ ...servingBy(flow, known, objects), part: partOfFlow(flow) })),
  ];
}

/** The same, but that who has traffic and does not answer serves nobody: what runs may die by itself, and no move tells of that. */
export function answeringOf(objects: CloudObjects, service: string): Serving[] {
  const ways = waysOf(objects, service);
  const serving = servingOf(objects, service);
  const dead = ways.filter(isDead);
  if (dead.length < ways.length)
    return [
      ...serving,
      ...dead.map(way => ({
        ...{ service, part: way.service, by: [], expected: serving[0]?.expected ?? true },
        ...sinceOf([way]),
      })),
    ];
  if (dead.length === 0) return serving;
  return serving.map(one => ({ ...one, ...(one.by.length > 0 ? sinceOf(dead) : {}), by: [] }));
}

function sinceOf(dead: readonly WayStatus[]): Pick<Serving, 'since'> {
  const [since] = dead.flatMap(way => way.since ?? []).sort();
  return since === undefined ? {} : { since };
}

/** Who serves what a flow is about, by its moves. */
function servingBy(flow: Oslc, known: Serving['by'][number] | undefined, objects: CloudObjects): Serving {
  const { spec, status } = flow;
  const step = spec.planned?.step;
  const sides = sidesOf(flow);
  const shares = sharesOf(objects, flow);
  const by: Serving['by'][number][] = [];
  const both = sides.old && sides.new;
  const add = (version: string | undefined, revision: number | undefined, slices: readonly string[]) => {
    const percent = both ? percentOf(shares, slices) : undefined;
    if (percent === 0) return;
    // Once it is over, the revision it left says more than its step.
    if (status?.end !== undefined && !both && known && known.version === version) return void by.push(known);
    by.push({
      ...(version === undefined ? {} : { version }),
      ...(revision === undefined ? {} : { revision }),
      // What is not sliced has traffic under another name than that of its slice.
      slices: shares.length === 0 ? slices : slices.filter(one => shares.some(({ slice }) => slice === one)),
      ...(percent === undefined || percent === 100 ? {} : { percent }),
    });
  };
  if (sides.old) add(step?.from?.version ?? known?.version, step?.from?.revision, status?.oldSlices ?? []);
  if (sides.new) add(step?.to?.version, status?.revision ?? step?.to?.revision, status?.newSlices ?? []);
  const wasThere =
    step?.flow !== 'install' || (status?.moves ?? []).some(({ id }) => id.includes('/give-traffic:'));
  const expected = wasThere && status?.end !== 'removed' && step?.flow !== 'uninstall';
  return {
    service: spec.serviceName,
    by,
    expected,
    ...(sides.since === undefined ? {} : { since: sides.since }),
  };
}

/** What the newest revision says; the record's own status where no revision is left. */
function knownVersion(objects: CloudObjects, service: string): Serving['by'][number] | undefined {
  const newest = revisionsOf(objects, service).at(-1);
  if (newest) {
    const { version, number, parts, flow } = newest.spec;
    if (flow === 'uninstall') return undefined;
    return { version, revision: number, slices: [...new Set(parts.flatMap(part => part.slices))] };
  }
  const told = objects.record?.status?.services?.find(({ name }) => name === service);
  if (told?.version === undefined) return undefined;
  return {
    version: told.version,
    ...(told.revision === undefined ? {} : { revision: told.revision }),
    slices: [],
  };
}

/** The shares that the newest phase of a flow saw. */
function sharesOf({ phases }: CloudObjects, flow: Oslc): TrafficStatus['slices'] {
  const own = byAge(phases.filter(({ spec }) => spec.move?.oslc === flow.metadata.name));
  return own.findLast(({ status }) => status?.traffic !== undefined)?.status?.traffic?.slices ?? [];
}

function percentOf(shares: TrafficStatus['slices'], slices: readonly string[]): number | undefined {
  const total = shares.reduce((sum, { weight }) => sum + weight, 0);
  if (total === 0 || slices.length === 0) return undefined;
  const own = shares
    .filter(({ slice }) => slices.includes(slice))
    .reduce((sum, { weight }) => sum + weight, 0);
  return Math.round((100 * own) / total);
}
