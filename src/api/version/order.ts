/** Where the first of two stands: before the second (-1), level with it (0), after it (1). */
export type Order = -1 | 0 | 1;

/** Reads a difference as an order, so that a caller may switch on three values and no more. */
export function orderOf(difference: number): Order {
  if (difference === 0) return 0;
  return difference < 0 ? -1 : 1;
}

/** Compares two lists of numbers from the left; a missing number counts as zero, so 22 is level with 22.0.0. */
export function compareSegments(a: readonly number[], b: readonly number[]): Order {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const left = a[index] ?? 0;
    const right = b[index] ?? 0;
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}
