/** So many objects are kept with their text: as many changes as watches may be apart that are awake at the same time. */
const mostKept = 64;

const kept = new Map<object, string>();

/**
 * The JSON of an object that many watches are told of: made once, by the first of them. Only what is frozen can be shared; another
 * one is written anew each time.
 */
export function sharedText(object: object): string {
  if (!Object.isFrozen(object)) return JSON.stringify(object);
  const known = kept.get(object);
  if (known !== undefined) return known;
  const text = JSON.stringify(object);
  if (kept.size >= mostKept) kept.delete(kept.keys().next().value as object);
  kept.set(object, text);
  return text;
}
