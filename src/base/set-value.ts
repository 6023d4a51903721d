import { isObject, type Json, type JsonObject, setKey } from './json.ts';

/** The values with one of them set; what is on the way and no map or list of that shape is replaced. The values given stay as they are. */
export function setValue(values: JsonObject, path: readonly (string | number)[], value: Json): JsonObject {
  return setIn(values, path, value) as JsonObject;
}

function setIn(at: Json | undefined, path: readonly (string | number)[], value: Json): Json {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (typeof step === 'number') {
    const list: Json[] = Array.isArray(at) ? [...at] : [];
    while (list.length < step) list.push(null);
    list[step] = setIn(list[step], rest, value);
    return list;
  }
  const map: Record<string, Json> = isObject(at) ? { ...at } : {};
  const below = Object.hasOwn(map, step) ? map[step] : undefined;
  setKey(map, step, setIn(below, rest, value));
  return map;
}
