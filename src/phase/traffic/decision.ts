import type { TrafficReport, Weights } from '../../traffic/traffic.ts';

/** What is to be done next about the traffic of one route. Which one it is is told by the key that is there. */
export type Decision =
  /** Set these shares, all at once, and ask again. */
  | { readonly set: Weights }
  /** Ask again after so many seconds, or when something changed. `because` stays the same while nothing changes. */
  | { readonly wait: number; readonly because: string }
  | { readonly done: true }
  /** It went wrong: a word for programs, and a sentence for people. */
  | { readonly failed: string; readonly message: string };

/** What a drain may come to beside. */
export type DrainDecision =
  | Exclude<Decision, { readonly failed: string } | { readonly done: true }>
  /** Nothing comes to the slices any more. `cut`: so many requests are in flight, and may be cut. */
  | { readonly done: true; readonly cut?: number }
  /** The time is over, so many requests go on, and nobody agreed to cut them: the slices stay until their work ends. */
  | { readonly overdue: number; readonly message: string; readonly wait: number };

/** How soon one looks again at what can change at any moment. */
export const lookAgainSeconds = 1;

/** The shares of a report, above zero only. */
export function weightsOf({ slices }: TrafficReport): Weights {
  const shares = Object.entries(slices).map(([slice, { weight }]) => [slice, weight] as const);
  return Object.fromEntries(shares.filter(([, weight]) => weight > 0));
}
