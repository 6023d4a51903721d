import type { StructuralSchema } from '../../../api/schema/structural-schema.ts';
import { isObject, type Json, setKey } from '../../../base/json.ts';
import { textInMap } from '../kinds/builtin-schema.ts';

/**
 * The value without the fields its schema does not know; their paths, which begin with `.` or `[`, are added to `dropped`. Null
 * for a field that may not be null is as if it was left out. What has nothing to lose is returned as it is.
 */
export function prune(schema: StructuralSchema, value: Json, dropped: string[]): Json {
  if (Array.isArray(value)) return pruneList(schema, value, dropped);
  if (!isObject(value)) return value;
  let kept: Record<string, Json> | undefined;
  for (const name in value) {
    const item = value[name] as Json;
    const from = dropped.length;
    const pruned = pruneField(schema, name, item, dropped);
    if (dropped.length > from) putBefore(dropped, from, `.${name}`);
    if (pruned === item) continue;
    kept ??= { ...value };
    if (pruned === undefined) delete kept[name];
    else setKey(kept, name, pruned);
  }
  return kept ?? value;
}

/** One field without what is not known in it; undefined for one that goes. */
function pruneField(schema: StructuralSchema, name: string, item: Json, dropped: string[]): Json | undefined {
  const field = fieldSchema(schema, name);
  if (!field && schema['x-kubernetes-preserve-unknown-fields'] === true) return item;
  if (!field) {
    dropped.push('');
    return undefined;
  }
  if (item === null) return isNullable(field) ? null : field === textInMap ? '' : undefined;
  return prune(field, item, dropped);
}

function pruneList(schema: StructuralSchema, list: readonly Json[], dropped: string[]): Json {
  const { items } = schema;
  // Most lists hold plain values, which have no fields to lose.
  if (items?.type !== 'object' && items?.type !== 'array') return list;
  const pruned = list.map((item, index) => {
    const from = dropped.length;
    const kept = prune(items, item, dropped);
    if (dropped.length > from) putBefore(dropped, from, `[${index}]`);
    return kept;
  });
  return pruned.every((item, index) => item === list[index]) ? list : pruned;
}

/** Leads the paths from there on through one more step: paths are put together only where there is something to say. */
export function putBefore(paths: string[], from: number, step: string): void {
  for (let at = from; at < paths.length; at++) paths[at] = `${step}${paths[at]}`;
}

/** The schema of one field; undefined where the field is not known. */
function fieldSchema(schema: StructuralSchema, name: string): StructuralSchema | undefined {
  const { properties, additionalProperties } = schema;
  if (properties && Object.hasOwn(properties, name)) return properties[name];
  return additionalProperties;
}

function isNullable(schema: StructuralSchema): boolean {
  return 'nullable' in schema ? schema.nullable === true : schema.type === undefined;
}
