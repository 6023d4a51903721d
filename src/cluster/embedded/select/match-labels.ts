import { isObject, type Json } from '../../../base/json.ts';

/** Whether labels meet a selector as it stands in objects, with `matchLabels` and `matchExpressions`. An empty one meets all. */
export function matchLabels(selector: unknown, labels: unknown): boolean {
  const { matchLabels: wanted, matchExpressions: more } = isObject(selector) ? selector : {};
  const has = isObject(labels) ? labels : {};
  const labelOf = (key: string) => (Object.hasOwn(has, key) ? has[key] : undefined);
  return (
    Object.entries(isObject(wanted) ? wanted : {}).every(([key, value]) => labelOf(key) === value) &&
    (Array.isArray(more) ? more : []).every((one: Json) => isObject(one) && expressionHolds(one, labelOf))
  );
}

function expressionHolds(
  { key, operator, values }: { readonly [name: string]: Json },
  labelOf: (key: string) => Json | undefined,
): boolean {
  const value = labelOf(String(key));
  const isListed = Array.isArray(values) && values.includes(value);
  switch (operator) {
    case 'In':
      return isListed;
    case 'NotIn':
      return !isListed;
    case 'Exists':
      return value !== undefined;
    default:
      return operator === 'DoesNotExist' && value === undefined;
  }
}
