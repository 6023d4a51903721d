import type { ClusterObject } from '../../cluster.ts';
import { keyProblem, labelValueProblem } from '../objects/names.ts';
import { badRequest } from '../objects/refusals.ts';

export type Labels = Readonly<Record<string, string>>;
type Test = (labels: Labels) => boolean;

const noLabels: Labels = {};

/** Whether the labels of an object meet a selector. Throws `BadRequest` for a selector that cannot be read. */
export function labelSelector(text: string): (object: ClusterObject) => boolean {
  const tests = new SelectorReader(text).tests();
  return object => {
    const labels = object.metadata.labels ?? noLabels;
    return tests.every(test => test(labels));
  };
}

/** Signs stand for themselves; everything between them and blanks is a word. */
const tokens = /==|!=|[=!(),<>]|[^\s=!(),<>]+/g;
const isWord = (token: string) => token !== '' && !/^[=!(),<>]/.test(token);

/** Reads a selector as a server does, token by token; `''` is the end. */
class SelectorReader {
  readonly #text: string;
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = text.match(tokens) ?? [];
  }

  tests(): Test[] {
    const tests: Test[] = [];
    if (this.#ahead === '') return tests;
    for (;;) {
      tests.push(this.#requirement());
      const next = this.#take();
      if (next === '') return tests;
      if (next !== ',') throw this.#unreadable(next, "',' or the end");
    }
  }

  get #ahead(): string {
    return this.#tokens[this.#at] ?? '';
  }

  #take(): string {
    const token = this.#ahead;
    this.#at += 1;
    return token;
  }

  #requirement(): Test {
    const isNot = this.#ahead === '!';
    if (isNot) this.#take();
    const key = this.#word('a key');
    const problem = keyProblem(key);
    if (problem) throw this.#wrong(`key "${key}": ${problem}`);
    if (isNot) return labels => !Object.hasOwn(labels, key);
    if (this.#ahead === '' || this.#ahead === ',') return labels => Object.hasOwn(labels, key);
    return this.#comparison(key, this.#take());
  }

  #comparison(key: string, how: string): Test {
    const valueIn = (labels: Labels) => (Object.hasOwn(labels, key) ? labels[key] : undefined);
    if (how === 'in' || how === 'notin') {
      const values = new Set<string | undefined>(this.#values());
      return how === 'in' ? labels => values.has(valueIn(labels)) : labels => !values.has(valueIn(labels));
    }
    if (!['=', '==', '!=', '<', '>'].includes(how)) throw this.#unreadable(how, 'in, notin, =, ==, !=, <, >');
    const value = this.#ahead === '' || this.#ahead === ',' ? '' : this.#word('a value');
    this.#checkValue(value);
    if (how === '!=') return labels => valueIn(labels) !== value;
    if (how === '=' || how === '==') return labels => valueIn(labels) === value;
    const limit = wholeNumber(value);
    if (limit === undefined) throw this.#wrong(`the value of ${how} must be a whole number, not "${value}"`);
    return labels => {
      const number = wholeNumber(valueIn(labels) ?? '');
      return number !== undefined && (how === '>' ? number > limit : number < limit);
    };
  }

  /** The values between brackets; where there is nothing between two signs, the empty one. */
  #values(): string[] {
    const opening = this.#take();
    if (opening !== '(') throw this.#unreadable(opening, "'('");
    const values: string[] = [];
    for (;;) {
      const value = isWord(this.#ahead) ? this.#take() : '';
      this.#checkValue(value);
      values.push(value);
      const next = this.#take();
      if (next === ')') return values;
      if (next !== ',') throw this.#unreadable(next, "',' or ')'");
    }
  }

  #word(expected: string): string {
    const token = this.#take();
    if (!isWord(token)) throw this.#unreadable(token, expected);
    return token;
  }

  #checkValue(value: string): void {
    const problem = labelValueProblem(value);
    if (problem) throw this.#wrong(`value "${value}": ${problem}`);
  }

  #unreadable(found: string, expected: string): Error {
    return this.#wrong(`found '${found}', expected: ${expected}`);
  }

  #wrong(why: string): Error {
    return badRequest(`unable to parse the label selector "${this.#text}": ${why}`);
  }
}

/** A number of 64 bits, as a server reads it. */
function wholeNumber(text: string): bigint | undefined {
  if (!/^[-+]?\d+$/.test(text)) return undefined;
  const number = BigInt(text.replace(/^\+/, ''));
  return BigInt.asIntN(64, number) === number ? number : undefined;
}
