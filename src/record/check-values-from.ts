import { type Finding, finding } from '../api/finding.ts';
import type { FieldPath } from '../api/schema/problem.ts';
import { isObject, type Json, type JsonObject } from '../base/json.ts';
import { type Draft, objectsAt, textOf } from './draft.ts';
import { placeOf } from './place-of.ts';

/** Entries of `valuesFrom` that contradict themselves, each other, or the `values` beside them. */
export function checkValuesFrom({ manifest, services }: Draft): Finding[] {
  return services.flatMap(({ object, path }) => {
    const first = new Map<string, number>();
    return objectsAt(object, path, 'valuesFrom').flatMap(({ object: entry, path: at }, index) => {
      const target = textOf(entry, 'targetPath');
      if (target === undefined) return [];
      const place = placeOf(manifest, [...at, 'targetPath']);
      const parts = parseTargetPath(target);
      if (!parts)
        return [finding('FieldInvalid', `"${target}" is not a path such as database.password`, place)];
      const identity = JSON.stringify(parts);
      const before = first.get(identity);
      if (before === undefined) first.set(identity, index);
      return [
        ...(before === undefined ? [] : [setTwice(target, before, place)]),
        ...(entry['valuesKey'] === undefined ? [finding('RuleBroken', ...needsKey, place, keyAdvice)] : []),
        ...clashes(target, parts, object['values'], place),
      ];
    });
  });
}

const needsKey = ['`targetPath` needs a `valuesKey`: it places one value, not a map of values'] as const;
const keyAdvice = 'Name the key of the object under `valuesKey`, or leave `targetPath` out.';

function setTwice(target: string, before: number, place: ReturnType<typeof placeOf>): Finding {
  return finding(
    'FieldDuplicate',
    `${target} is set twice: also by entry ${before} of \`valuesFrom\``,
    place,
  );
}

function clashes(
  target: string,
  parts: FieldPath,
  values: Json | undefined,
  place: ReturnType<typeof placeOf>,
): Finding[] {
  if (!isObject(values) || !isTaken(values, parts)) return [];
  const advice = 'Leave it out of `values`, or take the entry away.';
  return [finding('RuleBroken', `${target} is also set under \`values\``, place, advice)];
}

/** Whether something is at the path, or stands in its way. Null is nothing: it takes a value of the package away. */
function isTaken(values: JsonObject, parts: FieldPath): boolean {
  let at: Json | undefined = values;
  for (const part of parts) {
    if (Array.isArray(at) && typeof part === 'number') at = at[part];
    else if (isObject(at) && typeof part === 'string') at = Object.hasOwn(at, part) ? at[part] : undefined;
    else return at !== undefined && at !== null;
    if (at === undefined || at === null) return false;
  }
  return true;
}

/**
 * The steps of a target path: names with dots between them, `[0]` for an item of a list, `["a.b"]` for a name that has
 * a dot itself. Undefined when the text is no such path.
 */
export function parseTargetPath(text: string): FieldPath | undefined {
  const step = /(?:^|\.)([^.[\]"\s]+)|\[(\d{1,6})\]|\[("(?:[^"\\]|\\.)*")\]/y;
  const parts: (string | number)[] = [];
  if (text.startsWith('.')) return undefined;
  while (step.lastIndex < text.length) {
    const match = step.exec(text);
    if (!match) return undefined;
    const [, name, index, quoted] = match;
    if (name !== undefined) parts.push(name);
    else if (index !== undefined) parts.push(Number(index));
    else {
      const key = unquote(quoted ?? '');
      if (key === undefined) return undefined;
      parts.push(key);
    }
  }
  return typeof parts[0] === 'string' ? parts : undefined;
}

function unquote(text: string): string | undefined {
  try {
    return String(JSON.parse(text));
  } catch {
    return undefined;
  }
}
