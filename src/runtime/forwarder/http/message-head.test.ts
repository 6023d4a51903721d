import { describe, expect, test } from 'vitest';
import { parseAnswer, parseRequest } from './message-head.ts';

function requestOf(...lines: readonly string[]) {
  return parseRequest(`${lines.join('\r\n')}\r\n\r\n`);
}

describe('the head of a request', () => {
  const plain = { method: 'GET', body: { by: 'none' }, keepAlive: true, upgrade: false };

  test.each([
    ['without fields', ['GET / HTTP/1.1'], plain],
    ['with fields that say nothing to us', ['GET /a?b=c HTTP/1.1', 'Host: x', 'Accept: */*'], plain],
    ['with an empty field', ['GET / HTTP/1.1', 'X-Empty:'], plain],
    [
      'that wants the connection closed',
      ['GET / HTTP/1.1', 'Connection: Close'],
      { ...plain, keepAlive: false },
    ],
    ['of an old client', ['GET / HTTP/1.0'], { ...plain, keepAlive: false }],
    ['of an old client that stays', ['GET / HTTP/1.0', 'connection: Keep-Alive'], plain],
    [
      'with a length',
      ['POST / HTTP/1.1', 'CONTENT-LENGTH:  12  '],
      { ...plain, method: 'POST', body: { by: 'length', length: 12 } },
    ],
    ['with a body of length 0', ['PUT / HTTP/1.1', 'Content-Length: 0'], { ...plain, method: 'PUT' }],
    [
      'with chunks',
      ['POST / HTTP/1.1', 'Transfer-Encoding: Chunked'],
      { ...plain, method: 'POST', body: { by: 'chunks' } },
    ],
    [
      'that asks for another protocol',
      ['GET / HTTP/1.1', 'Connection: keep-alive, Upgrade', 'Upgrade: websocket'],
      { ...plain, upgrade: true },
    ],
    ['to an absolute address', ['GET http://x/ HTTP/1.1'], plain],
    ['for a tunnel', ['CONNECT x:443 HTTP/1.1'], { ...plain, method: 'CONNECT' }],
  ])('%s', (_, lines, want) => {
    expect(requestOf(...lines)).toEqual(want);
  });

  test.each([
    ['HTTP/2', ['PRI * HTTP/2.0']],
    ['no version', ['GET /']],
    ['two blanks in the request line', ['GET  / HTTP/1.1']],
    ['a method that is no word', ['G(T / HTTP/1.1']],
    ['a blank before the colon', ['POST / HTTP/1.1', 'Content-Length : 5']],
    ['a continued line', ['POST / HTTP/1.1', 'X: a', ' Content-Length: 5']],
    ['a field without a colon', ['GET / HTTP/1.1', 'nonsense']],
    ['a field without a name', ['GET / HTTP/1.1', ': x']],
    ['a bare LF', ['POST / HTTP/1.1', 'X: a\nContent-Length: 5']],
    ['a bare CR', ['POST / HTTP/1.1', 'X: a\rContent-Length: 5']],
    ['a zero byte', ['POST / HTTP/1.1', 'X: a\0b']],
    ['two lengths', ['POST / HTTP/1.1', 'Content-Length: 5', 'Content-Length: 6']],
    ['the same length twice', ['POST / HTTP/1.1', 'Content-Length: 5', 'Content-Length: 5']],
    ['a list of lengths', ['POST / HTTP/1.1', 'Content-Length: 5, 5']],
    ['a length with a sign', ['POST / HTTP/1.1', 'Content-Length: +5']],
    ['a length in hex', ['POST / HTTP/1.1', 'Content-Length: 0x5']],
    ['an empty length', ['POST / HTTP/1.1', 'Content-Length:']],
    ['a length beyond counting', ['POST / HTTP/1.1', 'Content-Length: 99999999999999999999']],
    ['chunks and a length', ['POST / HTTP/1.1', 'Transfer-Encoding: chunked', 'Content-Length: 5']],
    ['an encoding that is not known', ['POST / HTTP/1.1', 'Transfer-Encoding: xchunked']],
    ['two encodings', ['POST / HTTP/1.1', 'Transfer-Encoding: gzip, chunked']],
    ['chunks from an old client', ['POST / HTTP/1.0', 'Transfer-Encoding: chunked']],
  ])('is refused with %s', (_, lines) => {
    expect(requestOf(...lines)).toBeTypeOf('string');
  });

  test('is read in time that grows with its length alone', () => {
    const start = performance.now();
    requestOf('GET / HTTP/1.1', `Connection:${' '.repeat(60_000)}x`, `X:${'a: '.repeat(20_000)}`);
    expect(performance.now() - start).toBeLessThan(500);
  });
});

describe('the head of an answer', () => {
  const whole = { status: 200, body: { by: 'length', length: 5 }, keepAlive: true };

  test.each([
    ['with a length', 'GET', ['HTTP/1.1 200 OK', 'Content-Length: 5'], whole],
    ['without a reason', 'GET', ['HTTP/1.1 200', 'Content-Length: 5'], whole],
    [
      'with the same length twice',
      'GET',
      ['HTTP/1.1 200 OK', 'Content-Length: 5', 'Content-Length: 5'],
      whole,
    ],
    ['to HEAD', 'HEAD', ['HTTP/1.1 200 OK', 'Content-Length: 5'], { ...whole, body: { by: 'none' } }],
    [
      'that has no content',
      'GET',
      ['HTTP/1.1 204 No Content'],
      { status: 204, body: { by: 'none' }, keepAlive: true },
    ],
    [
      'that is as it was',
      'GET',
      ['HTTP/1.1 304 Not Modified', 'Content-Length: 5'],
      { status: 304, body: { by: 'none' }, keepAlive: true },
    ],
    [
      'in chunks',
      'GET',
      ['HTTP/1.1 200 OK', 'Transfer-Encoding: chunked'],
      { ...whole, body: { by: 'chunks' } },
    ],
    ['until the end', 'GET', ['HTTP/1.1 200 OK'], { ...whole, body: { by: 'close' }, keepAlive: false }],
    [
      'of an old server that closes',
      'GET',
      ['HTTP/1.0 200 OK', 'Content-Length: 5'],
      { ...whole, keepAlive: false },
    ],
    [
      'of an old server that stays',
      'GET',
      ['HTTP/1.0 200 OK', 'Connection: keep-alive', 'Content-Length: 5'],
      whole,
    ],
    [
      'of a server that closes',
      'GET',
      ['HTTP/1.1 200 OK', 'Connection: close', 'Content-Length: 5'],
      { ...whole, keepAlive: false },
    ],
  ])('%s', (_, method, lines, want) => {
    expect(parseAnswer(`${lines.join('\r\n')}\r\n\r\n`, method)).toEqual(want);
  });

  test('of a server that ends lines with LF alone', () => {
    expect(parseAnswer('HTTP/1.1 200 OK\nContent-Length: 5\n\n', 'GET')).toEqual(whole);
  });

  test.each([
    ['another protocol', ['SSH-2.0-OpenSSH']],
    ['lengths that differ', ['HTTP/1.1 200 OK', 'Content-Length: 5', 'Content-Length: 6']],
    ['a status out of all ranges', ['HTTP/1.1 20 OK']],
  ])('is refused with %s', (_, lines) => {
    expect(parseAnswer(`${lines.join('\r\n')}\r\n\r\n`, 'GET')).toBeTypeOf('string');
  });
});
