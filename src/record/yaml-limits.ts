import { CST, Lexer } from 'yaml';

/** The most characters a file may have; a record of a thousand services has a tenth of that. */
export const maxTextLength = 2 * 1024 * 1024;

/** How deep maps and lists may lie inside each other. */
export const maxDepth = 64;

/** How many documents one file may hold. */
const maxDocuments = 1000;

/** How many tokens one file may hold: the parser takes some microseconds for each, however short it is. */
const maxTokens = 500_000;

/**
 * More than `maxDepth` levels, because a level may be indented by several columns; yet far from what exhausts the stack
 * of the parser, which calls itself level by level.
 */
const maxColumns = 256;

/** A text that must not be given to the parser, and from which character on. */
export interface Excess {
  readonly offset: number;
  readonly message: string;
}

/**
 * Looks at the bare tokens of a text, which costs no recursion, and gives up at the first that leads too deep: a million
 * opening brackets are refused after some dozen. Undefined when the text can be parsed safely; the exact depth is
 * counted when the nodes are read.
 */
export function findExcess(text: string): Excess | undefined {
  const measure = new Measure();
  let offset = 0;
  let scalarFollows = false;
  for (const token of new Lexer().lex(text)) {
    if (scalarFollows) measure.content();
    else measure.take(token);
    const message = measure.excess();
    if (message !== undefined) return { offset, message };
    const isMark: boolean = !scalarFollows && marks.includes(token);
    scalarFollows = isMark && token === CST.SCALAR;
    if (!isMark) offset += token.length;
  }
  return undefined;
}

/** Signs the lexer puts between the tokens; they are no part of the text. */
const marks: readonly string[] = [CST.SCALAR, CST.DOCUMENT, CST.FLOW_END];

/** How deep the place is that the lexer has reached, never less than the truth. */
class Measure {
  #tokens = 0;
  #documents = 0;
  #brackets = 0;
  /** Colons since the last comma or bracket: `[a: b: c: ...` nests without a bracket. */
  #colons = 0;
  /** Columns of indentation, plus dashes, question marks and colons of this line: `- - - ...` nests without indentation. */
  #columns = 0;
  #indent = 0;
  #atLineStart = true;

  take(token: string): void {
    this.#tokens++;
    const type = CST.tokenType(token);
    if (type === 'newline') this.#startLine();
    else if (type === 'space') this.#indent += this.#atLineStart ? token.length : 0;
    else if (type !== 'comment' && type !== 'doc-mode') {
      this.content();
      this.#count(type);
    }
  }

  /** Anything that is neither blank nor comment: what stood before it in its line is its indentation. */
  content(): void {
    if (this.#atLineStart && this.#brackets === 0) this.#columns = this.#indent;
    this.#atLineStart = false;
  }

  excess(): string | undefined {
    if (this.#documents > maxDocuments) return `there are more than ${maxDocuments} documents`;
    if (this.#tokens > maxTokens) return `there are more than ${maxTokens} signs, names and values`;
    const tooDeep =
      this.#brackets > maxDepth || this.#colons > maxDepth || this.#columns + this.#brackets > maxColumns;
    return tooDeep ? `maps and lists lie inside each other more than ${maxDepth} deep` : undefined;
  }

  #startLine(): void {
    this.#atLineStart = true;
    this.#indent = 0;
  }

  #count(type: ReturnType<typeof CST.tokenType>): void {
    switch (type) {
      case 'doc-start':
      case 'doc-end':
        this.#documents++;
        this.#brackets = 0;
        break;
      case 'flow-error-end':
        this.#brackets = 0;
        break;
      case 'flow-map-start':
      case 'flow-seq-start':
        this.#brackets++;
        this.#colons = 0;
        break;
      case 'flow-map-end':
      case 'flow-seq-end':
        this.#brackets = Math.max(0, this.#brackets - 1);
        this.#colons = 0;
        break;
      case 'comma':
        this.#colons = 0;
        break;
      case 'seq-item-ind':
      case 'explicit-key-ind':
      case 'map-value-ind':
        if (this.#brackets === 0) this.#columns++;
        else this.#colons++;
        break;
      default:
    }
  }
}
