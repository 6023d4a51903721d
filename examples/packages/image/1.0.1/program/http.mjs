/** A small HTTP server: routes, JSON, a line for each request, and an end that cuts nobody off. */
import { createServer } from 'node:http';

/** What a client asked for and does not get, with the status that says why. */
export class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** How long a server that ends still answers: whoever is on the way here, and whoever has kept a connection and asks again. */
const soonMs = 300;
const lastMs = 3000;

/** Routes are `[method, '/path/:name', handle]`; `handle({ name }, request)` gives a body, or an `answerOf`. */
export function serveHttp({ port, routes, headers = {}, log = () => undefined, onListening }) {
  let isStopping = false;
  const server = createServer(async (request, response) => {
    const began = performance.now();
    const { status, body } = await answerTo(routes, request);
    const isFile = Buffer.isBuffer(body);
    const type = isFile ? 'application/x-ndjson' : 'application/json';
    // Who is told so opens no request on a connection that is about to be closed.
    const last = isStopping ? { connection: 'close' } : {};
    response.writeHead(status, { 'content-type': type, ...headers, ...last });
    response.end(isFile ? body : JSON.stringify(body));
    log(`${request.method} ${request.url} ${status} ${Math.round(performance.now() - began)}ms`);
  });
  server.keepAliveTimeout = 60_000;
  server.listen(port, process.env.POD_IP || undefined, onListening);
  const stop = () => {
    if (isStopping) return;
    isStopping = true;
    const began = performance.now();
    const isOver = count => performance.now() - began > (count > 0 ? lastMs : soonMs);
    const looks = setInterval(() => {
      server.getConnections((_, count) => {
        if (!isOver(count)) return;
        clearInterval(looks);
        server.close(() => process.exit());
      });
    }, 50);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  return { server, stop };
}

/** An answer with another status than 200. */
export function answerOf(status, body) {
  return new Answer(status, body);
}

class Answer {
  constructor(status, body) {
    this.status = status;
    this.body = body;
  }
}

async function answerTo(routes, request) {
  try {
    const { pathname, searchParams } = new URL(request.url, 'http://here');
    const [handle, at] = routeOf(routes, request.method, pathname);
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    const { headers } = request;
    const content = contentOf(bytes, headers['content-type'] ?? '');
    const body = (await handle(at, { bytes, content, headers, query: searchParams })) ?? {};
    return body instanceof Answer ? body : { status: 200, body };
  } catch (error) {
    const { status = 500 } = error;
    if (status === 500) process.stderr.write(`${request.method} ${request.url} ${error.stack}\n`);
    return { status, body: { error: error.message } };
  }
}

function routeOf(routes, method, path) {
  const words = path.split('/').map(decodeURIComponent);
  for (const [wanted, pattern, handle] of routes) {
    const names = pattern.split('/');
    const fits =
      names.length === words.length && names.every((name, i) => name[0] === ':' || name === words[i]);
    if (wanted !== method || !fits) continue;
    const at = names.flatMap((name, i) => (name[0] === ':' ? [[name.slice(1), words[i]]] : []));
    return [handle, Object.fromEntries(at)];
  }
  throw new Refused(404, `nothing answers ${method} ${path}`);
}

/** JSON, or JSON by lines; of bytes that are neither nothing is read. */
function contentOf(bytes, type) {
  try {
    if (type.startsWith('application/x-ndjson')) {
      const lines = bytes.toString().split('\n');
      return lines.filter(line => line !== '').map(line => JSON.parse(line));
    }
    return type.startsWith('application/json') && bytes.length > 0 ? JSON.parse(bytes) : {};
  } catch {
    throw new Refused(400, 'not JSON');
  }
}
