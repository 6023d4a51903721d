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
