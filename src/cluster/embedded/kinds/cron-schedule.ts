/** The fields of a schedule with their least and most, and the names that months and days have. */
const fields = [
  { least: 0, most: 59, names: [] },
  { least: 0, most: 23, names: [] },
  { least: 1, most: 31, names: [] },
  { least: 1, most: 12, names: 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ') },
  { least: 0, most: 6, names: 'sun mon tue wed thu fri sat'.split(' ') },
] as const;

const shortcut =
  /^@(yearly|annually|monthly|weekly|daily|midnight|hourly|every (\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+)$/;

/** What is wrong with the schedule of a CronJob; undefined for one that is right. */
export function scheduleProblem(schedule: string): string | undefined {
  if (shortcut.test(schedule)) return undefined;
  const parts = schedule.trim().split(/\s+/);
  if (parts.length !== fields.length)
    return `expected exactly 5 fields, found ${parts.length}: [${parts.join(' ')}]`;
  const bad = parts.find(
    (part, index) => !part.split(',').every(one => isRange(one, fields[index] ?? fields[0])),
  );
  return bad === undefined ? undefined : `failed to parse the field ${bad}`;
}

type Field = { readonly least: number; readonly most: number; readonly names: readonly string[] };

function isRange(text: string, field: Field): boolean {
  const [, range = '', step] = /^([^/]+)(?:\/(\d+))?$/.exec(text) ?? [];
  if (range === '' || step === '0') return false;
  if (range === '*' || range === '?') return true;
  const ends = range.split('-').map(end => numberOf(end, field));
  const [from = Number.NaN, to = from] = ends;
  return ends.length <= 2 && from >= field.least && to <= field.most && from <= to;
}

function numberOf(text: string, { names, least }: Field): number {
  const named = names.indexOf(text.toLowerCase());
  if (named >= 0) return named + least;
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}
