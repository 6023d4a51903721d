import { canonicalJson, isObject } from '../../base/json.ts';
import { isDateTime } from './date-time.ts';
import type { FieldPath, Problem } from './problem.ts';
import { ruleProblems } from './rule-problems.ts';
import { patternSays, type StructuralSchema } from './structural-schema.ts';

const hidesRules = true;

/** Deeper than any kind we have; a guard against values built to exhaust the stack. */
const maxDepth = 64;

/**
 * Everything that is wrong with `value`; empty when it is valid. The value must have its defaults (`applyDefaults`), as
 * on an API server: rules read fields that way. Rules that span fields are looked at once every field is there, of the
 * right type and within its bounds; rules on updates only where there is an `old`.
 */
export function validate(schema: StructuralSchema, value: unknown, old?: unknown): Problem[] {
  const problems = fieldProblems(schema, value, []);
  if (problems.some(problem => problem.hidesRules)) return problems;
  return [...problems, ...ruleProblems(schema, value, [], old)];
}

/** What is wrong with the fields themselves, in the order of the value. */
function fieldProblems(schema: StructuralSchema, value: unknown, path: FieldPath): Problem[] {
  if (path.length > maxDepth)
    return [{ code: 'FieldType', path, message: `is nested deeper than ${maxDepth} levels`, hidesRules }];
  if (value === null && schema.nullable) return [];
  const wrongType = typeProblem(schema, value);
  if (wrongType) return [{ code: 'FieldType', path, message: wrongType, hidesRules }];
  const problems = [...scalarProblems(schema, value, path)];
  if (Array.isArray(value)) problems.push(...listProblems(schema, value, path));
  else if (isObject(value)) problems.push(...objectProblems(schema, value, path));
  return problems;
}

function typeProblem(schema: StructuralSchema, value: unknown): string | undefined {
  if (schema['x-kubernetes-int-or-string']) {
    const fits = typeof value === 'string' || Number.isInteger(value);
    return fits ? undefined : `must be a whole number or text, but is ${describe(value)}`;
  }
  if (schema.type === undefined) return undefined;
  if (hasType(schema.type, value)) return undefined;
  // Text in the place of a map or list may be anything, a secret too: it is not repeated.
  const unsaid = typeof value === 'string' && (schema.type === 'object' || schema.type === 'array');
  return `must be ${typeWords[schema.type]}, but is ${unsaid ? 'text' : describe(value)}`;
}

const typeWords = {
  object: 'an object',
  array: 'a list',
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
} as const;

