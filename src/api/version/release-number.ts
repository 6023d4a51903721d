import { compareSegments, type Order, orderOf } from './order.ts';

/** A piece of what follows the release numbers: "rc", 1, or `developmentMark`. */
export type Identifier = string | number;

/** A version made of numbers: semver, shorter and longer than semver, and the PEP 440 forms of OpenStack's tags. */
export interface ReleaseNumber {
  /** The numbers as written, at least one; trailing zeros do not count for order. */
  readonly release: readonly number[];
  /** Empty for a finished release. */
  readonly pre: readonly Identifier[];
  /** PEP 440's `.postN`, which comes after the release; absent for most. */
  readonly post?: number;
}

/** Stands for PEP 440's `.dev`, which comes before what it is attached to. No identifier can hold a tilde. */
export const developmentMark = '~dev';

const numbers = /v?(?<release>\d+(?:\.\d+)*)/; // 22, 22.0.0, v1.2.3
const semverPre = /-(?<semver>[0-9a-z-]+(?:\.[0-9a-z-]+)*)/; // -rc.1
const pepPre = /(?:[._]?(?<word>alpha|beta|rc|a|b|c)\.?(?<serial>\d*))?(?:\.?dev(?<dev>\d*))?/; // 0rc1, b2, .dev12
const pepPost = /(?:\.post(?<post>\d+))?/;
const build = /(?:\+[0-9a-z.-]+)?/; // says how it was made, not which one it is
const grammar = new RegExp(
  `^${numbers.source}(?:${semverPre.source}|${pepPre.source}${pepPost.source})${build.source}$`,
  'i',
);

/**
 * Reads "22", "10.6", "22.0.0", "v1.2.3", "1.2.3-rc.1+build", "27.0.0.0rc1", "27.0.0.dev12"; undefined for anything else,
 * also for numbers of more than 15 digits, which would lose their last ones.
 */
export function parseReleaseNumber(text: string): ReleaseNumber | undefined {
  const groups = grammar.exec(text)?.groups;
  if (groups === undefined || /\d{16}/.test(text.replace(/\+.*$/, ''))) return undefined;
  const { release = '', semver, word, serial, dev, post } = groups;
  const pre =
    semver === undefined
      ? [
          ...(word === undefined ? [] : [word.toLowerCase(), Number(serial)]),
          ...(dev === undefined ? [] : [developmentMark, Number(dev)]),
        ]
      : semver.split('.').map(part => (/^\d+$/.test(part) ? Number(part) : part));
  const parsed = { release: release.split('.').map(Number), pre };
  if (post === undefined) return parsed;
  return pre.length === 0 ? { ...parsed, post: Number(post) } : undefined;
}

/**
 * Semver's order for what semver can say, PEP 440's for `.dev`, `aN`, `bN`, `rcN` and `.postN`:
 * dev, then pre-releases, then the release, then posts. "rc1" without a dash equals "-rc.1".
 */
export function compareReleaseNumbers(a: ReleaseNumber, b: ReleaseNumber): Order {
  return (
    compareSegments(a.release, b.release) || comparePre(a.pre, b.pre) || orderOf(postRank(a) - postRank(b))
  );
}

function comparePre(a: readonly Identifier[], b: readonly Identifier[]): Order {
  if (a.length === 0 || b.length === 0) return orderOf(b.length - a.length);
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const order = compareIdentifiers(a[index], b[index]);
    if (order !== 0) return order;
  }
  return 0;
}

function compareIdentifiers(a: Identifier | undefined, b: Identifier | undefined): Order {
  const rankDifference = identifierRank(a) - identifierRank(b);
  if (rankDifference !== 0) return orderOf(rankDifference);
  if (a === undefined || b === undefined || a === b) return 0;
  return a < b ? -1 : 1;
}

/** The end of the list stands between: "rc.1.dev2" comes before "rc.1" (PEP 440), "rc.1.2" after it (semver). */
function identifierRank(identifier: Identifier | undefined): number {
  if (identifier === developmentMark) return 0;
  if (identifier === undefined) return 1;
  return typeof identifier === 'number' ? 2 : 3;
}

function postRank(number: ReleaseNumber): number {
  return number.post ?? -1;
}
