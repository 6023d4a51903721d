/** When something is due: minutes that fields name, or a fixed time after the last. */
export type Schedule = Fields | { readonly everyMilliseconds: number };

interface Fields {
  readonly minute: ReadonlySet<number>;
  readonly hour: ReadonlySet<number>;
  readonly day: ReadonlySet<number>;
  readonly month: ReadonlySet<number>;
  readonly weekday: ReadonlySet<number>;
  /** Both a day of the month and a day of the week are named: either will do. */
  readonly isEitherDay: boolean;
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** Name, first, last, and words for the numbers from the first on. */
const fields = [
  { name: 'minute', first: 0, last: 59, words: [] },
  { name: 'hour', first: 0, last: 23, words: [] },
  { name: 'day', first: 1, last: 31, words: [] },
  { name: 'month', first: 1, last: 12, words: months },
  { name: 'weekday', first: 0, last: 6, words: weekdays },
] as const;

const shorthands: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

/** Reads a schedule as the controller of Kubernetes does; undefined for one that cannot be read. */
export function parseSchedule(text: string): Schedule | undefined {
  const every = /^@every\s+(\S+)$/.exec(text.trim());
  if (every) return parseEvery(every[1] ?? '');
  const parts = (shorthands[text.trim()] ?? text).trim().split(/\s+/);
  if (parts.length !== fields.length) return undefined;
  const sets = fields.map((field, index) => parseField(parts[index] ?? '', field));
  const [minute, hour, day, month, weekday] = sets;
  if (!minute || !hour || !day || !month || !weekday) return undefined;
  const isEitherDay = !isAny(parts[2]) && !isAny(parts[4]);
  return { minute, hour, day, month, weekday, isEitherDay };
}

/** The parts of a moment as a calendar on the wall shows them. */
export interface WallTime {
  readonly minute: number;
  readonly hour: number;
  readonly day: number;
  readonly month: number;
  readonly weekday: number;
}

/** The day is one of those named. */
export function dayMatches(schedule: Fields, time: WallTime): boolean {
  const [day, weekday] = [schedule.day.has(time.day), schedule.weekday.has(time.weekday)];
  return schedule.month.has(time.month) && (schedule.isEitherDay ? day || weekday : day && weekday);
}

/** A field that names nothing in particular, as a whole or among others. */
function isAny(part: string | undefined): boolean {
  return (part ?? '').split(',').some(one => /^[*?](\/1)?$/.test(one));
}

type Field = (typeof fields)[number];

function parseField(text: string, field: Field): ReadonlySet<number> | undefined {
  const found = new Set<number>();
  for (const part of text.split(',')) {
    const range = parseRange(part, field);
    if (!range) return undefined;
    for (let value = range.first; value <= range.last; value += range.step) found.add(value);
  }
  return found;
}

function parseRange(part: string, field: Field): { first: number; last: number; step: number } | undefined {
  const match = /^(?:[*?]|([a-z0-9]+)(?:-([a-z0-9]+))?)(?:\/(\d+))?$/i.exec(part);
  if (!match) return undefined;
  const [, from, to, by] = match;
  const first = from === undefined ? field.first : numberOf(from, field);
  // A number with a step goes on to the end: `5/10`.
  const open = from === undefined || by !== undefined ? field.last : first;
  const last = to === undefined ? open : numberOf(to, field);
  const step = Number(by ?? 1);
  if (first === undefined || last === undefined || step === 0) return undefined;
  return first >= field.first && last <= field.last && first <= last ? { first, last, step } : undefined;
}

function numberOf(text: string | undefined, field: Field): number | undefined {
  const words: readonly string[] = field.words;
  const word = words.indexOf((text ?? '').toLowerCase());
  if (word >= 0) return word + field.first;
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

const unitMilliseconds: Readonly<Record<string, number>> = {
  h: 3_600_000,
  m: 60_000,
  s: 1000,
  ms: 1,
  us: 1e-3,
  µs: 1e-3,
  ns: 1e-6,
};

/** A time in the words of Go: `1h30m`. At least a second, and whole ones. */
function parseEvery(text: string): Schedule | undefined {
  if (!/^(\d+(\.\d+)?(h|ms|us|µs|ns|m|s))+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(h|ms|us|µs|ns|m|s)/g)];
  const total = parts.reduce(
    (sum, [, number, unit]) => sum + Number(number) * (unitMilliseconds[unit ?? ''] ?? 0),
    0,
  );
  return { everyMilliseconds: Math.max(1000, Math.floor(total / 1000) * 1000) };
}
