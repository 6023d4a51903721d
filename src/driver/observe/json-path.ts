import { isObject } from '../../base/json.ts';

/** One step into a value. */
type Step =
  | { readonly is: 'key'; readonly key: string }
  | { readonly is: 'place'; readonly place: number }
  | { readonly is: 'all' }
  | { readonly is: 'where'; readonly key: string; readonly value: string };

/** A path into an object, ready to be followed. */
export type JsonPath = readonly Step[];

const steps: readonly [RegExp, (match: RegExpExecArray) => Step][] = [
  [/^\.([A-Za-z_][\w-]*)/, ([, key = '']) => ({ is: 'key', key })],
  [/^\[(?:'([^']*)'|"([^"]*)")\]/, ([, one, other]) => ({ is: 'key', key: one ?? other ?? '' })],
  [/^\[(-?\d+)\]/, ([, place]) => ({ is: 'place', place: Number(place) })],
  [/^\[\*\]/, () => ({ is: 'all' })],
  [
    /^\[\?\(\s*@\.([\w-]+)\s*==\s*(?:'([^']*)'|"([^"]*)")\s*\)\]/,
    ([, key = '', one, other]) => ({ is: 'where', key, value: one ?? other ?? '' }),
  ],
];

/**
 * Reads the part of JSONPath that statuses need: `.name`, `['name']`, `[0]`, `[*]`, `[?(@.type=="Ready")]`. Undefined where the text is
 * anything else.
 */
export function parseJsonPath(text: string): JsonPath | undefined {
  const path: Step[] = [];
  let rest = text;
  while (rest !== '') {
    const found = steps.flatMap(([pattern, make]) => {
      const match = pattern.exec(rest);
      return match ? [{ length: match[0].length, step: make(match) }] : [];
    })[0];
    if (!found) return undefined;
    path.push(found.step);
    rest = rest.slice(found.length);
  }
  return path.length > 0 ? path : undefined;
}

/** Everything a path leads to; nothing where a step finds nothing. */
export function followJsonPath(path: JsonPath, from: unknown): readonly unknown[] {
  return path.reduce<readonly unknown[]>(
    (values, step) => values.flatMap(value => take(step, value)),
    [from],
  );
}

function take(step: Step, value: unknown): readonly unknown[] {
  if (step.is === 'key') return isObject(value) && Object.hasOwn(value, step.key) ? [value[step.key]] : [];
  if (step.is === 'all' && isObject(value)) return Object.values(value);
  if (!Array.isArray(value)) return [];
  if (step.is === 'all') return value;
  if (step.is === 'where')
    return value.filter(item => isObject(item) && String(item[step.key]) === step.value);
  const item: unknown = value.at(step.place);
  return item === undefined ? [] : [item];
}
