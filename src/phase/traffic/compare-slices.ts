/** Requests that were counted, and how many of them failed. */
export interface Counted {
  readonly requests: number;
  readonly errors: number;
}

/** What was counted of each slice. */
export type CountedSlices = Readonly<Record<string, Counted>>;

/** Fewer requests than this say nothing of a slice... */
const fewestRequests = 20;
/** ...but for so many of which not one was answered well. */
const fewestFailures = 5;

export const noRequests: Counted = { requests: 0, errors: 0 };

/** How the new slices do beside the old ones. `unsure`: too little was counted to say. */
export interface Comparison {
  readonly verdict: 'well' | 'worse' | 'unsure';
  /** Both rates, as a sentence part: `6 of 50 failed (12.0 %), before 3 of 600 (0.5 %)`. */
  readonly says: string;
}

/**
 * Compares how many requests in a hundred fail. `old` is what the old slices did meanwhile or did before; where too little is known of
 * them they count as faultless, so that the limit is one on the new slices alone. Differences of counts that began anew (negative ones)
 * count as nothing.
 */
export function compareSlices(fresh: Counted, old: Counted, maxErrorPercent: number): Comparison {
  const [ofFresh, ofOld] = [sane(fresh), sane(old)];
  const rate = knownPercent(ofFresh);
  const says = `${sayRate(ofFresh)}, ${ofOld.requests === 0 ? 'nothing to compare with' : `beside ${sayRate(ofOld)}`}`;
  if (rate === undefined) return { verdict: 'unsure', says };
  const oldRate = knownPercent(ofOld) ?? 0;
  if (rate - oldRate <= maxErrorPercent) return { verdict: 'well', says };
  const isChance = oldRate > maxErrorPercent && !isClear(ofFresh, ofOld);
  return { verdict: isChance ? 'unsure' : 'worse', says };
}

/**
 * Whether two rates differ by more than chance (two standard deviations). Asked where the old ones fail more than they may too: then
 * something that both need is in trouble, and whom it hits most in some seconds means little.
 */
function isClear(fresh: Counted, old: Counted): boolean {
  const all = addCounted(fresh, old);
  const rate = all.errors / all.requests;
  const deviation = Math.sqrt(rate * (1 - rate) * (1 / fresh.requests + 1 / old.requests));
  return fresh.errors / fresh.requests - old.errors / old.requests > 2 * deviation;
}

/** The sum of what these slices did. */
export function countedOf(counted: CountedSlices, slices: readonly string[]): Counted {
  return slices.reduce((sum, slice) => addCounted(sum, counted[slice] ?? noRequests), noRequests);
}

/**
 * What the old slices are judged by: what they do meanwhile, since whatever troubles both is nobody's fault; and what they did before
 * where that is too little.
 */
export function oldCounted(meanwhile: Counted, before: Counted | undefined): Counted {
  const isEnough = knownPercent(sane(meanwhile)) !== undefined;
  return isEnough || !before ? meanwhile : addCounted(meanwhile, before);
}

function addCounted(a: Counted, b: Counted): Counted {
  const [one, other] = [sane(a), sane(b)];
  return { requests: one.requests + other.requests, errors: one.errors + other.errors };
}

/** In percent; undefined where too little was counted. */
function knownPercent({ requests, errors }: Counted): number | undefined {
  const allFailed = errors === requests && requests >= fewestFailures;
  return requests >= fewestRequests || allFailed ? (errors * 100) / requests : undefined;
}

function sane({ requests, errors }: Counted): Counted {
  const all = Math.max(0, requests);
  return { requests: all, errors: Math.min(all, Math.max(0, errors)) };
}

function sayRate({ requests, errors }: Counted): string {
  const percent = requests === 0 ? '' : ` (${((errors * 100) / requests).toFixed(1)} %)`;
  return `${errors} of ${requests} failed${percent}`;
}
