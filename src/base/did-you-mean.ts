/**
 * The candidate a person most likely meant: at most two slips away (one for short words), nearest first, then
 * by text so that the answer is stable. Undefined when nothing is near.
 */
export function didYouMean(written: string, candidates: Iterable<string>): string | undefined {
  const limit = written.length <= 3 ? 1 : Math.max(2, Math.floor(written.length / 5));
  let best: { text: string; slips: number } | undefined;
  for (const text of candidates) {
    const slips = countSlips(written.toLowerCase(), text.toLowerCase(), limit);
    if (slips > limit) continue;
    if (!best || slips < best.slips || (slips === best.slips && text < best.text)) best = { text, slips };
  }
  return best?.text;
}

/** Edit distance with swapped neighbours as one slip; gives up (limit + 1) when the lengths alone are too far apart. */
function countSlips(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      const change = at(last, j - 1) + (same ? 0 : 1);
      let slips = Math.min(change, at(last, j) + 1, at(row, j - 1) + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        slips = Math.min(slips, at(beforeLast, j - 2) + 1);
      }
      row.push(slips);
    }
    beforeLast = last;
    last = row;
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
