/** The API: users, and tokens that say who somebody is. A write that is acknowledged is on the disk. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { endGently } from './end-gently.mjs';
import { faultsOf } from './faults.mjs';
import { Rows } from './rows.mjs';

let requests = 0;

export function serveApi(env) {
  const faults = faultsOf(env);
  if (faults.has('crash')) throw new TypeError('told to crash');
  if (faults.has('fork')) for (let i = 0; i < 3; i++) spawn('sleep', ['1000'], { stdio: 'ignore' });
  if (faults.has('log')) setInterval(() => process.stdout.write(`${'x'.repeat(100_000)}\n`), 20);
  const rows = new Rows(join(env.DATA, env.SERVICE));
  const server = createServer((request, response) => {
    response.setHeader('x-served-by', `${env.VERSION}/${env.SLICE}`);
    answer(env, rows, request, response).catch(({ status = 500, message }) =>
      send(response, status, { message }),
    );
  });
  server.keepAliveTimeout = 60_000;
  server.listen(Number(env.PORT), env.POD_IP);
  endGently(server);
}

async function answer(env, rows, request, response) {
  const { pathname: path, searchParams } = new URL(request.url, 'http://here');
  const faults = faultsOf(env);
  if (path === '/healthz') return send(response, faults.has('unready') ? 503 : 200, {});
  if (path === '/version') {
    const { VERSION: version, SLICE: slice, SETTING: setting } = env;
    return send(response, 200, { version, slice, setting, pid: process.pid });
  }
  if (path === '/slow')
    return setTimeout(() => send(response, 200, {}), 1000 * Number(searchParams.get('seconds')));
  if (faults.has('hang')) return;
  requests += 1;
  if (faults.has('errors') || (faults.has('one-in-ten') && requests % 10 === 0))
    return send(response, 500, { message: 'told to fail' });
  schemaFits(env, rows);
  const text = await bodyOf(request);
  const [, , table, id] = path.split('/');
  route(
    env,
    rows,
    { method: request.method, table, id, content: text === '' ? {} : JSON.parse(text) },
    response,
  );
}

/** Code breaks on a schema that lacks what it needs. */
function schemaFits({ HEAD, DATABASE }, rows) {
  if (!DATABASE) return;
  const schema = rows.schema();
  if (!schema) throw new TypeError('there is no database');
  if (Number(schema.expandedTo) < Number(HEAD)) throw new TypeError(`schema ${schema.expandedTo} is too old`);
  if (Number(schema.contractedTo) > Number(HEAD))
    throw new TypeError(`schema ${schema.contractedTo} is too new`);
}

function route({ HEAD }, rows, { method, table, id, content }, response) {
  const nameOf = row => (Number(HEAD) >= 2 ? (row.label ?? row.name) : row.name);
  const shown = row => ({ id: row.id, name: nameOf(row) });
  const found = () => {
    const row = rows.find(table, id);
    if (!row) throw Object.assign(new TypeError(`no ${table}/${id}`), { status: 404 });
    return row;
  };
  if (method === 'POST' && table === 'users') {
    const user = { id: randomUUID(), ...columns(HEAD, rows.schema(), content.name) };
    rows.write('users', user.id, user);
    return send(response, 201, { user: shown(user) });
  }
  if (method === 'POST' && table === 'tokens') {
    const owner = rows.all('users').findLast(row => nameOf(row) === content.name);
    if (!owner) return send(response, 404, {});
    const token = { id: randomUUID(), user: owner.id };
    rows.write('tokens', token.id, token);
    return send(response, 201, { token });
  }
  if (method === 'DELETE') {
    rows.write(table, found().id, null);
    return send(response, 200, {});
  }
  const row = found();
  if (table === 'users') return send(response, 200, { user: shown(row) });
  send(response, 200, { token: { id: row.id, user: shown(rows.find('users', row.user)) } });
}

/** New code writes what old code reads for as long as the schema has room for both. */
function columns(head, schema, name) {
  if (Number(head) < 2) return { name };
  return Number(schema?.contractedTo ?? head) < 2 ? { name, label: name } : { label: name };
}

async function bodyOf(request) {
  let text = '';
  for await (const piece of request) text += piece;
  return text;
}

function send(response, status, content) {
  if (response.headersSent) return;
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content));
}
