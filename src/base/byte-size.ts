const units = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** Bytes as people say them: `812 bytes`, `4.2 MB`. Rounded; for reading, never for reckoning. */
export function sayBytes(bytes: number): string {
  let size = bytes;
  let unit = 0;
  // What would be rounded up to a thousand belongs to the next unit.
  for (; size >= 999.5 && unit < units.length - 1; unit++) size /= 1000;
  const digits = unit === 0 || size >= 9.95 ? Math.round(size) : Math.round(size * 10) / 10;
  return `${digits} ${units[unit]}`;
}
