import type { ServerResponse } from 'node:http';
import { type AskedFor, statusOfError } from './status-of-error.ts';
import { NothingHere } from './wire-refusal.ts';

/** Answers with JSON. */
export function sendJson(response: ServerResponse, code: number, body: unknown): void {
  const text = `${JSON.stringify(body)}\n`;
  response.writeHead(code, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-cache, private',
  });
  // As text, and not as bytes: then head and body leave together, in one write.
  response.end(text);
}

/** Answers with what went wrong, or cuts the connection where an answer has begun already: its end would be a lie. */
export function sendError(response: ServerResponse, error: unknown, about?: AskedFor): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  if (error instanceof NothingHere) {
    response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end(`${error.message}\n`);
    return;
  }
  const status = statusOfError(error, about);
  const { retryAfterSeconds } = status.details as { retryAfterSeconds?: number };
  if (retryAfterSeconds !== undefined) response.setHeader('retry-after', Math.ceil(retryAfterSeconds));
  sendJson(response, status.code, status);
}

/** Begins an answer that goes on: its head is on the way at once. */
export function beginStream(response: ServerResponse, contentType: string): void {
  response.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-cache, private' });
  response.flushHeaders();
}

/**
 * Sends a piece, and returns when the reader has taken enough for another one, or will not: a slow reader makes the writer
 * wait, and nothing piles up here. False when there is no use in going on.
 */
export async function sendPiece(
  response: ServerResponse,
  piece: string | Buffer,
  stop: AbortSignal,
): Promise<boolean> {
  if (stop.aborted || response.destroyed) return false;
  if (response.write(piece)) return true;
  await new Promise<void>(resolve => {
    const done = () => {
      response.off('drain', done).off('close', done);
      stop.removeEventListener('abort', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
    stop.addEventListener('abort', done);
  });
  return !stop.aborted && !response.destroyed;
}

/** Ends a stream as a server does that has said all; a reader that has not taken the last piece is cut off. */
export function endStream(response: ServerResponse): void {
  if (response.writableNeedDrain) response.destroy();
  else response.end();
}
