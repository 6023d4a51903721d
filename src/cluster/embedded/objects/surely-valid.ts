import { isDateTime } from '../../../api/schema/date-time.ts';
import { holds, type StructuralSchema } from '../../../api/schema/structural-schema.ts';
import { canonicalJson, isObject, type JsonObject } from '../../../base/json.ts';

type Check = (value: unknown) => boolean;

const checks = new WeakMap<StructuralSchema, Check>();

/**
 * Whether a value is valid for certain: a quick look that never says yes where `validate` would find something, and may say no
 * where it would not. Nearly everything that is written is right, so `validate`, which has words for everything, is seldom
 * needed. Rules that compare with the value before are not looked at: see `comparesWithBefore`.
 */
export function isSurelyValid(schema: StructuralSchema, value: unknown): boolean {
  return checkOf(schema)(value);
}

const comparing = new WeakMap<StructuralSchema, boolean>();

/** Whether a rule somewhere in a schema speaks of the value before. */
export function comparesWithBefore(schema: StructuralSchema): boolean {
  const known = comparing.get(schema);
  if (known !== undefined) return known;
  const below = [...Object.values(schema.properties ?? {}), schema.items, schema.additionalProperties];
  const does =
    (schema['x-kubernetes-validations'] ?? []).some(({ rule }) => rule.includes('oldSelf')) ||
    below.some(part => part !== undefined && comparesWithBefore(part));
  comparing.set(schema, does);
  return does;
}

function checkOf(schema: StructuralSchema): Check {
  const known = checks.get(schema);
  if (known) return known;
  const check = withRules(schema, makeCheck(schema));
  const made: Check = schema.nullable ? value => value === null || check(value) : check;
  checks.set(schema, made);
  return made;
}

function makeCheck(schema: StructuralSchema): Check {
  if (schema['x-kubernetes-int-or-string']) {
    const text = textCheck(schema);
    return value =>
      typeof value === 'string' ? text(value) : Number.isInteger(value) && inRange(schema, value);
  }
  switch (schema.type) {
    case 'string':
      return textCheck(schema);
    case 'boolean':
      return value => typeof value === 'boolean';
    case 'integer':
      return value => Number.isInteger(value) && inRange(schema, value);
    case 'number':
      return value => typeof value === 'number' && inRange(schema, value);
    case 'array':
      return listCheck(schema);
    case 'object':
      return objectCheck(schema);
    default:
      // Without a type anything may come; only a schema that demands nothing is surely met.
      return Object.keys(schema).every(
        key => key === 'description' || key === 'x-kubernetes-preserve-unknown-fields',
      )
        ? () => true
        : () => false;
  }
}

function inRange({ minimum, maximum }: StructuralSchema, value: unknown): boolean {
  const number = value as number;
  return (minimum === undefined || number >= minimum) && (maximum === undefined || number <= maximum);
}

function textCheck({ enum: words, maxLength, minLength = 0, pattern, format }: StructuralSchema): Check {
  const most = maxLength ?? Number.POSITIVE_INFINITY;
  const form = pattern === undefined ? undefined : new RegExp(pattern, 'u');
  return value =>
    typeof value === 'string' &&
    (words === undefined || words.includes(value)) &&
    value.length <= most &&
    // A character has one or two units: only in between they must be counted.
    (value.length >= minLength * 2 || [...value].length >= minLength) &&
    (form === undefined || form.test(value)) &&
    (format !== 'date-time' || isDateTime(value));
}

function listCheck(schema: StructuralSchema): Check {
  const { maxItems = Number.POSITIVE_INFINITY, minItems = 0, items } = schema;
  const item = items && checkOf(items);
  const how = schema['x-kubernetes-list-type'];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  return value => {
    if (!Array.isArray(value) || value.length > maxItems || value.length < minItems) return false;
    if (item && !value.every(item)) return false;
    if (value.length < 2 || (how !== 'map' && how !== 'set')) return true;
    const identities = value.map(one =>
      canonicalJson(how === 'set' ? one : keys.map(key => keyOf(one, key))),
    );
    return new Set(identities).size === value.length;
  };
}

function keyOf(item: unknown, key: string): unknown {
  return isObject(item) ? item[key] : undefined;
}

function objectCheck(schema: StructuralSchema): Check {
  const {
    properties,
    additionalProperties,
    required = [],
    maxProperties = Number.POSITIVE_INFINITY,
  } = schema;
  const fields = new Map(Object.entries(properties ?? {}).map(([name, field]) => [name, checkOf(field)]));
  const keepsUnknown = schema['x-kubernetes-preserve-unknown-fields'] === true || properties === undefined;
  const others = additionalProperties ? checkOf(additionalProperties) : () => keepsUnknown;
  return value => {
    if (!isObject(value)) return false;
    const names = Object.keys(value);
    if (names.length > maxProperties) return false;
    for (const name of names) {
      if (!(fields.get(name) ?? others)(value[name])) return false;
    }
    return required.every(name => Object.hasOwn(value, name) && (value as JsonObject)[name] !== undefined);
  };
}

function withRules(schema: StructuralSchema, check: Check): Check {
  const rules = (schema['x-kubernetes-validations'] ?? []).filter(({ rule }) => !rule.includes('oldSelf'));
  const predicates = rules.flatMap(rule => rule[holds] ?? []);
  if (predicates.length === 0) return check;
  return value =>
    check(value) && predicates.every(predicate => predicate(value as never, undefined as never));
}
