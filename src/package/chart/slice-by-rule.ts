import type { Strategy } from '../../api/fields.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { identityOf } from '../object-kinds.ts';
import { type ConfigName, changeConfigNames, configNamesOf } from './config-references.ts';
import { escapeObject } from './escape-text.ts';
import type { PlacedObject } from './placed-object.ts';
import {
  dependenciesOf,
  isAbout,
  type PodDependency,
  sayDependency,
  withoutDependencies,
} from './pod-dependencies.ts';
import { remainingStrategies } from './remaining-strategies.ts';
import { isNamed, oneForAll, type SliceRule, slicedConfig, sliceRules } from './slice-rules.ts';
import { slicePlaceholder, withSlice, withSliceLabels } from './slice-workload.ts';
import { trafficServiceOf } from './traffic-service.ts';

/** An object of a chart as it is rendered from then on: with `${slice}` where it is there once a slice, and literal text made literal. */
export interface SlicedObject extends PlacedObject, SliceRule {}

/** A chart whose versions can stand side by side, as far as they can. */
export interface SlicedChart {
  /** In order; config that both sliced and other pods use is there twice, once sliced and once shared. */
  readonly objects: readonly SlicedObject[];
  /** Strategies that remain; `recreate` always does. */
  readonly strategies: readonly Strategy[];
  /** What was decided that a person would want to know, for the plan: why a strategy is out, which waits were dropped. */
  readonly notes: readonly string[];
}

/**
 * Gives the objects of a chart that knows nothing of slices names and labels for slices: Deployments that can stand twice, what scales and guards
 * them, and the config that they or tasks use; references to those are changed with them. Everything else stays what it is, byte by byte, after
 * substitution. Pods do not wait any more for Jobs of the chart, which run before them under other names, nor for the Service that leads to them
 * only when they are tested.
 */
export function sliceByRule(placed: readonly PlacedObject[]): SlicedChart {
  const objects = placed.map(({ chartObject }) => chartObject.object);
  const traffic = trafficServiceOf(objects)?.service;
  const rules = sliceRules(placed);
  const ruleOf = (one: PlacedObject) => rules.get(one) ?? oneForAll;
  const twice = placed.filter(one => ruleOf(one).slice === 'sliced');
  const config = slicedConfig(placed, rules);
  const suffix = suffixFor(placed, [...twice, ...config]);
  const isConfig = ({ kind, name }: ConfigName) =>
    config.some(({ chartObject }) => isNamed(chartObject.object, kind, name));
  const notes: string[] = [];
  const wait = (one: PlacedObject) => isSettled(one, placed, traffic);
  const rewritten = placed.flatMap((one): SlicedObject[] => {
    const rule = ruleOf(one);
    const escaped = escapeObject(one.chartObject.object);
    notes.push(...dropped(one, wait(one)));
    const settled = withoutDependencies(escaped, wait(one));
    const usesSlice = rule.slice !== 'shared';
    const referring = usesSlice
      ? changeConfigNames(settled, name => (isConfig(name) ? `${name.name}${suffix}` : name.name))
      : settled;
    const object = rule.slice === 'sliced' ? withName(slicedParts(referring, suffix), suffix) : referring;
    const isCopied = config.includes(one);
    const own = { ...one, ...rule, chartObject: { ...one.chartObject, object } };
    if (!isCopied) return [own];
    return [own, asSliced(one, withName(escaped, suffix))];
  });
  const strategies = remainingStrategies({ placed, twice: new Set(twice), traffic, whyNot: rules });
  return {
    objects: withoutUnused(rewritten, config).map((one, order) => ({ ...one, order })),
    strategies: strategies.strategies,
    notes: [...strategies.notes, ...notes],
  };
}

/** A chart may itself have objects that end like slices: what follows a name then says that it is one. */
function suffixFor(placed: readonly PlacedObject[], sliced: readonly PlacedObject[]): string {
  // What pods use may also be of another chart.
  const all = placed.flatMap(({ chartObject: { object } }) => [identityOf(object), ...configNamesOf(object)]);
  const isTaken = (between: string) =>
    sliced.some(({ chartObject }) => {
      const { kind, name } = identityOf(chartObject.object);
      const begin = `${name}${between}`;
      return all.some(
        other =>
          other.kind === kind && other.name.startsWith(begin) && slices.test(other.name.slice(begin.length)),
      );
    });
  const between = ['-', '-slice-'].find(one => !isTaken(one)) ?? '-afloat-slice-';
  return `${between}${slicePlaceholder}`;
}

/** What slices are called. */
const slices = /^(blue|green|main|check|\d+)$/;

function withName(object: JsonObject, suffix: string): JsonObject {
  const metadata = isObject(object['metadata']) ? object['metadata'] : {};
  return { ...object, metadata: { ...metadata, name: `${identityOf(object).name}${suffix}` } };
}

/** What says, inside a sliced object, which slice it is of. */
function slicedParts(object: JsonObject, suffix: string): JsonObject {
  const { kind, spec } = object;
  if (kind === 'Deployment') return withSliceLabels(object);
  if (!isObject(spec)) return object;
  const { scaleTargetRef: target, selector } = spec;
  if (isObject(target))
    return {
      ...object,
      spec: { ...spec, scaleTargetRef: { ...target, name: `${target['name']}${suffix}` } },
    };
  return isObject(selector) ? { ...object, spec: { ...spec, selector: withSlice(selector) } } : object;
}

function asSliced(one: PlacedObject, object: JsonObject): SlicedObject {
  const sliceBecause = 'pods find the config of their own version';
  return { ...one, chartObject: { ...one.chartObject, object }, slice: 'sliced', sliceBecause };
}

/** Without shared config that nobody names any more: all who used it use the sliced one. What an object says about itself does not count. */
function withoutUnused(
  all: readonly SlicedObject[],
  config: readonly PlacedObject[],
): readonly SlicedObject[] {
  const copied = new Set(config.map(({ order }) => order));
  const texts = all.map(({ order, chartObject }) => {
    const { metadata: _metadata, ...rest } = chartObject.object;
    return { order, text: JSON.stringify(rest) };
  });
  return all.filter(({ order, slice, chartObject }) => {
    if (slice !== 'shared' || !copied.has(order)) return true;
    const name = JSON.stringify(identityOf(chartObject.object).name);
    return texts.some(other => other.order !== order && other.text.includes(name));
  });
}

/** What pods need not wait for: tasks of the chart, which ran before them, and the Service that leads to nobody before the test. */
function isSettled(
  waiter: PlacedObject,
  placed: readonly PlacedObject[],
  traffic: JsonObject | undefined,
): (dependency: PodDependency) => boolean {
  const tasks = placed.filter(({ role }) => role === 'task');
  return dependency =>
    (traffic !== undefined && isAbout(dependency, traffic)) ||
    tasks.some(task => task !== waiter && isAbout(dependency, task.chartObject.object));
}

function dropped({ chartObject }: PlacedObject, isDropped: (dependency: PodDependency) => boolean): string[] {
  const { kind, name } = identityOf(chartObject.object);
  return dependenciesOf(chartObject.object).flatMap(dependency => {
    const what = sayDependency(dependency);
    if (isDropped(dependency)) {
      const why =
        dependency.what === 'Service' ? 'it leads to a slice only after its test' : 'it has run by then';
      return [`${kind} ${name} does not wait for ${what}: ${why}`];
    }
    return dependency.what === 'Job' ? [`${kind} ${name} waits for ${what}, which is not of this chart`] : [];
  });
}
