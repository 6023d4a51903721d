/** How the end of a message's body is found. */
export type BodyEnd =
  | { readonly by: 'none' | 'chunks' | 'close' }
  | { readonly by: 'length'; readonly length: number };

/** What is to be known of a request to pass it on: never more, so that everything else passes as it came. */
export interface RequestHead {
  readonly method: string;
  readonly body: BodyEnd;
  /** The client means to use the connection for further requests. */
  readonly keepAlive: boolean;
  readonly upgrade: boolean;
}

export interface AnswerHead {
  readonly status: number;
  readonly body: BodyEnd;
  /** The server means to answer further requests on the connection. */
  readonly keepAlive: boolean;
}

const requestLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) [^\s]+ HTTP\/1\.([01])\r\n/;
const statusLine = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: [^\r\n]*)?\r?\n/;
/**
 * Fields, each on one line that ends with CR LF. Blanks before the colon, continued lines and bare CR or LF are read
 * differently by different servers, and so are a way to hide a request in another.
 */
const strictFields = /^(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+:[^\r\n\0]*\r\n)*\r\n$/;
const toldFields = /^(content-length|transfer-encoding|connection|upgrade):([^\r\n]*)/gim;

/** Reads the head of a request, line ends included. A text is what is wrong with it. */
export function parseRequest(head: string): RequestHead | string {
  const line = requestLine.exec(head);
  if (!line) return 'the request line is none of HTTP/1';
  const [first, method = '', minor] = line;
  const fields = head.slice(first.length);
  if (!strictFields.test(fields)) return 'a header field is not well formed';
  const told = tell(fields);
  const body = requestBody(told, minor === '0');
  if (typeof body === 'string') return body;
  return { method, body, keepAlive: keepsAlive(told, minor), upgrade: told.upgrade };
}

/** Reads the head of an answer to a request of that method. A text is what is wrong with it. */
export function parseAnswer(head: string, method: string): AnswerHead | string {
  const line = statusLine.exec(head);
  if (!line) return 'the status line is none of HTTP/1';
  const [first, minor, code] = line;
  const status = Number(code);
  const told = tell(head.slice(first.length));
  const body = answerBody(told, status, method);
  if (typeof body === 'string') return body;
  return { status, body, keepAlive: keepsAlive(told, minor) && body.by !== 'close' };
}

/** The fields that say where a message ends and what becomes of the connection. */
interface Told {
  lengths: string[];
  encodings: string[];
  close: boolean;
  keepAlive: boolean;
  upgrade: boolean;
}

function tell(fields: string): Told {
  const told: Told = { lengths: [], encodings: [], close: false, keepAlive: false, upgrade: false };
  for (const [, name = '', text = ''] of fields.matchAll(toldFields)) {
    const value = text.trim().toLowerCase();
    switch (name.toLowerCase()) {
      case 'content-length':
        told.lengths.push(value);
        break;
      case 'transfer-encoding':
        told.encodings.push(value);
        break;
      case 'connection': {
        const words = value.split(',').map(word => word.trim());
        told.close ||= words.includes('close');
        told.keepAlive ||= words.includes('keep-alive');
        break;
      }
      default:
        told.upgrade = true;
    }
  }
  return told;
}

function keepsAlive(told: Told, minor: string | undefined): boolean {
  return minor === '1' ? !told.close : told.keepAlive && !told.close;
}

function requestBody({ lengths, encodings }: Told, isOld: boolean): BodyEnd | string {
  if (encodings.length > 0) {
    const isChunked = encodings.length === 1 && encodings[0] === 'chunked';
    if (!isChunked || lengths.length > 0 || isOld) return 'the length of the body is said in a doubtful way';
    return { by: 'chunks' };
  }
  if (lengths.length === 0) return { by: 'none' };
  const length = lengthOf(lengths);
  return length === undefined ? 'the length of the body is said in a doubtful way' : byLength(length);
}

function answerBody({ lengths, encodings }: Told, status: number, method: string): BodyEnd | string {
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304) return { by: 'none' };
  if (encodings.length > 0) return { by: encodings.at(-1)?.endsWith('chunked') ? 'chunks' : 'close' };
  if (lengths.length === 0) return { by: 'close' };
  const length = lengthOf([...new Set(lengths)]);
  return length === undefined ? 'the length of the body is said in a doubtful way' : byLength(length);
}

function byLength(length: number): BodyEnd {
  return length === 0 ? { by: 'none' } : { by: 'length', length };
}

function lengthOf(lengths: readonly string[]): number | undefined {
  const [only = '', ...others] = lengths;
  const length = /^\d+$/.test(only) && others.length === 0 ? Number(only) : Number.NaN;
  return Number.isSafeInteger(length) ? length : undefined;
}
