/** Methods that requests begin with in practice. What begins otherwise is forwarded as bytes, which loses nothing but turns. */
const methods = 'GET HEAD POST PUT PATCH DELETE OPTIONS TRACE CONNECT REPORT PROPFIND COPY MOVE'.split(' ');

const longestLine = 16_384;

/** Whether the first bytes of a client are a request of HTTP/1; undefined while more bytes are needed to tell. */
export function looksLikeHttp(bytes: Buffer): boolean | undefined {
  const start = bytes.toString('latin1', 0, 9);
  const blank = start.indexOf(' ');
  if (blank < 0) return methods.some(method => method.startsWith(start)) ? undefined : false;
  if (!methods.includes(start.slice(0, blank))) return false;
  const end = bytes.indexOf('\r\n');
  if (end < 0) return bytes.length > longestLine ? false : undefined;
  return / HTTP\/1\.[01]$/.test(bytes.toString('latin1', 0, end));
}
