/** The indexes that a text such as `0-2,5` names, below a limit. Parts that cannot be read are passed over. */
export function parseIndexes(text: string | undefined, limit: number): Set<number> {
  const indexes = new Set<number>();
  for (const part of (text ?? '').split(',')) {
    const match = /^(\d+)(?:-(\d+))?$/.exec(part);
    if (!match) continue;
    const first = Number(match[1]);
    const last = Math.min(Number(match[2] ?? match[1]), limit - 1);
    for (let index = first; index <= last; index++) indexes.add(index);
  }
  return indexes;
}

/** The text that names the indexes: runs of three and more are written with a dash. */
export function formatIndexes(indexes: ReadonlySet<number>): string {
  const runs: { first: number; last: number }[] = [];
  for (const index of [...indexes].sort((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run && run.last + 1 === index) run.last = index;
    else runs.push({ first: index, last: index });
  }
  return runs.map(({ first, last }) => runText(first, last)).join(',');
}

function runText(first: number, last: number): string {
  if (first === last) return String(first);
  return last === first + 1 ? `${first},${last}` : `${first}-${last}`;
}
