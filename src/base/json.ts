/** Anything JSON can say. Absent is not the same as undefined: a key is there or it is not. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json };

/** True for a plain object: not null, not a list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * JSON with the keys of every object in code point order, and no blanks: the same value gives the same bytes,
 * whatever order its keys were written in. Keys whose value is undefined are left out, as in JSON.stringify.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(item => canonicalJson(item ?? null)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => compareText(a, b))
    .map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`);
  return `{${entries.join(',')}}`;
}

/** True when two JSON values say the same, whatever the order of their keys; as in `canonicalJson`, undefined says nothing. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null)
    return canonicalJson(a) === canonicalJson(b);
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, index) => sameJson(item ?? null, b[index] ?? null));
  }
  return sameKeys(a as Record<string, unknown>, b as Record<string, unknown>);
}

function sameKeys(a: Record<string, unknown>, b: Record<string, unknown>): boolean {
  const keys = Object.keys(a).filter(key => a[key] !== undefined);
  const others = Object.keys(b).filter(key => b[key] !== undefined);
  return (
    keys.length === others.length &&
    keys.every(key => Object.hasOwn(b, key) && b[key] !== undefined && sameJson(a[key], b[key]))
  );
}

/**
 * The order of text that is the same on every machine: by code unit, never by locale, so that plans and digests
 * do not depend on where they were made.
 */
export function compareText(a: string, b: string): -1 | 0 | 1 {
  if (a < b) return -1;
  return a > b ? 1 : 0;
}

/**
 * Lays `over` on `under`: objects are merged key by key, everything else (lists too) is replaced. Null takes a key
 * away, as in a JSON merge patch, so that a record can unset what a package sets.
 */
export function mergeJson(under: JsonObject, over: JsonObject): JsonObject {
  const merged: Record<string, Json> = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const below = merged[key];
    if (value === null) delete merged[key];
    else setKey(merged, key, isObject(value) ? mergeJson(isObject(below) ? below : {}, value) : value);
  }
  return merged;
}

/** Sets a key as plain data; `__proto__` too, which an assignment would take for the prototype. */
export function setKey<T>(target: Record<string, T>, key: string, value: T): void {
  if (key !== '__proto__') target[key] = value;
  else Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
}
