/** Proves that the server keeps what it acknowledges, in a database of its own that is gone afterwards. */
import { version } from './version.mjs';

export async function test(env) {
  const name = env.TARGET || 'database';
  const prefix = name.toUpperCase().replaceAll('-', '_');
  const host = env[`${prefix}_SERVICE_HOST`] || name;
  const base = `http://${host}:${env[`${prefix}_SERVICE_PORT`] || 3306}`;
  let calls = 0;
  const call = async (method, path, body, wanted = 200) => {
    calls += 1;
    const headers = { 'content-type': Array.isArray(body) ? 'application/x-ndjson' : 'application/json' };
    const text = Array.isArray(body) ? body.join('\n') : JSON.stringify(body);
    const signal = AbortSignal.timeout(10_000);
    const response = await fetch(`${base}${path}`, { method, headers, signal, ...(body && { body: text }) });
    const answer = await response.text();
    if (response.status !== wanted) throw new TypeError(`${method} ${path}: ${response.status} ${answer}`);
    return answer;
  };
  const same = (what, seen, wanted) => {
    if (JSON.stringify(seen) !== JSON.stringify(wanted)) {
      throw new TypeError(`${what} is ${JSON.stringify(seen)}, not ${JSON.stringify(wanted)}`);
    }
  };

  same('the version', JSON.parse(await call('GET', '/version')), { version });
  const own = '/databases/database-test';
  await call('DELETE', own); // what a run that was killed left behind
  await call('PUT', own);
  await call('PUT', `${own}/marks`, { expandedTo: 'a' });
  await call('PUT', `${own}/tables/planks`, { columns: ['id', 'wood'], required: ['id'] });
  for (const id of ['1', '2', '3', '4', '5']) {
    await call('PUT', `${own}/tables/planks/rows/${id}`, { id, wood: 'oak' });
    same(`plank ${id}`, JSON.parse(await call('GET', `${own}/tables/planks/rows/${id}`)), {
      id,
      wood: 'oak',
    });
  }
  await call('PUT', `${own}/tables/planks/rows/6`, { id: '6', colour: 'red' }, 400);
  await call('PUT', `${own}/tables/planks`, { columns: ['id'] }, 409);
  await call('PATCH', `${own}/tables/planks/rows/4`, { wood: 'teak' });
  same('plank 4', JSON.parse(await call('GET', `${own}/tables/planks/rows/4`)), { id: '4', wood: 'teak' });
  await call('DELETE', `${own}/tables/planks/rows/5`);
  await call('PATCH', `${own}/tables/planks/rows/5`, { wood: 'teak' }, 404);
  await call('GET', `${own}/tables/planks/rows/5`, undefined, 404);
  const dump = await call('GET', `${own}/dump`);
  await call('DELETE', own);
  await call('GET', own, undefined, 404);
  await call('PUT', `${own}/dump`, dump.split('\n'));
  same('the dump of what was loaded', await call('GET', `${own}/dump`), dump);
  await call('DELETE', own);
  process.stdout.write(`${calls} calls, all as they should be\n`);
}
