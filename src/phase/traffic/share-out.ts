import { compareText } from '../../base/json.ts';
import type { Weights } from '../../traffic/traffic.ts';

/** What all shares add up to. */
export const wholeShare = 100;

/**
 * So many percent to the slices that are given traffic, alike; the rest to the others, in proportion to what they had. Whole numbers that
 * add up to 100. Nobody else is named. A slice that is given traffic gets some, and where no other has any, they get all.
 */
export function shareOut(percent: number, given: readonly string[], others: Weights): Weights {
  const rest = Object.entries(others).filter(([slice, weight]) => weight > 0 && !given.includes(slice));
  const least = Math.min(wholeShare, given.length);
  const wanted = Math.min(wholeShare, Math.max(least, Math.round(percent)));
  const toGiven = rest.length === 0 ? wholeShare : wanted;
  const toRest = divide(wholeShare - toGiven, rest);
  return Object.fromEntries([
    ...divide(
      toGiven,
      given.map(slice => [slice, 1]),
    ),
    ...(toGiven === wholeShare ? [] : toRest),
  ]);
}

/** The same shares, as whole numbers that add up to 100; nothing where nobody has any. */
export function outOfWhole(weights: Weights): Weights {
  const above = Object.entries(weights).filter(([, weight]) => weight > 0);
  return Object.fromEntries(above.length === 0 ? [] : divide(wholeShare, above));
}

/** The share of these slices, in percent of all; zero where nobody has any. */
export function percentOf(weights: Weights, slices: readonly string[]): number {
  const all = Object.values(weights).reduce((sum, weight) => sum + weight, 0);
  const own = slices.reduce((sum, slice) => sum + (weights[slice] ?? 0), 0);
  return all === 0 ? 0 : (own * wholeShare) / all;
}

/** A whole number, divided in proportion: what rounding leaves goes to those who lost most by it. */
function divide(whole: number, parts: readonly (readonly [string, number])[]): [string, number][] {
  const sum = parts.reduce((total, [, part]) => total + part, 0);
  const exact = parts.map(([name, part]) => ({ name, exact: (whole * part) / sum }));
  const left = whole - exact.reduce((total, one) => total + Math.floor(one.exact), 0);
  const lost = (one: { readonly exact: number }) => one.exact - Math.floor(one.exact);
  const first = exact.toSorted((a, b) => lost(b) - lost(a) || compareText(a.name, b.name)).slice(0, left);
  return exact.map(one => [one.name, Math.floor(one.exact) + (first.includes(one) ? 1 : 0)]);
}
