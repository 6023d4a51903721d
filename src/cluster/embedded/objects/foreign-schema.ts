import { isIPv4, isIPv6 } from 'node:net';
import type { FieldPath, Problem } from '../../../api/schema/problem.ts';
import type { StructuralSchema } from '../../../api/schema/structural-schema.ts';
import { validate } from '../../../api/schema/validate.ts';
import { isObject, sameJson } from '../../../base/json.ts';

/** What schemas of others may demand beyond those of our own kinds. */
interface ForeignSchema extends Omit<StructuralSchema, 'enum'> {
  readonly enum?: readonly unknown[];
  readonly minProperties?: number;
  readonly multipleOf?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly allOf?: readonly StructuralSchema[];
  readonly anyOf?: readonly StructuralSchema[];
  readonly oneOf?: readonly StructuralSchema[];
  readonly not?: StructuralSchema;
}

const demanding = new WeakMap<StructuralSchema, boolean>();

/** Whether a schema, or one below it, demands something that `validate` does not look at. None of ours does. */
export function demandsMore(schema: StructuralSchema): boolean {
  const known = demanding.get(schema);
  if (known !== undefined) return known;
  const { minProperties, multipleOf, exclusiveMinimum, exclusiveMaximum, ...more } = schema as ForeignSchema;
  const marks = [minProperties, multipleOf, exclusiveMinimum, exclusiveMaximum, more.allOf, more.anyOf];
  const below = [...Object.values(schema.properties ?? {}), schema.items, schema.additionalProperties];
  const does =
    [...marks, more.oneOf, more.not].some(mark => mark !== undefined) ||
    (schema.format !== undefined && Object.hasOwn(formats, schema.format)) ||
    (more.enum ?? []).some(one => typeof one !== 'string') ||
    below.some(part => isObject(part) && demandsMore(part));
  demanding.set(schema, does);
  return does;
}

/** What is wrong with a value by those demands. Rules in CEL are not looked at: that is a known difference. */
export function* foreignProblems(
  schema: StructuralSchema,
  value: unknown,
  path: FieldPath = [],
): Generator<Problem> {
  if (!demandsMore(schema) || value === null) return;
  yield* ownProblems(schema as ForeignSchema, value, path);
  yield* unionProblems(schema as ForeignSchema, value, path);
  const { properties = {}, additionalProperties, items } = schema;
  if (Array.isArray(value)) {
    if (items)
      for (const [index, item] of value.entries()) yield* foreignProblems(items, item, [...path, index]);
  } else if (isObject(value)) {
    for (const [name, item] of Object.entries(value)) {
      const field = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
      if (isObject(field)) yield* foreignProblems(field, item, [...path, name]);
    }
  }
}

function* ownProblems(schema: ForeignSchema, value: unknown, path: FieldPath): Generator<Problem> {
  const wrong = (message: string): Problem => ({ code: 'FieldInvalid', path, message });
  const { minProperties = 0, multipleOf, format = '' } = schema;
  if (isObject(value) && Object.keys(value).length < minProperties) {
    yield wrong(`should have at least ${minProperties} properties`);
  }
  if (typeof value === 'number') {
    if (multipleOf !== undefined && !isMultiple(value, multipleOf))
      yield wrong(`should be a multiple of ${multipleOf}`);
    if (schema.exclusiveMinimum && value === schema.minimum)
      yield wrong(`should be greater than ${schema.minimum}`);
    if (schema.exclusiveMaximum && value === schema.maximum)
      yield wrong(`should be less than ${schema.maximum}`);
  }
  if (schema.enum && typeof value !== 'string' && !schema.enum.some(one => sameJson(one, value))) {
    const candidates = schema.enum.map(one => JSON.stringify(one));
    yield { ...wrong(`must be one of ${candidates.join(', ')}`), candidates, written: JSON.stringify(value) };
  }
  const fits = Object.hasOwn(formats, format) ? formats[format] : undefined;
  if (fits && !fits(value)) yield wrong(`must be of type ${format}`);
}

function isMultiple(value: number, of: number): boolean {
  const times = value / of;
  return Math.abs(times - Math.round(times)) < 1e-9;
}

function* unionProblems(schema: ForeignSchema, value: unknown, path: FieldPath): Generator<Problem> {
  const wrong = (message: string): Problem => ({ code: 'FieldInvalid', path, message });
  const { allOf = [], anyOf, oneOf, not } = schema;
  if (!allOf.every(part => isMet(part, value))) yield wrong('must validate all the schemas (allOf)');
  if (anyOf && !anyOf.some(part => isMet(part, value)))
    yield wrong('must validate at least one schema (anyOf)');
  if (oneOf && oneOf.filter(part => isMet(part, value)).length !== 1) {
    yield wrong('must validate one and only one schema (oneOf)');
  }
  if (not && isMet(not, value)) yield wrong('must not validate the schema (not)');
}

/** A part of a union speaks of some fields only; the others are none of its business. */
function isMet(schema: StructuralSchema, value: unknown): boolean {
  if (validate(schema, value).some(problem => problem.code !== 'FieldUnknown')) return false;
  return foreignProblems(schema, value).next().done === true;
}

const isText = (fits: (text: string) => boolean) => (value: unknown) =>
  typeof value !== 'string' || fits(value);
const isWhole = (bits: number) => (value: unknown) =>
  typeof value !== 'number' || (value >= -(2 ** (bits - 1)) && value <= 2 ** (bits - 1) - 1);

/** Formats that a server looks at, as far as they are simple. One that is not known demands nothing, there too. */
const formats: Readonly<Record<string, (value: unknown) => boolean>> = {
  int32: isWhole(32),
  int64: isWhole(64),
  ipv4: isText(isIPv4),
  ipv6: isText(isIPv6),
  cidr: isText(text => {
    const [, address = '', bits = ''] = /^(.+)\/(\d{1,3})$/.exec(text) ?? [];
    return (isIPv4(address) && Number(bits) <= 32) || (isIPv6(address) && Number(bits) <= 128);
  }),
  mac: isText(text =>
    /^([0-9a-f]{2}([:-])([0-9a-f]{2}\2){4}[0-9a-f]{2}|([0-9a-f]{4}\.){2}[0-9a-f]{4})$/i.test(text),
  ),
  uuid: isText(text => /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(text)),
  date: isText(text => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`))),
  byte: isText(text => /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)),
};
