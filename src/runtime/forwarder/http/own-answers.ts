import type { Socket } from 'node:net';

const phrases = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
} as const;

export type OwnStatus = keyof typeof phrases;

/** An answer of the forwarder itself, after which the connection is closed. */
export function ownAnswer(status: OwnStatus, text: string, method = ''): string {
  const body = `${text}\n`;
  const fields = [
    `HTTP/1.1 ${status} ${phrases[status]}`,
    'Content-Type: text/plain',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  return `${fields.join('\r\n')}\r\n\r\n${method === 'HEAD' ? '' : body}`;
}

/** How long a client that was told of the end may go on sending. */
const lingerMilliseconds = 2000;

/**
 * Ends a connection so that the client gets all that was written: what it still sends is read and dropped for a while, or the
 * kernel would throw away the answer together with it. No listener for data may be left.
 */
export function closeGently(socket: Socket): void {
  if (socket.destroyed) return;
  const timer = setTimeout(() => socket.destroy(), lingerMilliseconds);
  socket.once('close', () => clearTimeout(timer));
  if (socket.readableEnded) socket.destroySoon();
  else socket.once('end', () => socket.destroySoon()).end();
  socket.resume();
}

/**
 * The head of an answer with word that the connection ends with it. Fields that said otherwise are left out.
 */
export function withClose(head: string): string {
  const end = head.indexOf('\n') + 1;
  const fields = head.slice(end).replace(/^(?:connection|keep-alive):[^\n]*\n/gim, '');
  return `${head.slice(0, end)}Connection: close\r\n${fields}`;
}
