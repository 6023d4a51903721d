import { compareText, isObject } from '../../base/json.ts';
import { fieldAt, objectsAt, textAt, textsAt } from './read-field.ts';

const none = '<none>';

/** Labels as `a=1,b=2`. */
export function labelsText(labels: unknown): string {
  if (!isObject(labels) || Object.keys(labels).length === 0) return none;
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${String(value)}`)
    .sort(compareText)
    .join(',');
}

/** A selector as `kubectl -l` takes it. */
export function selectorText(selector: unknown): string {
  return requirements(selector).join(',') || none;
}

/** The same for programs: the empty text where it selects everything. */
export function selectorQuery(selector: unknown): string {
  return requirements(selector).join(',');
}

function requirements(selector: unknown): string[] {
  const labels = fieldAt(selector, 'matchLabels');
  const equal = Object.entries(isObject(labels) ? labels : {}).map(
    ([key, value]) => [key, `${key}=${String(value)}`] as const,
  );
  const others = objectsAt(selector, 'matchExpressions').map(one => {
    const key = textAt(one, 'key');
    return [key, expressionText(key, textAt(one, 'operator'), textsAt(one, 'values'))] as const;
  });
  return [...equal, ...others].sort(([a], [b]) => compareText(a, b)).map(([, text]) => text);
}

function expressionText(key: string, operator: string, values: readonly string[]): string {
  if (operator === 'Exists') return key;
  if (operator === 'DoesNotExist') return `!${key}`;
  const word = operator === 'In' ? 'in' : 'notin';
  return `${key} ${word} (${[...values].sort(compareText).join(',')})`;
}
