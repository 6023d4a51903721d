/** A head longer than this is refused. */
export const longestHead = 65_536;

/**
 * The index after the empty line that ends a head; -1 while there is none. Servers are understood when they end lines with LF
 * alone; clients are not, for a server behind us might see another end than we do.
 */
export function endOfHead(bytes: Buffer, lines: 'strict' | 'lenient'): number {
  const at = bytes.indexOf('\r\n\r\n');
  if (lines === 'strict') return at < 0 ? -1 : at + 4;
  const bare = bytes.subarray(0, at < 0 ? bytes.length : at).indexOf('\n\n');
  if (bare >= 0) return bare + 2;
  return at < 0 ? -1 : at + 4;
}
