import type { Rule, StructuralSchema } from './structural-schema.ts';
import { holds, patternSays } from './structural-schema.ts';

declare const valueType: unique symbol;
declare const writtenType: unique symbol;

/**
 * A structural schema that knows its TypeScript types: `Value` after defaulting, `Written` as a person may write it.
 * Both types exist only for the compiler; at run time a schema is its `json` and nothing else.
 */
export interface Schema<Value, Written = Value> {
  readonly json: StructuralSchema;
  readonly [valueType]?: Value;
  readonly [writtenType]?: Written;
}

/** A field that may be left out, and then is absent. */
export interface Optional<Value, Written = Value> extends Schema<Value, Written> {
  readonly presence: 'optional';
}

/** A field that may be left out, and then has the schema's default. */
export interface Defaulted<Value, Written = Value> extends Schema<Value, Written> {
  readonly presence: 'defaulted';
}

/** The type of a value that passed this schema and got its defaults. */
export type ValueOf<S> = S extends { readonly [valueType]?: infer Value } ? Exclude<Value, undefined> : never;

/** The type of a value as a person may write it: defaulted fields may be left out. */
export type WrittenAs<S> = S extends { readonly [writtenType]?: infer Written }
  ? Exclude<Written, undefined>
  : never;

type Fields = Readonly<Record<string, Schema<unknown>>>;
type OptionalKeys<F> = { [K in keyof F]: F[K] extends { presence: 'optional' } ? K : never }[keyof F];
type LeavableKeys<F> = { [K in keyof F]: F[K] extends { presence: string } ? K : never }[keyof F];
type Flat<T> = { readonly [K in keyof T]: T[K] };
type FieldValues<F> = Flat<
  { [K in Exclude<keyof F, OptionalKeys<F>>]: ValueOf<F[K]> } & { [K in OptionalKeys<F>]?: ValueOf<F[K]> }
>;
type FieldsWritten<F> = Flat<
  { [K in Exclude<keyof F, LeavableKeys<F>>]: WrittenAs<F[K]> } & { [K in LeavableKeys<F>]?: WrittenAs<F[K]> }
>;

/** Marks a field that may be absent. */
export function optional<V, W>(schema: Schema<V, W>): Optional<V, W> {
  return { ...schema, presence: 'optional' };
}

/** Marks a field that gets `value` when absent. */
export function defaulted<V, W>(schema: Schema<V, W>, value: W): Defaulted<V, W> {
  return { json: { ...schema.json, default: value }, presence: 'defaulted' };
}

/**
 * Text of at most `max` characters. Every text has a maximum: CEL costs are reckoned from it. `says` is the pattern in
 * words, for messages.
 */
export function text(
  description: string,
  limits: { max: number; min?: number; pattern?: string; says?: string; format?: string },
): Schema<string> {
  const { max, min, pattern, says, format } = limits;
  return {
    json: {
      type: 'string',
      description,
      maxLength: max,
      ...(min === undefined ? {} : { minLength: min }),
      ...(pattern === undefined ? {} : { pattern }),
      ...(says === undefined ? {} : { [patternSays]: says }),
      ...(format === undefined ? {} : { format }),
    },
  };
}

/** One of the given words. */
export function choice<const Words extends readonly string[]>(
  description: string,
  words: Words,
): Schema<Words[number]> {
  return { json: { type: 'string', description, enum: words } };
}

/** A whole number between `min` and `max`. */
export function integer(description: string, limits: { min: number; max: number }): Schema<number> {
  return { json: { type: 'integer', description, minimum: limits.min, maximum: limits.max } };
}

/** True or false. */
export function flag(description: string): Schema<boolean> {
  return { json: { type: 'boolean', description } };
}

/**
 * A list of at most `max` items. With `keys` the items are told apart by those fields, so that two writers can each
 * own their items and a duplicate is refused; with `set` the items are plain values and unique.
 */
export function list<V, W>(
  description: string,
  items: Schema<V, W>,
  limits: { max: number; min?: number; keys?: readonly string[]; set?: true },
): Schema<readonly V[], readonly W[]> {
  return {
    json: {
      type: 'array',
      description,
      items: items.json,
      maxItems: limits.max,
      ...(limits.min === undefined ? {} : { minItems: limits.min }),
      ...(limits.keys ? { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': limits.keys } : {}),
      ...(limits.set ? { 'x-kubernetes-list-type': 'set' } : {}),
    },
  };
}

/** A map from any text to one kind of value. */
export function map<V, W>(
  description: string,
  values: Schema<V, W>,
  limits: { max: number },
): Schema<Readonly<Record<string, V>>, Readonly<Record<string, W>>> {
  return {
    json: { type: 'object', description, additionalProperties: values.json, maxProperties: limits.max },
  };
}

/** An object whose content is the business of somebody else: a chart's values, a manifest. */
export function anyObject<T = Readonly<Record<string, unknown>>>(description: string): Schema<T> {
  return { json: { type: 'object', description, 'x-kubernetes-preserve-unknown-fields': true } };
}

/** A rule over the fields of an object, as CEL and as a predicate; `old` is there for rules on updates. */
export function rule<V>(
  cel: string,
  predicate: (value: V, old: V) => boolean,
  message: string,
  fieldPath?: string,
): Rule {
  return {
    rule: cel,
    message,
    ...(fieldPath ? { fieldPath } : {}),
    [holds]: predicate as NonNullable<Rule[typeof holds]>,
  };
}

/**
 * An object with the given fields. `keepsUnknown` accepts fields that the schema does not have, for kinds whose
 * existing manifests carry some; everywhere else an unknown field is a finding.
 */
export function object<const F extends Fields>(
  description: string,
  fields: F,
  more: { rules?: readonly Rule[]; keepsUnknown?: true } = {},
): Schema<FieldValues<F>, FieldsWritten<F>> {
  const required = Object.entries(fields).flatMap(([name, field]) => ('presence' in field ? [] : [name]));
  return {
    json: {
      type: 'object',
      description,
      properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.json])),
      ...(required.length > 0 ? { required } : {}),
      ...(more.keepsUnknown ? { 'x-kubernetes-preserve-unknown-fields': true } : {}),
      ...(more.rules ? { 'x-kubernetes-validations': more.rules } : {}),
    },
  };
}
