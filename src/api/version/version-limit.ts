import type { Order } from './order.ts';
import { parseSeries } from './series.ts';
import { compareVersions, isPreReleaseOf, parseVersion, type Version } from './version.ts';

/** How a version must stand to the one in the bound. */
export type BoundOperator = '>=' | '>' | '<=' | '<' | '=' | '!=';

/** One comparison, such as ">=22". */
export interface Bound {
  readonly operator: BoundOperator;
  readonly version: Version;
}

/** A set of versions: any one of the alternatives, each with all of its bounds. No bounds at all means any version. */
export interface Limit {
  readonly alternatives: readonly (readonly Bound[])[];
}

/** A limit, or a sentence that names the part that cannot be read. */
export type ParsedLimit =
  | { readonly ok: true; readonly limit: Limit }
  | { readonly ok: false; readonly problem: string };

/** Bounds of one word or one alternative, or the problem with it. */
type Read = readonly Bound[] | string;

const holds: Record<BoundOperator, (order: Order) => boolean> = {
  '>=': order => order >= 0,
  '>': order => order > 0,
  '<=': order => order <= 0,
  '<': order => order < 0,
  '=': order => order === 0,
  '!=': order => order !== 0,
};

/**
 * Reads ">=10.6 <11" (a comma is as good as a blank), "22.0.0" (exactly that), "!=22.0.1", "22.x", "~22.0", "^22",
 * alternatives with "||", and "*" for any version. A bare version stands alone in its alternative, since beside
 * other bounds it is more likely a slip, as in ">=2023.1 Antelope".
 */
export function parseLimit(text: string): ParsedLimit {
  const alternatives: (readonly Bound[])[] = [];
  for (const part of text.split('||')) {
    const bounds = readAlternative(part);
    if (typeof bounds === 'string') return { ok: false, problem: bounds };
    alternatives.push(bounds);
  }
  return { ok: true, limit: { alternatives } };
}

/**
 * Whether the version lies within the limit; undefined when that cannot be told because the schemes differ.
 *
 * Three rules go beyond the order of versions. A Debian version's epoch counts only against a bound that has one:
 * distributions choose epochs, people who write limits rarely know them. Against a bound of plain numbers only the
 * upstream part counts, so "=22.0.2" takes 22.0.2-0+deb12u3. Neither ">=27" nor "<27" takes 27.0.0.0rc1 (as in PEP 440):
 * who writes "<27" wants nothing of 27 yet. A limit that names a pre-release, such as "<27.0.0.0rc2", goes by order.
 */
export function satisfies(version: Version, limit: Limit): boolean | undefined {
  let answer: boolean | undefined = false;
  for (const bounds of limit.alternatives) {
    const one = satisfiesAll(version, bounds);
    if (one === true) return true;
    if (one === undefined) answer = undefined;
  }
  return answer;
}

/** The limit in its one canonical text, which reads back as the same limit: "~22.0" becomes ">=22.0 <22.1". */
export function describeLimit(limit: Limit): string {
  return limit.alternatives
    .map(bounds => (bounds.length === 0 ? '*' : bounds.map(describeBound).join(' ')))
    .join(' || ');
}

function describeBound({ operator, version }: Bound): string {
  return operator + (version.scheme === 'series' ? version.label : version.text);
}

function satisfiesAll(version: Version, bounds: readonly Bound[]): boolean | undefined {
  let answer: boolean | undefined = true;
  for (const bound of bounds) {
    const one = satisfiesBound(version, bound);
    if (one === false) return false;
    if (one === undefined) answer = undefined;
  }
  return answer;
}

function satisfiesBound(version: Version, bound: Bound): boolean | undefined {
  const asked = withoutUnaskedEpoch(version, bound.version);
  const order = compareVersions(asked, bound.version);
  if (order === undefined) return undefined;
  if (bound.operator === '<' && isPreReleaseOf(asked, bound.version)) return false;
  return holds[bound.operator](order);
}

function withoutUnaskedEpoch(version: Version, bound: Version): Version {
  const epochIsAsked = bound.scheme === 'debian' && bound.epoch > 0;
  return version.scheme === 'debian' && !epochIsAsked ? { ...version, epoch: 0 } : version;
}

function readAlternative(text: string): Read {
  // ">= 22" is one word; only at a word's start, since a Debian version may end in "~"
  const joined = text.trim().replace(/(^|[\s,])([<>=!~^]+)\s+/g, '$1$2');
  const words = joined.split(/[\s,]+/).filter(word => word !== '');
  if (words.length === 0) return 'a limit is empty; write * for any version';
  const bounds: Bound[] = [];
  for (const word of words) {
    const read = readWord(word);
    if (typeof read === 'string') return read;
    if (words.length > 1 && isBare(word)) {
      return `"${word}" beside other bounds: write =${word}, or separate alternatives with ||`;
    }
    bounds.push(...read);
  }
  return bounds;
}

function readWord(word: string): Read {
  if (/^[*x]$/i.test(word)) return [];
  if (isPrefix(word))
    return readRange(word.replace(/(?:\.[*x])+$/i, ''), word, numbers => numbers.length - 1);
  const [, operator = '', operand = ''] = /^([<>=!~^]*)(.*)$/.exec(word) ?? [];
  if (operator === '~') return readRange(operand, word, numbers => Math.min(1, numbers.length - 1));
  if (operator === '^') return readRange(operand, word, firstThatCounts);
  const known = operator === '' || operator === '==' ? '=' : operator;
  if (!isBoundOperator(known)) return `"${operator}" in "${word}" is no operator; use >=, >, <=, <, = or !=`;
  const version = parseVersion(operand);
  return version === undefined ? notAVersion(operand, word) : [{ operator: known, version }];
}

/** From the written version up to, and without, the one in which the number at `grows` is one higher. */
function readRange(operand: string, word: string, grows: (numbers: readonly number[]) => number): Read {
  const from = parseVersion(operand);
  if (from?.scheme !== 'number') return `"${word}" needs plain numbers, such as 22 or 22.0`;
  const index = grows(from.release);
  const end = from.release.slice(0, index + 1).map((number, at) => (at === index ? number + 1 : number));
  const joined = end.join('.');
  const to = parseVersion(parseSeries(joined) === undefined ? joined : `${joined}.0`); // 2025.0.x ends at a number
  if (to === undefined) return notAVersion(operand, word);
  return [
    { operator: '>=', version: from },
    { operator: '<', version: to },
  ];
}

/** Semver's caret: the first number that is not zero is the one that promises compatibility. */
function firstThatCounts(numbers: readonly number[]): number {
  const index = numbers.findIndex(number => number > 0);
  return index < 0 ? numbers.length - 1 : index;
}

function isPrefix(word: string): boolean {
  return /^v?\d+(?:\.\d+)*(?:\.[*x])+$/i.test(word);
}

function isBare(word: string): boolean {
  return !/^[<>=!~^*]/.test(word) && !isPrefix(word);
}

function isBoundOperator(text: string): text is BoundOperator {
  return Object.hasOwn(holds, text);
}

function notAVersion(operand: string, word: string): string {
  return operand === '' ? `"${word}" lacks a version` : `"${operand}" in "${word}" is not a version`;
}
