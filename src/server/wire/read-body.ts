import type { IncomingMessage } from 'node:http';
import type { JsonObject } from '../../base/json.ts';
import { ClusterError } from '../../cluster/cluster-error.ts';
import { protobufType } from '../protobuf/decode-object.ts';
import { WireRefusal } from './wire-refusal.ts';

/** The largest body that is taken, as on an API server. */
export const largestBodyBytes = 3 * 1024 * 1024;

/** So much more than that is read and thrown away, so that the sender lives to read the answer; then the connection is cut. */
const patience = 8;

/** The type of a body without its parameters. */
export function contentTypeOf({ headers }: IncomingMessage): string {
  return (headers['content-type'] ?? 'application/json').split(';')[0]?.trim().toLowerCase() ?? '';
}

/**
 * The JSON of a request; undefined where there is none. What is in protobuf is decoded where it can be. Throws `RequestEntityTooLarge`,
 * `BadRequest` for what is no JSON, and `UnsupportedMediaType` for a type that is not among those.
 */
export async function readBody(
  request: IncomingMessage,
  types: readonly string[],
  decode?: (body: Buffer) => JsonObject,
): Promise<unknown> {
  const body = await readBytes(request);
  if (body.length === 0) return undefined;
  const type = contentTypeOf(request);
  if (decode && type === protobufType) return decode(body);
  if (!types.includes(type)) {
    const message = `the body of the request was in an unknown format - accepted media types include: ${types.join(', ')}`;
    throw new WireRefusal('UnsupportedMediaType', message);
  }
  try {
    return JSON.parse(body.toString()) as unknown;
  } catch (cause) {
    // The parser's own words would repeat a part of what was sent, which may be a Secret.
    throw new ClusterError('BadRequest', 'the body of the request is no JSON', { cause });
  }
}

/** All bytes of a body. By its events, not as an iterator: most bodies are one small piece. */
function readBytes(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve, reject) => {
    const tooLarge = () => {
      const message = `Request entity too large: limit is ${largestBodyBytes}`;
      reject(new WireRefusal('RequestEntityTooLarge', message));
    };
    request.on('data', (piece: Buffer) => {
      bytes += piece.length;
      if (bytes <= largestBodyBytes) pieces.push(piece);
      else pieces.length = 0;
      if (bytes <= largestBodyBytes * patience) return;
      tooLarge();
      request.destroy();
    });
    request.once('error', reject);
    request.once('end', () => {
      if (bytes > largestBodyBytes) tooLarge();
      else resolve(pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces));
    });
  });
}
