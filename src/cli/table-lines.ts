import type { Paint } from '../base/paint.ts';

/** Rows as lines with columns under each other; the first row is the head. The last column is as long as it is. */
export function tableLines(rows: readonly (readonly string[])[], paint: Paint): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)));
  return rows.map((row, index) => {
    const line = row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
    return index === 0 ? paint.faint(line) : line;
  });
}
