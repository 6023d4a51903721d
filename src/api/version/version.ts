import { compareDebianParts, compareDebianText, type DebianParts, splitDebian } from './debian.ts';
import { compareSegments, type Order, orderOf } from './order.ts';
import { compareReleaseNumbers, parseReleaseNumber, type ReleaseNumber } from './release-number.ts';
import { parseSeries, type Series } from './series.ts';

/** The three ways in which services count their versions. */
export type VersionScheme = 'series' | 'number' | 'debian';

/** A version of an OpenStack series: "zed", "2025.1". */
export type SeriesVersion = { readonly text: string; readonly scheme: 'series' } & Series;

/** A version of numbers: "22.0.0", "1.2.3-rc.1", "27.0.0.0rc1". */
export type NumberVersion = { readonly text: string; readonly scheme: 'number' } & ReleaseNumber;

/** A Debian version: "2:22.0.2-0+deb12u3". */
export type DebianVersion = { readonly text: string; readonly scheme: 'debian' } & DebianParts;

/** What a service calls its version, read once. `text` is what was written, without blanks around it. */
export type Version = SeriesVersion | NumberVersion | DebianVersion;

/**
 * Reads a version. Without a scheme the text decides: a series when it names one; Debian when it has an epoch, a `~`,
 * a last dash followed by a digit, or a Debian or Ubuntu mark; else numbers. "1.2.3-1" is therefore Debian unless
 * the caller says number. Undefined when the text is no version of the scheme.
 */
export function parseVersion(text: string, scheme?: VersionScheme): Version | undefined {
  const trimmed = text.trim();
  switch (scheme ?? schemeOf(trimmed)) {
    case 'series': {
      const series = parseSeries(trimmed);
      return series && { text: trimmed, scheme: 'series', ...series };
    }
    case 'number': {
      const number = parseReleaseNumber(trimmed);
      return number && { text: trimmed, scheme: 'number', ...number };
    }
    case 'debian': {
      const parts = splitDebian(trimmed);
      return parts && { text: trimmed, scheme: 'debian', ...parts };
    }
  }
}

/**
 * The order of two versions; undefined when they cannot be compared, as a series with anything else.
 *
 * Within a scheme it is total. A number and a Debian version are compared by the upstream part: the leading numbers,
 * missing ones as zero, then what follows by Debian's rules, where a pre-release is written with `~` ("27.0.0.0rc1"
 * is level with "27.0.0~rc1-1"). Epoch, revision and repack marks (+dfsg, ~ds, +maria) say how it was packaged, not
 * what it is, and are left out. Do not sort a list that mixes both: among Debian versions 1:10 is after 22, next to the
 * number 15 it is not.
 */
export function compareVersions(a: Version, b: Version): Order | undefined {
  if (a.scheme === 'series' || b.scheme === 'series') {
    return a.scheme === b.scheme ? orderOf(ordinal(a) - ordinal(b)) : undefined;
  }
  if (a.scheme === 'number' && b.scheme === 'number') return compareReleaseNumbers(a, b);
  if (a.scheme === 'debian' && b.scheme === 'debian') return compareDebianParts(a, b);
  return compareUpstream(upstreamOf(a), upstreamOf(b));
}

/**
 * How many releases apart two versions are, whichever is newer: for series the releases between, else the difference
 * of the first number. Undefined when they cannot be compared.
 */
export function distance(a: Version, b: Version): number | undefined {
  if (compareVersions(a, b) === undefined) return undefined;
  const apart = Math.abs(ordinal(a) - ordinal(b));
  return Number.isSafeInteger(apart) ? apart : undefined;
}

/** Whether `version` is a pre-release of the very release that `release` names: 27.0.0.0rc1 of 27, not of 28. */
export function isPreReleaseOf(version: Version, release: Version): boolean {
  if (version.scheme === 'series' || release.scheme === 'series') return false;
  if (version.scheme === 'debian' && release.scheme === 'debian' && version.epoch !== release.epoch)
    return false;
  const early = upstreamOf(version);
  const final = upstreamOf(release);
  return (
    early.rest.startsWith('~') &&
    !final.rest.startsWith('~') &&
    compareSegments(early.release, final.release) === 0
  );
}

function schemeOf(text: string): VersionScheme {
  if (parseSeries(text) !== undefined) return 'series';
  if (/^v\d/i.test(text)) return 'number'; // policy wants a digit first, so this can only be a tag
  return /^\d+:|~|-\d[^-]*$|deb\d+u|ubuntu|bpo/.test(text) ? 'debian' : 'number';
}

function ordinal(version: Version): number {
  return version.scheme === 'series' ? version.ordinal : (upstreamOf(version).release[0] ?? 0);
}

/** A version cut into its leading numbers and what follows, the common ground of numbers and Debian versions. */
interface Upstream {
  readonly release: readonly number[];
  readonly rest: string;
}

function compareUpstream(a: Upstream, b: Upstream): Order {
  return compareSegments(a.release, b.release) || compareDebianText(a.rest, b.rest);
}

function upstreamOf(version: NumberVersion | DebianVersion): Upstream {
  if (version.scheme === 'debian') return debianUpstream(version.upstream);
  const { release, pre, post } = version;
  if (post !== undefined) return { release, rest: `.post${post}` };
  return { release, rest: pre.length === 0 ? '' : preReleaseText(pre.join('.')) };
}

function debianUpstream(upstream: string): Upstream {
  const [release = ''] = /^\d+(?:\.\d+)*/.exec(upstream) ?? [];
  const rest = upstream.slice(release.length).replace(/[.+~](?:dfsg|ds|repack|maria)(?![a-z]).*$/, '');
  const isPreRelease = /^(?:~|[._]?(?:a|b|c|rc|alpha|beta|dev)\.?\d)/.test(rest);
  return { release: release.split('.').map(Number), rest: isPreRelease ? preReleaseText(rest) : rest };
}

/**
 * One spelling for all: "rc.1", ".rc1" and "~rc1" become "~rc1"; "rc.2.~dev.3" becomes "~rc2~dev3". A lone dev gets two
 * tildes, so that it comes before every other pre-release here as it does among numbers.
 */
function preReleaseText(text: string): string {
  const body = text.replace(/^[._~]/, '').replace(/\.?~?\bdev/, '~dev');
  return `~${body.replace(/([a-z])\.(?=\d)/gi, '$1')}`;
}
