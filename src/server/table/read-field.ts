import { isObject, type JsonObject } from '../../base/json.ts';

/** What stands at a path such as `spec.replicas`; undefined where something on the way is not there. */
export function fieldAt(value: unknown, path: string): unknown {
  let at: unknown = value;
  for (const name of path.split('.')) {
    if (!isObject(at) || !Object.hasOwn(at, name)) return undefined;
    at = at[name];
  }
  return at;
}

/** The text at a path, or another one where there is none. */
export function textAt(value: unknown, path: string, otherwise = ''): string {
  const found = fieldAt(value, path);
  return found === undefined || found === null || found === '' ? otherwise : String(found);
}

/** The number at a path; 0 where there is none. */
export function numberAt(value: unknown, path: string): number {
  const found = fieldAt(value, path);
  return typeof found === 'number' ? found : 0;
}

/** The objects of the list at a path. */
export function objectsAt(value: unknown, path: string): readonly JsonObject[] {
  const found = fieldAt(value, path);
  return Array.isArray(found) ? found.filter(isObject) : [];
}

/** The texts of the list at a path. */
export function textsAt(value: unknown, path: string): readonly string[] {
  const found = fieldAt(value, path);
  return Array.isArray(found) ? found.map(String) : [];
}

/** How many entries the map at a path has. */
export function countAt(value: unknown, path: string): number {
  const found = fieldAt(value, path);
  return isObject(found) ? Object.keys(found).length : 0;
}

/** Whether a condition of the object is true. */
export function hasCondition(value: unknown, type: string): boolean {
  return objectsAt(value, 'status.conditions').some(one => one['type'] === type && one['status'] === 'True');
}
