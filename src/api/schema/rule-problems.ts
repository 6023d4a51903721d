import { isObject } from '../../base/json.ts';
import type { FieldPath, Problem } from './problem.ts';
import { holds, type StructuralSchema } from './structural-schema.ts';

/** The rules that are broken in a value whose fields are all there and of the right type, outermost first. */
export function ruleProblems(
  schema: StructuralSchema,
  value: unknown,
  path: FieldPath,
  old: unknown,
): Problem[] {
  return [...ownRules(schema, value, path, old), ...rulesBelow(schema, value, path, old)];
}

function ownRules(schema: StructuralSchema, value: unknown, path: FieldPath, old: unknown): Problem[] {
  return (schema['x-kubernetes-validations'] ?? []).flatMap(
    ({ rule, message, fieldPath, [holds]: predicate }) => {
      if (old === undefined && rule.includes('oldSelf')) return [];
      if (!predicate || predicate(value as never, old as never)) return [];
      const below = fieldPath === undefined ? [] : fieldPath.split('.').filter(Boolean);
      return [{ code: 'RuleBroken' as const, path: [...path, ...below], message }];
    },
  );
}

function rulesBelow(schema: StructuralSchema, value: unknown, path: FieldPath, old: unknown): Problem[] {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (!items) return [];
    return value.flatMap((item, index) =>
      ruleProblems(items, item, [...path, index], oldItem(schema, item, old)),
    );
  }
  if (!isObject(value)) return [];
  const before = isObject(old) ? old : {};
  return Object.entries(value).flatMap(([name, item]) => {
    const field = schema.properties?.[name] ?? schema.additionalProperties;
    return field ? ruleProblems(field, item, [...path, name], before[name]) : [];
  });
}

/** The item that was there before, where a list tells its items apart by key. In any other list nobody can say. */
function oldItem(schema: StructuralSchema, item: unknown, old: unknown): unknown {
  const keys = schema['x-kubernetes-list-map-keys'];
  if (!keys || !Array.isArray(old) || !isObject(item)) return undefined;
  return old.find(candidate => isObject(candidate) && keys.every(key => candidate[key] === item[key]));
}
