/** The annotation of a Service that shares its requests out between slices: `blue=90,green=10`. */
export const weightsAnnotation = 'openstacklcm.airshipit.org/weights';
/** The label of a Pod that says which slice it belongs to. */
export const sliceLabel = 'openstacklcm.airshipit.org/slice';

/** Weights by slice; a text is what is wrong with them. Slices that are not named get nothing. */
export function parseWeights(text: string): ReadonlyMap<string, number> | string {
  const weights = new Map<string, number>();
  for (const part of text.split(',')) {
    const [, slice, weight] =
      /^\s*([a-z0-9A-Z](?:[a-z0-9A-Z._-]{0,62})?)\s*=\s*(\d{1,3})\s*$/.exec(part) ?? [];
    if (slice === undefined || Number(weight) > 100) {
      return `"${part.trim()}" is not <slice>=<0 to 100>`;
    }
    if (weights.has(slice)) return `slice ${slice} is named twice`;
    weights.set(slice, Number(weight));
  }
  if ([...weights.values()].every(weight => weight === 0)) return 'no slice has a weight above 0';
  return weights;
}
