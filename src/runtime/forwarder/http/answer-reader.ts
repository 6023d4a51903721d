import { BodyFraming } from './body-framing.ts';
import { endOfHead, longestHead } from './end-of-head.ts';
import { type AnswerHead, parseAnswer, type RequestHead } from './message-head.ts';
import { withClose } from './own-answers.ts';

/** What became of bytes that came from an endpoint. `bytes` are to be passed on. */
export type AnswerPart =
  /** More is to come; `rest` was not looked at yet. */
  | { readonly is: 'part'; readonly bytes: Buffer; readonly rest?: Buffer }
  /** The answer is whole. `clean`: nothing came after it. */
  | { readonly is: 'end'; readonly bytes: Buffer; readonly clean: boolean }
  /** From now on it is no HTTP any more. */
  | { readonly is: 'tunnel'; readonly bytes: Buffer }
  | { readonly is: 'broken' };

const nothing = Buffer.alloc(0);

/** Finds the end of the answer to one request, interim answers before it included. */
export class AnswerReader {
  readonly #request: RequestHead;
  #pending: Buffer | undefined;
  #head: AnswerHead | undefined;
  #body: BodyFraming | undefined;

  constructor(request: RequestHead) {
    this.#request = request;
  }

  /** The head of the answer, once it was passed on. */
  get head(): AnswerHead | undefined {
    return this.#head;
  }

  /** Its end is that of the connection. */
  get endsWithConnection(): boolean {
    return this.#head?.body.by === 'close';
  }

  /** Takes the next bytes. `lastOne` writes into the head that the connection ends with this answer. */
  read(chunk: Buffer, lastOne: boolean): AnswerPart {
    if (this.#body) return this.#pass(this.#body, chunk, 0);
    const bytes = this.#pending ? Buffer.concat([this.#pending, chunk]) : chunk;
    const end = endOfHead(bytes, 'lenient');
    if (end < 0) {
      this.#pending = bytes;
      return bytes.length > longestHead ? { is: 'broken' } : { is: 'part', bytes: nothing };
    }
    this.#pending = undefined;
    const text = bytes.toString('latin1', 0, end);
    const head = parseAnswer(text, this.#request.method);
    if (typeof head === 'string') return { is: 'broken' };
    if (this.#isTunnel(head)) return { is: 'tunnel', bytes };
    if (head.status < 200) return interim(head, bytes, end);
    this.#head = lastOne ? { ...head, keepAlive: false } : head;
    this.#body = new BodyFraming(head.body);
    if (!lastOne) return this.#pass(this.#body, bytes, end);
    const closing = Buffer.from(withClose(text), 'latin1');
    return this.#pass(this.#body, Buffer.concat([closing, bytes.subarray(end)]), closing.length);
  }

  #isTunnel({ status }: AnswerHead): boolean {
    const { method, upgrade } = this.#request;
    return (status === 101 && upgrade) || (method === 'CONNECT' && status >= 200 && status < 300);
  }

  #pass(body: BodyFraming, bytes: Buffer, from: number): AnswerPart {
    const end = body.take(bytes, from);
    if (end < 0) return { is: 'broken' };
    if (!body.done) return { is: 'part', bytes };
    const clean = end === bytes.length;
    return { is: 'end', bytes: clean ? bytes : bytes.subarray(0, end), clean };
  }
}

function interim(head: AnswerHead, bytes: Buffer, end: number): AnswerPart {
  if (head.status === 101) return { is: 'broken' }; // nobody asked for it
  const rest = bytes.subarray(end);
  return { is: 'part', bytes: bytes.subarray(0, end), ...(rest.length > 0 ? { rest } : {}) };
}
