import { isObject, type JsonObject } from '../../base/json.ts';
import { identityOf } from '../object-kinds.ts';
import { configNamesOf } from './config-references.ts';
import type { PlacedObject } from './placed-object.ts';
import { podLabelsOf } from './pod-template.ts';
import { takes, whyNotTwice } from './slice-workload.ts';

/** How an object fares when two versions stand side by side, and why. */
export interface SliceRule {
  /** `sliced`: there once a slice. `shared`: there once. `task`: run for one slice, under a name of its own. */
  readonly slice: 'sliced' | 'shared' | 'task';
  readonly sliceBecause: string;
}

/** The rule of what no other rule is about. */
export const oneForAll: SliceRule = { slice: 'shared', sliceBecause: 'one for all slices' };

const isKind = (kinds: readonly string[]) => (one: PlacedObject) =>
  kinds.includes(identityOf(one.chartObject.object).kind);

/** The rule of each object but for config, which depends on who uses it. */
export function sliceRules(placed: readonly PlacedObject[]): ReadonlyMap<PlacedObject, SliceRule> {
  const claims = placed
    .filter(isKind(['PersistentVolumeClaim']))
    .map(({ chartObject }) => chartObject.object);
  const rules = new Map<PlacedObject, SliceRule>();
  const shared = (sliceBecause: string): SliceRule => ({ slice: 'shared', sliceBecause });
  for (const one of placed) {
    const { object } = one.chartObject;
    const { kind } = identityOf(object);
    if (one.role === 'task')
      rules.set(one, { slice: 'task', sliceBecause: 'run for one slice, under a name of its own' });
    else if (one.role === 'kept') rules.set(one, shared('something else writes it: it belongs to no slice'));
    else if (kind === 'Deployment') {
      const why = whyNotTwice(object, claims);
      const sliced: SliceRule = { slice: 'sliced', sliceBecause: 'two versions stand side by side' };
      rules.set(one, why === undefined ? sliced : shared(`it ${why}, and cannot stand twice`));
    } else rules.set(one, sharedBecause[kind] === undefined ? oneForAll : shared(sharedBecause[kind]));
  }
  for (const one of placed) {
    const followed = followedBy(one, placed);
    if (followed.length > 0 && followed.every(other => rules.get(other)?.slice === 'sliced'))
      rules.set(one, { slice: 'sliced', sliceBecause: 'it goes with what it scales or guards' });
  }
  return rules;
}

const sharedBecause: Readonly<Record<string, string>> = {
  StatefulSet: 'its pods and volumes have numbers, and are there once',
  DaemonSet: 'one of its pods a host',
  Service: 'clients know its name; the router chooses the slice',
  ConfigMap: 'used by what is there once, or by nobody that can be seen',
  Secret: 'used by what is there once, or by nobody that can be seen',
  CronJob: 'what runs on a timer runs once, whatever slices there are',
};

/** The workloads that an autoscaler or a budget is about. */
function followedBy({ chartObject }: PlacedObject, placed: readonly PlacedObject[]): readonly PlacedObject[] {
  const { kind, spec } = chartObject.object;
  if (!isObject(spec)) return [];
  const workloads = placed.filter(isKind(['Deployment', 'StatefulSet', 'DaemonSet']));
  const { scaleTargetRef: target, selector } = spec;
  if (kind === 'HorizontalPodAutoscaler' && isObject(target))
    return workloads.filter(one => isNamed(one.chartObject.object, `${target['kind']}`, `${target['name']}`));
  if (kind === 'PodDisruptionBudget' && isObject(selector))
    return workloads.filter(one => takes(selector, podLabelsOf(one.chartObject.object)));
  return [];
}

/** The config that sliced workloads or tasks use. Who restarts in mid-upgrade finds that of its own version. */
export function slicedConfig(
  placed: readonly PlacedObject[],
  rules: ReadonlyMap<PlacedObject, SliceRule>,
): readonly PlacedObject[] {
  const users = placed.filter(one => rules.get(one)?.slice !== 'shared');
  const names = users.flatMap(({ chartObject }) => configNamesOf(chartObject.object));
  return placed.filter(({ role, chartObject: { object } }) => {
    if (role !== 'support' || object['type'] === 'kubernetes.io/service-account-token') return false;
    return names.some(({ kind, name }) => isNamed(object, kind, name));
  });
}

/** Whether this is the object of that kind and name. */
export function isNamed(object: JsonObject, kind: string, name: string): boolean {
  const own = identityOf(object);
  return own.kind === kind && own.name === name;
}
