import type { JsonObject } from '../../../base/json.ts';
import { freezeJson } from './freeze-json.ts';

/** So many different values are shared; beyond that it begins anew. */
const mostValues = 2000;
/** Longer ones are rare, and rarely the same. */
const mostCharacters = 8000;

const byText = new Map<string, JsonObject>();
const texts = new WeakMap<JsonObject, string>();

/**
 * The object of a JSON text, the same one for the same text, frozen. Which fields a writer owns is said in every object, and is
 * nearly always one of few things: shared, it takes no memory and is written down without being looked through.
 */
export function sharedByText(text: string): JsonObject {
  const known = byText.get(text);
  if (known) return known;
  const value = freezeJson(JSON.parse(text) as JsonObject);
  if (text.length > mostCharacters) return value;
  if (byText.size >= mostValues) byText.clear();
  byText.set(text, value);
  texts.set(value, text);
  return value;
}

/** The shared object that is the same as this one. */
export function shared(value: JsonObject): JsonObject {
  return texts.has(value) ? value : sharedByText(JSON.stringify(value));
}

/** Whether it is one that is shared. */
export function isShared(value: JsonObject): boolean {
  return texts.has(value);
}

/** The JSON of an object; known already if it is a shared one. */
export function textOf(value: JsonObject): string {
  return texts.get(value) ?? JSON.stringify(value);
}
