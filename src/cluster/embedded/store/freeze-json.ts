import { isObject, setKey } from '../../../base/json.ts';

/**
 * Freezes a JSON value in depth and returns it. What the store hands out is shared by all readers, so nobody may write to
 * it. Parts that are frozen already are taken as they are: they came through here.
 */
export function freezeJson<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  if (Array.isArray(value)) for (const item of value) freezeJson(item);
  else for (const key in value) freezeJson(value[key]);
  return Object.freeze(value);
}

/**
 * A copy of a JSON value that shares nothing with it that could still be written to, without keys whose value is
 * undefined: what JSON would make of it.
 */
export function copyJson<T>(value: T): T {
  return copy(value) as T;
}

function copy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(item => (item === undefined ? null : copy(item)));
  if (!isObject(value)) return value;
  const copied: Record<string, unknown> = {};
  for (const key in value) {
    const item: unknown = value[key];
    if (item === undefined) continue;
    // An assignment would take this key for the prototype.
    if (key === '__proto__') setKey(copied, key, copy(item));
    else copied[key] = copy(item);
  }
  return copied;
}
