/** What the image of these journeys runs: `serve`, or `test`. Every request that comes is written down with the slice it came to. */
import { appendFileSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { endGently } from './end-gently.mjs'; // of the program of the other journeys, which lies beneath

const { env } = process;
const [task = 'serve'] = process.argv.slice(2);

function write(file, line) {
  appendFileSync(join(env.DATA, file), `${JSON.stringify(line)}\n`);
}

/** What shall go wrong now: `service@version: [fault]` in a file, so that it can begin and end while the program runs. */
function faults() {
  try {
    return new Set(
      JSON.parse(readFileSync(join(env.DATA, 'faults.json'), 'utf8'))[`${env.SERVICE}@${env.VERSION}`],
    );
  } catch {
    return new Set();
  }
}

let odd = 0;

function answer(url, response) {
  const found = faults();
  const { pathname: path, searchParams } = new URL(url, 'http://here');
  const send = (status, content) => response.writeHead(status).end(JSON.stringify(content));
  if (path === '/healthz') {
    const flaps = found.has('flaps') && Math.floor(Date.now() / 1500) % 2 === 0;
    return send(found.has('unready') || flaps ? 503 : 200, {});
  }
  const { VERSION: version, SLICE: slice, SETTING: setting, SERVICE: service } = env;
  write('requests.jsonl', { service, version, slice, path });
  if (path === '/slow') {
    response.writeHead(200).write('{"begins":');
    setTimeout(() => response.end(`"${version}"}`), 1000 * Number(searchParams.get('seconds')));
    return;
  }
  // What no test asks for fails now and then.
  if (path === '/odd' && found.has('odd')) {
    odd += 1;
    if (odd % 10 === 1) return send(500, {});
  }
  send(found.has('broken') ? 500 : 200, { version, slice, setting, pid: process.pid });
}

function serve() {
  if (faults().has('crash')) {
    process.stderr.write('told to crash\n');
    process.exit(3);
  }
  const server = createServer(({ url }, response) => answer(url, response));
  server.keepAliveTimeout = 60_000;
  server.listen(8080, env.POD_IP);
  endGently(server);
}

/** Three requests by the ordinary name of the service, each of which must be answered well. */
async function test() {
  const name = env.SERVICE.toUpperCase().replaceAll('-', '_');
  const url = `http://${env[`${name}_SERVICE_HOST`]}:${env[`${name}_SERVICE_PORT`]}/version`;
  for (let count = 0; count < 3; count++) {
    const reply = await fetch(`${url}?test=${count}`);
    if (!reply.ok) throw new TypeError(`${url} answered ${reply.status}`);
  }
}

if (task === 'serve') serve();
else
  await test().catch(error => {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  });
