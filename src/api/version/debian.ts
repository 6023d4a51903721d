import { type Order, orderOf } from './order.ts';

/** The three parts of a Debian version. No epoch is epoch 0; no revision is the empty text, which equals "0". */
export interface DebianParts {
  readonly epoch: number;
  readonly upstream: string;
  readonly revision: string;
}

/** dpkg keeps the epoch in a C int and refuses what does not fit. */
const largestEpoch = 2_147_483_647;

/**
 * Splits a Debian version by the grammar of Debian policy 5.6.12; undefined when the text does not follow it.
 * Stricter than dpkg in two places, as policy is: the upstream part starts with a digit and holds no colon.
 */
export function splitDebian(text: string): DebianParts | undefined {
  const parts = /^(?:(\d+):)?(\d[A-Za-z0-9.+~-]*)$/.exec(text);
  if (parts === null) return undefined;
  const [, epochText = '0', rest = ''] = parts;
  const epoch = Number(epochText);
  const dash = rest.lastIndexOf('-'); // the upstream part may hold dashes, the revision may not
  if (epoch > largestEpoch || dash === rest.length - 1) return undefined;
  if (dash < 0) return { epoch, upstream: rest, revision: '' };
  return { epoch, upstream: rest.slice(0, dash), revision: rest.slice(dash + 1) };
}

/** Whether the text is a version by the grammar of Debian policy. */
export function isDebianVersion(text: string): boolean {
  return splitDebian(text) !== undefined;
}

/**
 * The order of `dpkg --compare-versions`. Both texts shall be Debian versions; a text that is none is taken as an
 * upstream part alone, so that the answer is still an order and sorting a list with one bad entry does not fail.
 */
export function compareDebian(a: string, b: string): Order {
  return compareDebianParts(partsOrWhole(a), partsOrWhole(b));
}

/** The same order for versions that are split already: epoch, then upstream, then revision. */
export function compareDebianParts(a: DebianParts, b: DebianParts): Order {
  if (a.epoch !== b.epoch) return a.epoch < b.epoch ? -1 : 1;
  return compareDebianText(a.upstream, b.upstream) || compareDebianText(a.revision, b.revision);
}

/**
 * Debian's order of one part: turns of non-digits and digits. Non-digits go by character, with `~` before the end
 * of the text, the end before letters, letters before the rest; digits go by value. (dpkg: lib/dpkg/version.c, verrevcmp)
 */
export function compareDebianText(a: string, b: string): Order {
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    // Either side past its non-digits weighs 0, which no non-digit weighs: so both always advance together.
    for (; isNonDigit(a[i]) || isNonDigit(b[j]); i++, j++) {
      const difference = weight(a[i]) - weight(b[j]);
      if (difference !== 0) return orderOf(difference);
    }
    const left = digitsAt(a, i);
    const right = digitsAt(b, j);
    const order = compareDigits(left, right);
    if (order !== 0) return order;
    i += left.length;
    j += right.length;
  }
  return 0;
}

function partsOrWhole(text: string): DebianParts {
  return splitDebian(text) ?? { epoch: 0, upstream: text, revision: '' };
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9';
}

function isNonDigit(character: string | undefined): boolean {
  return character !== undefined && !isDigit(character);
}

function weight(character: string | undefined): number {
  if (character === undefined || isDigit(character)) return 0;
  if (character === '~') return -1;
  return character.charCodeAt(0) + (/[A-Za-z]/.test(character) ? 0 : 256);
}

function digitsAt(text: string, start: number): string {
  let end = start;
  while (isDigit(text[end])) end++;
  return text.slice(start, end);
}

/** By value, at any length: a git date with a serial does not fit a number. */
function compareDigits(a: string, b: string): Order {
  const left = a.replace(/^0+/, '');
  const right = b.replace(/^0+/, '');
  if (left.length !== right.length) return left.length < right.length ? -1 : 1;
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
