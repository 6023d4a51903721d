/** Seconds as people say them: `45 s`, `3 min`, `2 h`. Rounded; for reading, never for reckoning. */
export function sayDuration(seconds: number): string {
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3600)} h`;
}

const secondsOf = { s: 1, m: 60, h: 3600, d: 86_400 } as const;

/** The seconds of a duration as people type it: `90s`, `10m`, `1h30m`, `2d`; undefined for what is none. */
export function readDuration(text: string): number | undefined {
  if (!/^(?:\d{1,9}[smhd])+$/.test(text)) return undefined;
  let seconds = 0;
  for (const [, number, unit] of text.matchAll(/(\d+)([smhd])/g)) {
    seconds += Number(number) * secondsOf[unit as keyof typeof secondsOf];
  }
  return seconds;
}