function hasType(type: NonNullable<StructuralSchema['type']>, value: unknown): boolean {
  if (type === 'object') return isObject(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  return type === typeof value;
}

function describe(value: unknown): string {
  if (value === null) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return `the text ${quote(value)}`;
  return typeof value === 'object' ? 'an object' : `${value}`;
}

function* scalarProblems(schema: StructuralSchema, value: unknown, path: FieldPath): Generator<Problem> {
  if (typeof value === 'string') yield* textProblems(schema, value, path);
  if (typeof value !== 'number') return;
  if (schema.minimum !== undefined && value < schema.minimum) {
    yield { code: 'FieldInvalid', path, message: `is ${value}, but the least is ${schema.minimum}` };
  }
  if (schema.maximum !== undefined && value > schema.maximum) {
    yield { code: 'FieldInvalid', path, message: `is ${value}, but the most is ${schema.maximum}` };
  }
}

function* textProblems(schema: StructuralSchema, value: string, path: FieldPath): Generator<Problem> {
  if (schema.enum && !schema.enum.includes(value)) {
    const message = `is ${quote(value)}, but must be one of ${schema.enum.join(', ')}`;
    yield { code: 'FieldInvalid', path, message, candidates: schema.enum, written: value, hidesRules };
  }
  // An API server counts characters, not UTF-16 units.
  const length = [...value].length;
  if (schema.maxLength !== undefined && length > schema.maxLength) {
    yield {
      code: 'FieldInvalid',
      path,
      message: `has ${length} characters, but the most is ${schema.maxLength}`,
      hidesRules,
    };
    return;
  }
  if (schema.minLength !== undefined && length < schema.minLength) {
    const least = `${schema.minLength} ${schema.minLength === 1 ? 'character' : 'characters'}`;
    yield { code: 'FieldInvalid', path, message: length === 0 ? 'is empty' : `is shorter than ${least}` };
    return;
  }
  if (schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(value)) {
    yield {
      code: 'FieldInvalid',
      path,
      message: `is ${quote(value)}, but must be ${schema[patternSays] ?? `text that matches ${schema.pattern}`}`,
    };
  }
  if (schema.format === 'date-time' && !isDateTime(value)) {
    yield {
      code: 'FieldInvalid',
      path,
      message: `is ${quote(value)}, which is no date and time such as 2026-01-31T22:00:00Z`,
    };
  }
}

function* listProblems(
  schema: StructuralSchema,
  items: readonly unknown[],
  path: FieldPath,
): Generator<Problem> {
  if (schema.maxItems !== undefined && items.length > schema.maxItems) {
    yield {
      code: 'FieldInvalid',
      path,
      message: `has ${items.length} items, but the most is ${schema.maxItems}`,
      hidesRules,
    };
    return;
  }
  if (schema.minItems !== undefined && items.length < schema.minItems) {
    yield {
      code: 'FieldInvalid',
      path,
      message: `has ${items.length} items, but the least is ${schema.minItems}`,
    };
  }
  for (const [index, item] of items.entries()) {
    if (schema.items) yield* fieldProblems(schema.items, item, [...path, index]);
  }
  yield* duplicateProblems(schema, items, path);
}

/** Two items with the same key are one item written twice: a list that is merged by key cannot hold both. */
function* duplicateProblems(
  schema: StructuralSchema,
  items: readonly unknown[],
  path: FieldPath,
): Generator<Problem> {
  const listType = schema['x-kubernetes-list-type'];
  if (listType !== 'map' && listType !== 'set') return;
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const seen = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    const identity = listType === 'set' ? item : keys.map(key => (isObject(item) ? item[key] : undefined));
    if (listType === 'map' && (identity as unknown[]).some(part => part === undefined)) continue;
    const text = canonicalJson(identity);
    const first = seen.get(text);
    if (first === undefined) seen.set(text, index);
    else {
      const name =
        listType === 'set' ? text : (identity as unknown[]).map(part => quote(`${part}`)).join(', ');
      yield {
        code: 'FieldDuplicate',
        path: [...path, index],
        message: `${name} is there twice: also at index ${first}`,
      };
    }
  }
}

function* objectProblems(
  schema: StructuralSchema,
  value: Readonly<Record<string, unknown>>,
  path: FieldPath,
): Generator<Problem> {
  const properties = schema.properties ?? {};
  const size = Object.keys(value).length;
  if (schema.maxProperties !== undefined && size > schema.maxProperties) {
    yield {
      code: 'FieldInvalid',
      path,
      message: `has ${size} entries, but the most is ${schema.maxProperties}`,
      hidesRules,
    };
  }
  for (const [name, item] of Object.entries(value)) {
    const field = Object.hasOwn(properties, name) ? properties[name] : schema.additionalProperties;
    if (field) yield* fieldProblems(field, item, [...path, name]);
    else if (!schema['x-kubernetes-preserve-unknown-fields'] && schema.properties) {
      const candidates = Object.keys(properties);
      yield {
        code: 'FieldUnknown',
        path: [...path, name],
        message: 'is not a known field',
        candidates,
        written: name,
      };
    }
  }
  for (const name of schema.required ?? []) {
    if (!Object.hasOwn(value, name)) {
      yield { code: 'FieldMissing', path: [...path, name], message: 'is missing', hidesRules };
    }
  }
}

function quote(value: string): string {
  return value.length > 60 ? `"${value.slice(0, 57)}..."` : `"${value}"`;
}
