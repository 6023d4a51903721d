import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { identityOf } from '../object-kinds.ts';
import {
  changeContainers,
  changePodTemplate,
  containersOf,
  isSelected,
  listOf,
  podLabelsOf,
  podSpecOf,
  textMap,
} from './pod-template.ts';

/** Something that the pods of an object wait for in an init container before they begin (openstack-helm's kubernetes-entrypoint). */
export interface PodDependency {
  readonly what: 'Job' | 'Service' | 'DaemonSet' | 'Pod';
  /** By name, or else by labels. */
  readonly name?: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

interface Variable {
  readonly what: PodDependency['what'];
  readonly form: 'names' | 'json';
}

/** The variables that say so. */
const variables: Readonly<Record<string, Variable>> = {
  DEPENDENCY_JOBS: { what: 'Job', form: 'names' },
  DEPENDENCY_JOBS_JSON: { what: 'Job', form: 'json' },
  DEPENDENCY_SERVICE: { what: 'Service', form: 'names' },
  DEPENDENCY_DAEMONSET: { what: 'DaemonSet', form: 'names' },
  DEPENDENCY_POD_JSON: { what: 'Pod', form: 'json' },
};

/** All that the pods of an object wait for, in the order it is written. */
export function dependenciesOf(object: JsonObject): readonly PodDependency[] {
  return containersOf(podSpecOf(object) ?? {}).flatMap(container =>
    listOf(container['env']).flatMap(entry => {
      const variable = variableOf(entry);
      return variable ? entriesOf(variable).map(({ dependency }) => dependency) : [];
    }),
  );
}

/** The object whose pods do not wait for these any more; itself where they never did. */
export function withoutDependencies(
  object: JsonObject,
  isDropped: (dependency: PodDependency) => boolean,
): JsonObject {
  const withoutIn = (entry: Json): Json => {
    const variable = variableOf(entry);
    if (!variable || !isObject(entry)) return entry;
    const entries = entriesOf(variable);
    const left = entries.filter(({ dependency }) => !isDropped(dependency));
    if (left.length === entries.length) return entry;
    const written = left.map(one => one.written);
    return { ...entry, value: variable.form === 'json' ? JSON.stringify(written) : written.join(',') };
  };
  return changePodTemplate(object, template => {
    const { spec } = template;
    if (!isObject(spec)) return template;
    const changed = changeContainers(spec, container => {
      const before = listOf(container['env']);
      const env = before.map(withoutIn);
      return env.every((one, index) => one === before[index]) ? container : { ...container, env };
    });
    return changed === spec ? template : { ...template, spec: changed };
  });
}

/** Whether this is an object that a dependency is about; pods are looked for among those that an object starts. */
export function isAbout(dependency: PodDependency, object: JsonObject): boolean {
  const { kind, name, namespace } = identityOf(object);
  const isElsewhere = namespace !== '' && (dependency.namespace ?? namespace) !== namespace;
  if (isElsewhere) return false;
  if (dependency.what === 'Pod')
    return kind !== 'Job' && isSelected(dependency.labels ?? {}, podLabelsOf(object));
  if (dependency.what !== kind) return false;
  if (dependency.name !== undefined) return dependency.name === name;
  const metadata = isObject(object['metadata']) ? object['metadata'] : {};
  const labels = { ...podLabelsOf(object), ...textMap(metadata['labels']) };
  return isSelected(dependency.labels ?? {}, labels);
}

/** A dependency in words: `Job keystone-db-sync`. */
export function sayDependency({ what, name, labels = {} }: PodDependency): string {
  if (name !== undefined) return `${what} ${name}`;
  return `${what} with ${Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',')}`;
}

interface Written {
  readonly written: Json;
  readonly dependency: PodDependency;
}

function variableOf(entry: Json): (Variable & { readonly value: string }) | undefined {
  if (!isObject(entry) || typeof entry['value'] !== 'string') return undefined;
  const name = `${entry['name']}`;
  const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
  return variable && { ...variable, value: entry['value'] };
}

function entriesOf({ what, form, value }: Variable & { readonly value: string }): Written[] {
  if (form === 'json')
    return jsonOf(value).map(written => ({ written, dependency: fromJson(what, written) }));
  const names = value.split(',').map(text => text.trim());
  return names.filter(text => text !== '').map(written => ({ written, dependency: fromName(what, written) }));
}

/** `namespace:name`, or a name alone. */
function fromName(what: PodDependency['what'], written: string): PodDependency {
  const [first = '', second] = written.split(':');
  return second === undefined ? { what, name: first } : { what, name: second, namespace: first };
}

function fromJson(what: PodDependency['what'], written: Json): PodDependency {
  const { name, namespace, labels } = isObject(written) ? written : ({} as JsonObject);
  return {
    what,
    ...(typeof name === 'string' && name !== '' ? { name } : {}),
    ...(typeof namespace === 'string' && namespace !== '' ? { namespace } : {}),
    ...(isObject(labels) ? { labels: textMap(labels) } : {}),
  };
}

/** What is not a list waits for nothing that we could know. */
function jsonOf(value: string): readonly Json[] {
  try {
    const parsed: Json = JSON.parse(value);
    return listOf(parsed);
  } catch {
    return [];
  }
}
