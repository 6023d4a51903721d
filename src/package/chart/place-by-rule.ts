import type { PackageLifecycle } from '../../api/package-lifecycle.ts';
import { type PhaseName, phaseNames } from '../../api/phase-names.ts';
import type { JsonObject } from '../../base/json.ts';
import { identityOf, referenceOf, stillKinds, taskKinds } from '../object-kinds.ts';
import { placeObjects } from '../place-objects.ts';
import { taskReferences } from '../task-references.ts';
import type { ChartObject } from './chart-object.ts';
import { orderPlaced } from './order-placed.ts';
import type { PlaceDraft, PlacedChart, UnplacedObject } from './placed-object.ts';
import { type ChartFact, hookPlaces, type PlacementRule, placementRules } from './placement-rules.ts';
import { podSpecOf } from './pod-template.ts';
import { settleMoments } from './settle-moments.ts';
import { trafficServiceOf } from './traffic-service.ts';
import { writtenByRoles } from './written-by-role.ts';

/**
 * Gives every object of a chart its role, its phases, its place in their order, and the reason. What a `lifecycle.yaml` of the chart names or
 * lists goes by that; all else by `placementRules`. Nothing waits for what comes later: a task that something waits for is moved before it, and
 * where that cannot be, it is told apart. The same objects give the same answer, in whatever order they come.
 */
export function placeByRule(objects: readonly ChartObject[], lifecycle?: PackageLifecycle): PlacedChart {
  const all = objects.map(({ object }) => object);
  const facts = { written: writtenByRoles(all), traffic: trafficServiceOf(all)?.service };
  const said = lifecycle ? placesSaid(objects, lifecycle) : new Map<ChartObject, PlaceDraft[]>();
  const drafts: PlaceDraft[] = [];
  const unplaced: UnplacedObject[] = [];
  for (const chartObject of objects) {
    const rule = placementRules.find(one => holds(one, chartObject, facts));
    const isKept = rule?.place?.role === 'kept';
    const own = isKept ? undefined : said.get(chartObject);
    if (own) drafts.push(...own);
    else if (lifecycle && isDestructive(rule?.place?.use)) unplaced.push({ chartObject, because: notNamed });
    else if (rule?.place) drafts.push(draftOf(chartObject, rule, rule.place));
    else unplaced.push({ chartObject, because: rule?.because ?? '' });
  }
  const settled = settleMoments(drafts);
  const ordered = orderPlaced(settled.drafts);
  const running = inOrder([
    'install',
    ...ordered.placed.filter(runsSomething).flatMap(({ phases }) => phases),
  ]);
  return {
    placed: ordered.placed.map((draft, order) => ({
      ...draft,
      order,
      phases: draft.role === 'support' ? running : draft.phases,
    })),
    unplaced: [...unplaced, ...settled.unplaced, ...ordered.unplaced],
  };
}

/** Such a task runs only as what it is named, and never because of the phase it would be in. */
function isDestructive(use: PlaceDraft['use']): boolean {
  return use === 'restore' || use === 'drop';
}

const notNamed = 'it overwrites or destroys data, and `data` of the lifecycle.yaml does not name it';

interface SetFacts {
  readonly written: ReadonlySet<JsonObject>;
  /** The Service whose slices are switched, where there is one. */
  readonly traffic: JsonObject | undefined;
}

function holds(rule: PlacementRule, chartObject: ChartObject, set: SetFacts): boolean {
  const { file, kinds, hooks, fact } = rule;
  const { kind } = identityOf(chartObject.object);
  return (
    (kinds === undefined || kinds.includes(kind)) &&
    (file === undefined || file.test(baseName(chartObject.file))) &&
    (hooks === undefined || chartObject.hooks.some(hook => hooks.test(hook))) &&
    (fact === undefined || isFact(fact, chartObject, set))
  );
}

function isFact(fact: ChartFact, { object, file, resourcePolicy }: ChartObject, set: SetFacts): boolean {
  const spec = object['spec'] as JsonObject | undefined;
  switch (fact) {
    case 'kept-by-policy':
      return resourcePolicy === 'keep';
    case 'written-by-role':
      return set.written.has(object);
    case 'crd-folder':
      return /(^|\/)crds\//.test(file);
    case 'never-ends':
      return (podSpecOf(object)?.['restartPolicy'] ?? 'Always') === 'Always';
    case 'exposes':
      return spec?.['type'] === 'LoadBalancer' && object !== set.traffic;
  }
}

