/** A line no wider than so many columns. Colours take no room, and are neither cut in two nor left on. */
export function fitLine(line: string, columns: number): string {
  let room = columns;
  let text = '';
  for (const [part] of line.matchAll(/\p{Cc}\[[0-9;]*m|./gsu)) {
    const isColour = part.length > 1 && part.endsWith('m');
    if (!isColour && room === 0) continue;
    if (!isColour) room -= 1;
    text += part;
  }
  return text;
}
