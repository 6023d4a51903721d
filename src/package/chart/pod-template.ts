import { isObject, type Json, type JsonObject } from '../../base/json.ts';

/** Where the template of its pods stands in an object of these kinds; a Pod is one itself. */
const templatePaths: Readonly<Record<string, readonly string[]>> = {
  Pod: [],
  CronJob: ['spec', 'jobTemplate', 'spec', 'template'],
  ...Object.fromEntries(
    ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'ReplicationController', 'Job'].map(kind => [
      kind,
      ['spec', 'template'],
    ]),
  ),
};

/** What the pods of an object are made from: an object with `metadata` and `spec`; undefined where it starts none. */
export function podTemplateOf(object: JsonObject): JsonObject | undefined {
  const path = templatePaths[`${object['kind']}`];
  if (path === undefined) return undefined;
  const template = path.reduce<Json | undefined>((at, key) => (isObject(at) ? at[key] : undefined), object);
  return isObject(template) ? template : undefined;
}

/** The spec of its pods; undefined where it starts none. */
export function podSpecOf(object: JsonObject): JsonObject | undefined {
  const spec = podTemplateOf(object)?.['spec'];
  return isObject(spec) ? spec : undefined;
}

/** The labels of its pods. */
export function podLabelsOf(object: JsonObject): Readonly<Record<string, string>> {
  const metadata = podTemplateOf(object)?.['metadata'];
  return textMap(isObject(metadata) ? metadata['labels'] : undefined);
}

/** The object with another pod template; itself where the template stays what it is, or where there is none. */
export function changePodTemplate(
  object: JsonObject,
  change: (template: JsonObject) => JsonObject,
): JsonObject {
  const path = templatePaths[`${object['kind']}`];
  return path === undefined || !podTemplateOf(object) ? object : changeAt(object, path, change);
}

function changeAt(
  object: JsonObject,
  [key, ...rest]: readonly string[],
  change: (at: JsonObject) => JsonObject,
): JsonObject {
  if (key === undefined) return change(object);
  const below = object[key];
  if (!isObject(below)) return object;
  const changed = changeAt(below, rest, change);
  return changed === below ? object : { ...object, [key]: changed };
}

/** All containers of a pod, those that run first too. */
export function containersOf(spec: JsonObject): readonly JsonObject[] {
  return containerLists.flatMap(list => listOf(spec[list]).filter(isObject));
}

/** The spec with each of its containers changed; itself where none is. */
export function changeContainers(
  spec: JsonObject,
  change: (container: JsonObject) => JsonObject,
): JsonObject {
  let changed = spec;
  for (const list of containerLists) {
    const before = spec[list];
    if (!Array.isArray(before)) continue;
    const after = before.map((one: Json) => (isObject(one) ? change(one) : one));
    if (after.some((one, index) => one !== before[index])) changed = { ...changed, [list]: after };
  }
  return changed;
}

const containerLists = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/** A list, or the empty one where there is none. */
export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** The entries of a map that are text. */
export function textMap(value: Json | undefined): Readonly<Record<string, string>> {
  if (!isObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** Whether labels are such that a plain selector takes them. A selector without entries takes nobody. */
export function isSelected(
  selector: Readonly<Record<string, string>>,
  labels: Readonly<Record<string, string>>,
): boolean {
  const entries = Object.entries(selector);
  return entries.length > 0 && entries.every(([key, value]) => labels[key] === value);
}