function draftOf(
  chartObject: ChartObject,
  rule: PlacementRule,
  place: NonNullable<PlacementRule['place']>,
): PlaceDraft {
  const { role, use } = place;
  const byHook = chartObject.hooks.flatMap(hook =>
    Object.hasOwn(hookPlaces, hook) ? (hookPlaces[hook] ?? []) : [],
  );
  const phases =
    place.phases === 'hooks'
      ? byHook.map(({ phase }) => phase)
      : place.phases === 'running'
        ? []
        : place.phases;
  const moment =
    place.moment ??
    (place.phases === 'hooks' && byHook.every(one => one.moment === 'after') ? 'after' : 'before');
  return {
    ...{ chartObject, role, phases: inOrder(phases), because: sayRule(rule, chartObject) },
    ...(role === 'task' && isMoment(moment, phases) ? { moment } : {}),
    ...(use === undefined ? {} : { use }),
  };
}

/** What the rule went by, then its reason. */
function sayRule({ file, kinds, hooks, because }: PlacementRule, chartObject: ChartObject): string {
  const { kind } = identityOf(chartObject.object);
  const by = [
    ...(file === undefined ? [] : [baseName(chartObject.file)]),
    ...(hooks === undefined ? [] : [`hook ${chartObject.hooks.join(', ')}`]),
    ...(file === undefined && hooks === undefined && kinds !== undefined ? [`a ${kind}`] : []),
  ];
  return by.length === 0 ? because : `${by.join(', ')}: ${because}`;
}

/** What the chart's own `lifecycle.yaml` names one by one, or lists by file. */
function placesSaid(
  objects: readonly ChartObject[],
  lifecycle: PackageLifecycle,
): ReadonlyMap<ChartObject, PlaceDraft[]> {
  const { phases, components, support = [], post } = lifecycle;
  const lists = [phases, ...components.map(one => one.phases ?? {})].flatMap(one =>
    Object.values(one).flat(),
  );
  const files = new Set([...lists, ...support]);
  const named = new Set(taskReferences(lifecycle).map(({ reference }) => reference));
  const told = objects.filter(({ object, file }) => files.has(file) || named.has(referenceOf(object)));
  const manifests = told.map(one => ({ ...one, locate: () => undefined }));
  const found = new Map<ChartObject, PlaceDraft[]>();
  for (const { manifest, role, phases: own, because, component } of placeObjects(lifecycle, manifests)) {
    const chartObject = told[manifests.indexOf(manifest as (typeof manifests)[number])];
    if (!chartObject) continue;
    const moment = post.includes(referenceOf(chartObject.object)) ? 'after' : 'before';
    const draft: PlaceDraft = {
      ...{ chartObject, role, phases: own, because },
      ...(role === 'task' && own.some(changesSoftware) ? { moment } : {}),
      ...(component === undefined ? {} : { component }),
    };
    found.set(chartObject, [...(found.get(chartObject) ?? []), draft]);
  }
  return found;
}

/** Whether it matters when a task runs: software comes or changes, or has gone. */
function isMoment(moment: PlaceDraft['moment'], phases: readonly PhaseName[]): boolean {
  return phases.some(changesSoftware) || (moment === 'after' && phases.includes('delete'));
}

/** Whether software comes or changes in this phase. */
export function changesSoftware(phase: PhaseName): boolean {
  return phase === 'install' || phase === 'upgrade' || phase === 'rollback';
}

function runsSomething({ role, chartObject }: PlaceDraft): boolean {
  const { kind } = identityOf(chartObject.object);
  return taskKinds.has(kind) || (role === 'workload' && !stillKinds.has(kind));
}

function baseName(file: string): string {
  return (file.split('/').at(-1) ?? '').replace(/\.(ya?ml|tpl)$/, '');
}

/** Each phase once, in the order of a service's life. */
function inOrder(phases: readonly PhaseName[]): PhaseName[] {
  return phaseNames.filter(phase => phases.includes(phase));
}
