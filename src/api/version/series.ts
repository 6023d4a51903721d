/** One OpenStack release series. Two texts that mean the same series give equal values. */
export interface Series {
  /** Counts releases from austin (0) on; the next release is always one higher. */
  readonly ordinal: number;
  /** The one way we write it: "zed" up to zed, "2023.1" from then on. */
  readonly label: string;
  /** A "skip level upgrade release process" release: one may go from it to the next such, past the one between. */
  readonly slurp: boolean;
}

/** What an upgrade from one series to another would be; `because` is a sentence for a person. */
export interface SeriesJump {
  /** Releases forward; negative when the target is older. */
  readonly releases: number;
  readonly supported: boolean;
  readonly because: string;
}

const letterNames = [
  ...['austin', 'bexar', 'cactus', 'diablo', 'essex', 'folsom', 'grizzly', 'havana', 'icehouse'],
  ...['juno', 'kilo', 'liberty', 'mitaka', 'newton', 'ocata', 'pike', 'queens', 'rocky', 'stein'],
  ...['train', 'ussuri', 'victoria', 'wallaby', 'xena', 'yoga', 'zed'],
];

/** In order from 2023.1 on, two a year; later series need no entry, their date is enough. */
const datedNames = [
  ...['antelope', 'bobcat', 'caracal', 'dalmatian', 'epoxy', 'flamingo'],
  ...['gazpacho', 'hibiscus'],
];

const firstDatedYear = 2023;
const firstDatedOrdinal = letterNames.length;

/**
 * Reads a series from its name, its date or both ("Zed", "2023.1", "antelope", "2023.1 Antelope").
 * Undefined when it is no series, also when name and date contradict each other.
 */
export function parseSeries(text: string): Series | undefined {
  const words = text.trim().toLowerCase().split(/\s+/);
  const [first, second] = words.map(ordinalOfWord);
  if (first === undefined || words.length > 2) return undefined;
  if (words.length === 2 && first !== second) return undefined;
  return seriesAt(first);
}

/**
 * Says whether OpenStack supports the upgrade: to the same series, to the next release, or from one SLURP release
 * to the next SLURP release. Anything else may still be forced by a person; this only says what is tested upstream.
 */
export function seriesJump(from: Series, to: Series): SeriesJump {
  const releases = to.ordinal - from.ordinal;
  const jump = (supported: boolean, because: string): SeriesJump => ({ releases, supported, because });
  if (releases < 0) return jump(false, `${to.label} is older than ${from.label}: that is not an upgrade`);
  if (releases === 0) return jump(true, `${from.label} stays ${to.label}`);
  if (releases === 1) return jump(true, `${to.label} is the release after ${from.label}`);
  if (releases === 2 && from.slurp && to.slurp) {
    const between = seriesAt(from.ordinal + 1).label;
    return jump(true, `${from.label} and ${to.label} are SLURP releases, so ${between} may be skipped`);
  }
  return jump(
    false,
    `${from.label} to ${to.label} skips ${skipped(from, to)}; upgrade to ${nextStop(from, to)} first`,
  );
}

function ordinalOfWord(word: string): number | undefined {
  const ordinal = [...letterNames, ...datedNames].indexOf(word);
  if (ordinal >= 0) return ordinal;
  const date = /^(\d{4})\.([12])$/.exec(word);
  const year = Number(date?.[1]);
  if (date === null || year < firstDatedYear) return undefined;
  return firstDatedOrdinal + (year - firstDatedYear) * 2 + Number(date[2]) - 1;
}

function seriesAt(ordinal: number): Series {
  const name = letterNames[ordinal];
  if (name !== undefined) return { ordinal, label: name, slurp: false };
  const halfYears = ordinal - firstDatedOrdinal;
  const half = halfYears % 2;
  const label = `${firstDatedYear + (halfYears - half) / 2}.${half + 1}`;
  return { ordinal, label, slurp: half === 0 };
}

function skipped(from: Series, to: Series): string {
  const count = to.ordinal - from.ordinal - 1;
  return count === 1 ? seriesAt(from.ordinal + 1).label : `${count} releases`;
}

/** The farthest supported stop on the way; the target is known to lie beyond it. */
function nextStop(from: Series, to: Series): string {
  const stride = from.slurp && to.ordinal - from.ordinal > 2 ? 2 : 1;
  return seriesAt(from.ordinal + stride).label;
}
