import { type Json, type JsonObject, setKey } from '../base/json.ts';
import { goScalar } from './go-yaml.ts';

/** A document of the plain kind, and the line at which it starts. */
export interface PlainDocument {
  readonly object: JsonObject;
  readonly line: number;
}

/**
 * Reads one document of the kind that programs write: maps and lists by indentation, scalars on one line, literal blocks. Ten times as fast as
 * the parser that knows all of YAML, and for nothing else: of a text that holds anything more, or anything wrong, it says nothing, and who
 * asked goes to that parser. What it does read, that one reads as the same (as `go`).
 */
export function readPlainYaml(text: string): PlainDocument | undefined {
  if (/[\t\r\0\uFEFF\u0085\u2028\u2029]/.test(text)) return undefined;
  const reader = new Reader(text);
  try {
    return reader.read();
  } catch (error) {
    if (error === notPlain) return undefined;
    throw error;
  }
}

/** Thrown inside this file alone. */
const notPlain = Symbol('not plain');

const maxDepth = 48;
const plainKey = /^([\w./-]+):(?: +|$)/;
const quotedKey = /^(?:"([^"\\]*)"|'([^']*)'):(?: +|$)/;
const doubleQuoted = /^"((?:[^"\\]|\\["\\/nrt])*)"(?: +#.*)? *$/;
const singleQuoted = /^'((?:[^']|'')*)'(?: +#.*)? *$/;
/** What begins a plain scalar, and never anything else. */
const plainStart = /^[\w./$(<+^;~=\\-]/;

class Reader {
  readonly #lines: string[];
  #at = 0;

  constructor(text: string) {
    this.#lines = text.split('\n');
  }

  read(): PlainDocument {
    const indent = this.#next();
    const line = this.#at + 1;
    if (indent !== 0) throw notPlain;
    const value = this.#map(0, 0);
    if (this.#next() >= 0) throw notPlain;
    return { object: value, line };
  }

  /** Goes on to the next line that says something, and gives its indentation; -1 at the end. */
  #next(): number {
    for (; this.#at < this.#lines.length; this.#at++) {
      const line = this.#lines[this.#at] ?? '';
      const indent = indentOf(line);
      if (indent === line.length || line[indent] === '#') continue;
      if (indent === 0 && /^(---|\.\.\.|%)/.test(line)) throw notPlain;
      return indent;
    }
    return -1;
  }

  #content(indent: number): string {
    return (this.#lines[this.#at] ?? '').slice(indent);
  }

  #block(indent: number, depth: number): Json {
    if (depth > maxDepth) throw notPlain;
    return isItem(this.#content(indent)) ? this.#list(indent, depth) : this.#map(indent, depth);
  }

  #map(indent: number, depth: number): JsonObject {
    const map: Record<string, Json> = {};
    do {
      const content = this.#content(indent);
      const match = plainKey.exec(content) ?? quotedKey.exec(content);
      if (!match || isItem(content)) throw notPlain;
      const key = match[1] ?? match[2] ?? match[3] ?? '';
      setKey(map, key, this.#value(content.slice(match[0].length), { indent, depth, inMap: true }));
    } while (this.#goesOn(indent));
    return map;
  }

  #list(indent: number, depth: number): Json {
    const list: Json[] = [];
    do {
      const content = this.#content(indent);
      if (!isItem(content)) break; // the map around a list at its own indentation goes on
      const inner = content.slice(1).trimStart();
      const at = indent + content.length - inner.length;
      if (inner !== '' && (isItem(inner) || plainKey.test(inner) || quotedKey.test(inner))) {
        this.#lines[this.#at] = `${' '.repeat(at)}${inner}`;
        list.push(this.#block(at, depth + 1));
      } else list.push(this.#value(inner, { indent, depth, inMap: false }));
    } while (this.#goesOn(indent));
    return list;
  }

  /** Whether the block at this indentation has another entry. What is indented otherwise, and not less, is nothing plain. */
  #goesOn(indent: number): boolean {
    const next = this.#next();
    if (next > indent) throw notPlain;
    return next === indent;
  }

  #value(text: string, place: { indent: number; depth: number; inMap: boolean }): Json {
    const { indent, depth, inMap } = place;
    this.#at++;
    if (text === '' || text[0] === '#') {
      const next = this.#next();
      if (next > indent) return this.#block(next, depth + 1);
      return next === indent && inMap && isItem(this.#content(next)) ? this.#list(next, depth + 1) : null;
    }
    if (text[0] === '|') return this.#literal(text, indent);
    return scalar(text);
  }

  #literal(header: string, parent: number): string {
    const [, chomp] = /^\|([+-]?) *$/.exec(header) ?? [];
    if (chomp === undefined) throw notPlain;
    const start = this.#at;
    const indent = this.#literalIndent(parent);
    const end = this.#literalEnd(parent, indent);
    // A text that ends with a line break has nothing after it: no line.
    const isLast = end === this.#lines.length;
    if (isLast && this.#lines[end - 1] !== '') throw notPlain;
    const lines = this.#lines.slice(start, isLast ? end - 1 : end).map(line => line.slice(indent));
    const body = lines.join('\n');
    this.#at = end;
    if (chomp === '+') return `${body}\n`;
    return `${body.replace(/\n+$/, '')}${chomp === '-' ? '' : '\n'}`;
  }

  /** The indentation of the first words of a literal block. Blanks before them may not go further, so there are none. */
  #literalIndent(parent: number): number {
    const first = this.#lines.findIndex((line, at) => at >= this.#at && line !== '');
    const line = this.#lines[first] ?? '';
    const indent = indentOf(line);
    if (indent <= parent || indent === line.length) throw notPlain;
    return indent;
  }

  /** The line after a literal block: the first that is indented no further than what the block is in. */
  #literalEnd(parent: number, indent: number): number {
    let end = this.#at;
    for (; end < this.#lines.length; end++) {
      const line = this.#lines[end] ?? '';
      const own = indentOf(line);
      if (own === line.length) continue;
      if (own <= parent) break;
      if (own < indent) throw notPlain;
    }
    return end;
  }
}

function scalar(text: string): Json {
  if (text[0] === '"') {
    if (!doubleQuoted.test(text)) throw notPlain;
    const body = doubleQuoted.exec(text)?.[1] ?? '';
    return JSON.parse(`"${body}"`) as string;
  }
  if (text[0] === "'") {
    const body = singleQuoted.exec(text)?.[1];
    if (body === undefined) throw notPlain;
    return body.replaceAll("''", "'");
  }
  if (/^\{\} *$/.test(text)) return {};
  if (/^\[\] *$/.test(text)) return [];
  if (!plainStart.test(text)) throw notPlain;
  const comment = text.indexOf(' #');
  const word = (comment < 0 ? text : text.slice(0, comment)).trimEnd();
  if (word.includes(': ') || word.endsWith(':') || isItem(word)) throw notPlain;
  const value = goScalar(word);
  if (typeof value === 'number' && !Number.isSafeInteger(value) && Number.isInteger(value)) throw notPlain;
  return value;
}

function isItem(content: string): boolean {
  return content === '-' || content.startsWith('- ');
}

function indentOf(line: string): number {
  let indent = 0;
  while (line.charCodeAt(indent) === 32) indent++;
  return indent;
}
