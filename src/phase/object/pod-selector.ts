import { isObject, type JsonObject } from '../../base/json.ts';

interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

/** The selector of a workload, by its spec, as a list takes it: `app=web`, `tier in (a,b)`, `!old`. */
export function podSelectorOf(spec: JsonObject): readonly string[] {
  const selector = (isObject(spec['selector']) ? spec['selector'] : {}) as Selector;
  return [
    ...Object.entries(selector.matchLabels ?? {}).map(([key, value]) => `${key}=${value}`),
    ...(selector.matchExpressions ?? []).map(sayExpression),
  ];
}

function sayExpression({
  key,
  operator,
  values = [],
}: NonNullable<Selector['matchExpressions']>[number]): string {
  if (operator === 'Exists') return key;
  if (operator === 'DoesNotExist') return `!${key}`;
  return `${key} ${operator === 'In' ? 'in' : 'notin'} (${values.join(',')})`;
}
