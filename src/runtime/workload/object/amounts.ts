/** A number, or a part of a whole: `25%`. */
export type Amount = number | string;

/** The number an amount stands for; a part is rounded up or down. */
export function amountOf(amount: Amount | undefined, whole: number, rounded: 'up' | 'down'): number {
  if (amount === undefined) return 0;
  if (typeof amount === 'number') return amount;
  const part = (Number.parseInt(amount, 10) * whole) / 100;
  return rounded === 'up' ? Math.ceil(part) : Math.floor(part);
}

/** Counts as Kubernetes writes them: those that are 0 are left out. */
export function nonZero(counts: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));
}

/** The sum of what is counted of each. */
export function sum<T>(items: readonly T[], count: (item: T) => number | undefined): number {
  return items.reduce((total, item) => total + (count(item) ?? 0), 0);
}
