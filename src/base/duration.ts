/** Seconds as people say them: `45 s`, `3 min`, `2 h`. Rounded; for reading, never for reckoning. */
export function sayDuration(seconds: number): string {
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3600)} h`;
}
