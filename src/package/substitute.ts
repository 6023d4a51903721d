import type { FieldPath } from '../api/schema/problem.ts';
import { didYouMean } from '../base/did-you-mean.ts';
import { isObject, type Json, type JsonObject } from '../base/json.ts';
import { wantsText } from './wants-text.ts';

/** What placeholders stand for. */
export interface SubstitutionContext {
  /** `${service}`, `${version}` and so on. */
  readonly names: Readonly<Record<string, string>>;
  /** Behind `${values.a.b}`. */
  readonly values: JsonObject;
  /** Behind `${shared.a.b}`. */
  readonly shared: JsonObject;
  /**
   * Placeholders that stay as they are, with all above and below them: `slice`, `values.database.password`. What they
   * will stand for is not known yet, or must not enter a digest.
   */
  readonly later: readonly string[];
  /** Whether a value that is not here may still come, from a Secret or ConfigMap that holds a whole map. */
  readonly moreValuesLater: boolean;
}

/** A placeholder that cannot be replaced. */
export interface SubstitutionProblem {
  readonly code: 'ValueMissing' | 'FieldType';
  readonly path: FieldPath;
  readonly message: string;
  readonly advice?: string;
}

/**
 * The object with the placeholders in its text values replaced. A text that is exactly one placeholder takes the value
 * with its type; inside a longer text only scalars can stand; `$${` is a literal `${`. Keys are left alone, and what
 * was put in is never looked at again, so that no value can bring a placeholder, a key or a document of its own.
 * Where there are problems the object is of no use. With `later` it is good for digests, not for a second round.
 */
export function substitute(
  object: JsonObject,
  context: SubstitutionContext,
): { readonly object: JsonObject; readonly problems: readonly SubstitutionProblem[] } {
  const problems: SubstitutionProblem[] = [];
  return { object: substituteObject(object, [], { context, problems }), problems };
}

interface Pass {
  readonly context: SubstitutionContext;
  readonly problems: SubstitutionProblem[];
}

type Found = { readonly value: Json } | { readonly later: true } | { readonly missing: SubstitutionProblem };

function substituteObject(object: JsonObject, path: FieldPath, pass: Pass): JsonObject {
  // Not by assignment: a key may be called __proto__.
  return Object.fromEntries(
    Object.entries(object).map(([key, item]) => [key, substituteValue(item, [...path, key], pass)]),
  );
}

function substituteValue(value: Json, path: FieldPath, pass: Pass): Json {
  if (typeof value === 'string') return substituteText(value, path, pass);
  if (isObject(value)) return substituteObject(value, path, pass);
  return isList(value) ? value.map((item, index) => substituteValue(item, [...path, index], pass)) : value;
}

/** Among more values than these nobody is looking for a slip, and comparing them all takes long. */
const maxCandidates = 1000;

/** A literal `${`, a placeholder, or a `${` that nothing closes. */
const marks = /\$\$\{|\$\{([^${}]*)\}|\$\{/g;

function substituteText(text: string, path: FieldPath, pass: Pass): Json {
  const whole = /^\$\{([^${}]*)\}$/.exec(text);
  if (whole) return substituteWhole(text, whole[1] ?? '', path, pass);
  return text.replace(marks, (mark: string, name: string | undefined) => {
    if (mark === '$${') return '${';
    const found = lookUp(name, path, pass.context);
    if ('later' in found) return mark;
    if ('missing' in found) pass.problems.push(found.missing);
    else if (isScalar(found.value)) return `${found.value}`;
    else pass.problems.push(notAScalar(`${name}`, found.value, path));
    return mark;
  });
}

function substituteWhole(text: string, name: string, path: FieldPath, pass: Pass): Json {
  const found = lookUp(name, path, pass.context);
  if ('later' in found) return text;
  if ('value' in found) {
    return isScalar(found.value) && wantsText(path) ? `${found.value}` : found.value;
  }
  pass.problems.push(found.missing);
  return text;
}

function lookUp(name: string | undefined, path: FieldPath, context: SubstitutionContext): Found {
  if (name === undefined || !/^[A-Za-z]\w*(\.[\w-]+)*$/.test(name))
    return { missing: notAPlaceholder(name, path) };
  if (context.later.some(other => isWithin(name, other) || isWithin(other, name))) return { later: true };
  const [first = '', ...rest] = name.split('.');
  if (rest.length === 0 && Object.hasOwn(context.names, first)) return { value: context.names[first] ?? '' };
  const isValue = first === 'values' && rest.length > 0;
  const isShared = first === 'shared' && rest.length > 0;
  const value = isValue
    ? valueAt(context.values, rest)
    : isShared
      ? valueAt(context.shared, rest)
      : undefined;
  // Null is how values.yaml says "to be given".
  if (value !== undefined && value !== null) return { value };
  return isValue && context.moreValuesLater ? { later: true } : { missing: missing(name, path, context) };
}

function valueAt(values: JsonObject, keys: readonly string[]): Json | undefined {
  return keys.reduce<Json | undefined>(
    (at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined),
    values,
  );
}

function missing(name: string, path: FieldPath, context: SubstitutionContext): SubstitutionProblem {
  const names = [...Object.keys(context.names), ...context.later];
  const known = [...names, ...pathsOf(context.values, 'values'), ...pathsOf(context.shared, 'shared')];
  const near = didYouMean(name, known.slice(0, maxCandidates));
  const isDotted = /^(values|shared)\./.test(name);
  const message = isDotted ? `\${${name}} has no value` : `\${${name}} stands for nothing`;
  const literal = 'Use `${values...}` or `${shared...}`; for a literal `${` write `$${`.';
  const advice = near === undefined ? (isDotted ? undefined : literal) : `Did you mean \`\${${near}}\`?`;
  return { code: 'ValueMissing', path, message, ...(advice === undefined ? {} : { advice }) };
}

function notAPlaceholder(name: string | undefined, path: FieldPath): SubstitutionProblem {
  const message = name === undefined ? '`${` is not closed' : `\${${name}} is no placeholder`;
  return { code: 'ValueMissing', path, message, advice: 'For a literal `${` write `$${`.' };
}

function notAScalar(name: string, value: Json, path: FieldPath): SubstitutionProblem {
  const what = isList(value) ? 'a list' : 'a map';
  const advice = 'Let it be the whole of the value, or take one of its fields.';
  return {
    code: 'FieldType',
    path,
    message: `\${${name}} is ${what} and cannot stand inside a text`,
    advice,
  };
}

/** Every path below the map, for "did you mean". */
function pathsOf(values: JsonObject, prefix: string): string[] {
  return Object.entries(values).flatMap(([key, value]) => {
    const path = `${prefix}.${key}`;
    return isObject(value) ? [path, ...pathsOf(value, path)] : [path];
  });
}

function isWithin(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(`${outer}.`);
}

function isScalar(value: Json): value is string | number | boolean {
  return typeof value !== 'object';
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
