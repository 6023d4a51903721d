import type { FieldPath, Problem } from '../../../api/schema/problem.ts';
import type { StructuralSchema } from '../../../api/schema/structural-schema.ts';
import { validate } from '../../../api/schema/validate.ts';
import { isObject, sameJson } from '../../../base/json.ts';
import type { FieldCause } from '../../cluster-error.ts';
import { demandsMore, foreignProblems } from './foreign-schema.ts';
import { unsupported } from './refusals.ts';
import { comparesWithBefore, isSurelyValid } from './surely-valid.ts';

/**
 * What is wrong with the content of an object, field by field, as an API server names them. Metadata is not looked at. What
 * did not change is not held against an update: a schema may have become stricter since (ratcheting).
 */
export function schemaCauses(
  schema: StructuralSchema,
  object: Readonly<Record<string, unknown>>,
  before: Readonly<Record<string, unknown>> | undefined,
): FieldCause[] {
  const problems: Problem[] = [];
  for (const [name, field] of contentFields(schema)) {
    const value = Object.hasOwn(object, name) ? object[name] : undefined;
    if (value === undefined) {
      if (schema.required?.includes(name))
        problems.push({ code: 'FieldMissing', path: [name], message: 'is missing', hidesRules: true });
    } else if (value !== before?.[name] && !isQuicklyValid(field, value, before)) {
      const below = validate(field, value, before?.[name]);
      problems.push(...below.map(problem => ({ ...problem, path: [name, ...problem.path] })));
    }
  }
  if (demandsMore(schema)) problems.push(...foreignProblems(schema, object));
  if (problems.length === 0) return [];
  return withoutUnseen(problems.filter(problem => isNew(problem, object, before))).map(problem =>
    causeOf(problem, object),
  );
}

/** A look that is enough for nearly everything; it does not know the rules that speak of the value before. */
function isQuicklyValid(field: StructuralSchema, value: unknown, before: unknown): boolean {
  return (before === undefined || !comparesWithBefore(field)) && isSurelyValid(field, value);
}

const contents = new WeakMap<StructuralSchema, readonly (readonly [string, StructuralSchema])[]>();

/** The fields of an object but for what all objects have. */
function contentFields(schema: StructuralSchema): readonly (readonly [string, StructuralSchema])[] {
  const known = contents.get(schema);
  if (known) return known;
  const fields = Object.entries(schema.properties ?? {}).filter(
    ([name]) => name !== 'metadata' && name !== 'apiVersion' && name !== 'kind',
  );
  contents.set(schema, fields);
  return fields;
}

/** A server does not look at rules while a field is missing, of the wrong type, too long or not one of the words. */
function withoutUnseen(problems: readonly Problem[]): readonly Problem[] {
  const hidden = problems.some(problem => problem.hidesRules);
  return hidden ? problems.filter(problem => problem.code !== 'RuleBroken') : problems;
}

function isNew(problem: Problem, object: unknown, before: unknown): boolean {
  if (before === undefined || problem.code === 'FieldMissing' || problem.code === 'RuleBroken') return true;
  const [now, old] = [valueAt(object, problem.path), valueAt(before, problem.path)];
  return old === undefined || !sameJson(now, old);
}

function valueAt(value: unknown, path: FieldPath): unknown {
  return path.reduce<unknown>((at, step) => {
    if (Array.isArray(at)) return at[Number(step)];
    return isObject(at) ? at[String(step)] : undefined;
  }, value);
}

const reasons = {
  FieldUnknown: 'FieldValueInvalid',
  FieldMissing: 'FieldValueRequired',
  FieldType: 'FieldValueTypeInvalid',
  FieldInvalid: 'FieldValueInvalid',
  FieldDuplicate: 'FieldValueDuplicate',
  RuleBroken: 'FieldValueInvalid',
} as const satisfies Record<Problem['code'], string>;

const beginnings = {
  FieldUnknown: 'Invalid value',
  FieldMissing: 'Required value',
  FieldType: 'Invalid value',
  FieldInvalid: 'Invalid value',
  FieldDuplicate: 'Duplicate value',
  RuleBroken: 'Invalid value',
} as const satisfies Record<Problem['code'], string>;

function causeOf({ code, path, message, candidates }: Problem, object: unknown): FieldCause {
  const field = pathText(path);
  if (code === 'FieldInvalid' && candidates !== undefined) {
    return unsupported(field, valueAt(object, path), candidates);
  }
  return { field, reason: reasons[code], message: `${beginnings[code]}: ${message}` };
}

function pathText(path: FieldPath): string {
  return path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`),
    '',
  );
}
