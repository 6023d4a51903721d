import { expect, test } from 'vitest';
import { looksLikeHttp } from './looks-like-http.ts';

test.each([
  ['GET / HTTP/1.1\r\n', true],
  ['POST /v3/auth/tokens HTTP/1.0\r\nHost: x', true],
  ['G', undefined],
  ['GET', undefined],
  ['GET /long', undefined],
  ['PROPFIND / HTTP/1.1\r\n', true],
  ['PRI * HTTP/2.0\r\n\r\n', false],
  ['GET key\r\n', false],
  ['get key\r\n', false],
  ['PING\r\n', false],
  ['\x16\x03\x01\x02\x00', false],
  ['', undefined],
  [`GET /${'x'.repeat(20_000)}`, false],
])('the first bytes %j', (text, want) => {
  expect(looksLikeHttp(Buffer.from(text, 'latin1'))).toBe(want);
});
