import { isObject, type Json, setKey } from '../../../base/json.ts';
import { branch, difference, type FieldSet, intersection, isMember, union } from './field-set.ts';
import { elementOf, isNamedField, type MaybeSchema, schemaOfField, shapeOf } from './field-shape.ts';
import { fieldsOf } from './fields-of.ts';

/**
 * Takes away what was applied before (`last`) and that nobody owns any more (`owned` is what all own now), step by step as the
 * library of the API server does it (structured-merge-diff, `prune`). What is emptied by that is still there, for who compares;
 * `withoutEmptied` takes it away.
 */
export function pruneApplied(
  schema: MaybeSchema,
  merged: Json,
  last: FieldSet,
  owned: FieldSet | undefined,
): Json {
  const [lastNamed, all] = [withNamed(schema, last), withNamed(schema, fieldsOf(schema, merged))];
  const without = removeFields(schema, merged, lastNamed);
  // What somebody owns comes back,
  const kept = union(fieldSetOf(schema, without), withNamed(schema, owned));
  const pruned = removeFields(schema, merged, difference(all, kept));
  // and so does what was not applied before.
  return removeFields(schema, merged, intersection(difference(all, fieldSetOf(schema, pruned)), lastNamed));
}

/** What stands where everything was taken out of a map or list; told by identity from those that are meant to be empty. */
const emptiedMap: Json = Object.freeze({});
const emptiedList: Json = Object.freeze([]);

/** The value without what was emptied. A server keeps a null there, and then refuses the object for it. */
export function withoutEmptied(value: Json): Json {
  if (Array.isArray(value)) {
    const kept = value.map(withoutEmptied);
    return kept.every((item, index) => item === value[index]) ? value : kept;
  }
  if (!isObject(value)) return value;
  let kept: Record<string, Json> | undefined;
  for (const name of Object.keys(value)) {
    const item = value[name] as Json;
    const isEmptied = item === emptiedMap || item === emptiedList;
    const part = isEmptied ? undefined : withoutEmptied(item);
    if (part === item) continue;
    kept ??= { ...value };
    if (part === undefined) delete kept[name];
    else setKey(kept, name, part);
  }
  return kept ?? value;
}

function fieldSetOf(schema: MaybeSchema, value: Json): FieldSet | undefined {
  return withNamed(schema, fieldsOf(schema, value));
}

/** The set with every field of the schema in it that has something below it in the set. */
function withNamed(schema: MaybeSchema, set: FieldSet | undefined): FieldSet | undefined {
  if (!set) return undefined;
  const parts: Record<string, FieldSet> = {};
  for (const [element, below] of Object.entries(set)) {
    if (element === '.') continue;
    const name = element.startsWith('f:') ? element.slice(2) : undefined;
    const inner = withNamed(name === undefined ? schema?.items : schemaOfField(schema, name), below);
    const isIn = isMember(below) || (name !== undefined && isNamedField(schema, name));
    const { '.': _, ...rest } = inner ?? {};
    const part = branch(rest, isIn);
    if (part) parts[element] = part;
  }
  return branch(parts, isMember(set));
}

function removeFields(schema: MaybeSchema, value: Json, gone: FieldSet | undefined): Json {
  const shape = shapeOf(schema, value);
  if (!gone || shape === 'leaf') return value;
  if (Array.isArray(value)) {
    const kept = (value as readonly Json[]).flatMap(item => {
      const below = gone[elementOf(schema, item)];
      if (!below) return [item];
      return isMember(below) ? [] : [removeFields(schema?.items, item, below)];
    });
    return kept.length === 0 ? emptiedList : kept;
  }
  if (!isObject(value)) return value;
  const kept: Record<string, Json> = {};
  for (const [name, item] of Object.entries(value)) {
    const below = gone[`f:${name}`];
    if (!below) setKey(kept, name, item);
    else if (!isMember(below)) setKey(kept, name, removeFields(schemaOfField(schema, name), item, below));
  }
  return Object.keys(kept).length === 0 ? emptiedMap : kept;
}
