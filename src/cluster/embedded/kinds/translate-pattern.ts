/** Names of sets of characters as Go has them inside brackets, `[[:alpha:]]`. */
const namedSets: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7F',
  blank: '\\t ',
  cntrl: '\\x00-\\x1F\\x7F',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`{-~',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};

/** Go counts no further in `a{1000}`. */
const mostRepeats = 1000;

interface Flags {
  readonly ignoresCase: boolean;
  readonly dotIsAll: boolean;
}

/** One step of a pattern: how many characters it takes, and what it is in JavaScript; undefined where it cannot be said. */
type Step = { readonly length: number; readonly text: string } | undefined;

/**
 * A pattern of a foreign CustomResourceDefinition, written for Go, as JavaScript has it with the flag `u`. Undefined for what Go
 * itself refuses, such as a look ahead, and for the little that cannot be said here: flags in the middle of a pattern.
 */
export function translatePattern(pattern: string): string | undefined {
  const [, letters = ''] = /^\(\?([is]+)\)/.exec(pattern) ?? [];
  const flags = { ignoresCase: letters.includes('i'), dotIsAll: letters.includes('s') };
  const rest = letters === '' ? pattern : pattern.slice(letters.length + 3);
  let translated = '';
  for (let at = 0, inSet = false; at < rest.length; ) {
    const step: Step = inSet ? setStep(rest.slice(at), flags) : plainStep(rest.slice(at), flags);
    if (!step) return undefined;
    if (!inSet && rest[at] === '[') inSet = true;
    else if (inSet && rest[at] === ']' && step.text === ']') inSet = false;
    translated += step.text;
    at += step.length;
  }
  return isPattern(translated) ? translated : undefined;
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}

function plainStep(rest: string, flags: Flags): Step {
  const first = rest[0] ?? '';
  if (first === '\\') return escapeStep(rest, flags, false);
  if (rest.startsWith('(?')) return groupStep(rest);
  if (first === '[') {
    // A bracket right after the opening one is meant as itself.
    const [opening = ''] = /^\[\^?\]?/.exec(rest) ?? [];
    return { length: opening.length, text: opening.replace(/\]$/, '\\]') };
  }
  if (first === '{') {
    const [repeat, least, , most] = /^\{(\d+)(,(\d*))?\}/.exec(rest) ?? [];
    if (repeat === undefined) return { length: 1, text: '\\{' };
    return Math.max(Number(least), Number(most ?? 0)) > mostRepeats
      ? undefined
      : { length: repeat.length, text: repeat };
  }
  if (first === '}' || first === ']') return { length: 1, text: `\\${first}` };
  if (first === '.' && flags.dotIsAll) return { length: 1, text: '[^]' };
  return { length: 1, text: flags.ignoresCase && isLetter(first) ? `[${bothCases(first)}]` : first };
}

/** Only groups that Go has: no looking ahead or behind, and no flags but at the beginning. */
function groupStep(rest: string): Step {
  if (rest.startsWith('(?:')) return { length: 3, text: '(?:' };
  const [named, name] = /^\(\?P?<([A-Za-z_]\w*)>/.exec(rest) ?? [];
  return named === undefined ? undefined : { length: named.length, text: `(?<${name}>` };
}

function setStep(rest: string, flags: Flags): Step {
  const [named, not, name = ''] = /^\[:(\^?)(\w+):\]/.exec(rest) ?? [];
  if (named !== undefined) {
    const set = namedSets[name];
    return set === undefined || not ? undefined : { length: named.length, text: set };
  }
  if (rest[0] === '\\') return escapeStep(rest, flags, true);
  if (rest[0] === '[') return { length: 1, text: '\\[' };
  const [range, from = '', to = ''] = /^([A-Za-z])-([A-Za-z])/.exec(rest) ?? [];
  if (range !== undefined && flags.ignoresCase) {
    return { length: 3, text: `${range}${otherCase(from)}-${otherCase(to)}` };
  }
  const first = rest[0] ?? '';
  return { length: 1, text: flags.ignoresCase && isLetter(first) ? bothCases(first) : first };
}

/** Escapes whose JavaScript form is another one. */
const escapes: Readonly<Record<string, string>> = { A: '^', z: '$', a: '\\x07' };

function escapeStep(rest: string, flags: Flags, inSet: boolean): Step {
  const next = rest[1] ?? '';
  const code = codeStep(rest);
  if (code) return code;
  const [quoted, literal] = /^\\Q(.*?)(?:\\E|$)/s.exec(rest) ?? [];
  if (quoted !== undefined && !inSet)
    return { length: quoted.length, text: literalText(literal ?? '', flags) };
  const known = Object.hasOwn(escapes, next) ? escapes[next] : undefined;
  if (known !== undefined && (!inSet || next === 'a')) return { length: 2, text: known };
  if (/[dDwWsStnrfv]/.test(next) || (/[bB]/.test(next) && !inSet)) return { length: 2, text: `\\${next}` };
  if (/[A-Za-z0-9]/.test(next) || next === '') return undefined;
  return { length: 1 + next.length, text: literalText(next, flags, inSet) };
}

/** A character by its number, or a class of characters by its name. */
function codeStep(rest: string): Step {
  const [code, digits] = /^\\x\{([0-9A-Fa-f]{1,6})\}/.exec(rest) ?? [];
  if (code !== undefined) return { length: code.length, text: `\\u{${digits}}` };
  const [hex] = /^\\x[0-9A-Fa-f]{2}/.exec(rest) ?? [];
  if (hex !== undefined) return { length: 4, text: hex };
  const [script] = /^\\[pP]\{\w+\}/.exec(rest) ?? [];
  if (script !== undefined) return { length: script.length, text: script };
  const [category] = /^\\[pP][A-Z]/.exec(rest) ?? [];
  return category === undefined ? undefined : { length: 3, text: `\\${rest[1]}{${rest[2]}}` };
}

function literalText(text: string, flags: Flags, inSet = false): string {
  const needsEscape = inSet ? /[\^$\\.*+?()[\]{}|/-]/ : /[\^$\\.*+?()[\]{}|/]/;
  return [...text]
    .map(one => {
      if (needsEscape.test(one)) return `\\${one}`;
      return flags.ignoresCase && isLetter(one) ? `[${bothCases(one)}]` : one;
    })
    .join('');
}

function isLetter(text: string): boolean {
  return /^[A-Za-z]$/.test(text);
}

function bothCases(letter: string): string {
  return `${letter.toLowerCase()}${letter.toUpperCase()}`;
}

function otherCase(letter: string): string {
  return letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
}
