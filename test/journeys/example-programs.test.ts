/** The programs of the example packages do what their packages say: really, and without Afloat. */
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { startLoad } from '../../scripts/start/client-load.ts';
import { gatherTargets } from '../../src/package/gather-targets.ts';
import { openSource } from '../../src/package/source/open-source.ts';
import { load } from '../../src/record/load.ts';
import { resolveRecord } from '../../src/record/resolve-record.ts';
import { root } from '../cli/run-afloat.ts';
import { call } from './programs/call.ts';
import { ExampleWorld, type Serving } from './programs/example-program.ts';

const packages = join(root, 'examples/packages');
const all = readdirSync(packages).flatMap(name =>
  readdirSync(join(packages, name)).map(version => ({
    name,
    version,
    folder: join(packages, name, version),
  })),
);

// Many processes are started one after the other, and the machine may have other work.
vi.setConfig({ testTimeout: 120_000 });

let world: ExampleWorld;
beforeEach(() => {
  world = new ExampleWorld();
});
afterEach(() => world.end());

async function readTargets(record: string) {
  const { manifests, findings } = await load([join(root, record)]);
  const { record: resolved, findings: refused } = resolveRecord(manifests, findings);
  if (!resolved) throw new TypeError(JSON.stringify(refused));
  return gatherTargets(resolved, openSource(join(root, record, '..')));
}

async function done(name: string, version: string, words: readonly string[], env = {}): Promise<string> {
  const { code, out, message } = await world.run(name, version, words, { env });
  expect({ code, out }).toEqual({ code: 0, out: expect.any(String) });
  return message;
}

const userOf = async (from: Serving, id: string) => (await call(from, `GET /v3/users/${id}`)).body.user;
const addUser = async (to: Serving, user: object) => (await call(to, 'POST /v3/users', user)).body.user;

describe('every package', () => {
  test.each(all)(
    '$name $version names its program, needs no root, and says its version',
    ({ name, version, folder }) => {
      const { images } = parse(readFileSync(join(folder, 'lifecycle.yaml'), 'utf8'));
      expect(images).toEqual([
        {
          name: `example/${name}:\${version}`,
          command: ['node', '${package}/program/main.mjs'],
          isolation: 'none',
        },
      ]);
      const said = readFileSync(join(folder, 'program/version.mjs'), 'utf8');
      expect(said).toBe(`export const version = '${version}';\n`);
    },
  );

  test.each(['http', 'address', 'peer', 'store', 'client', 'database-tasks', 'who'])(
    'that has a copy of %s.mjs has the same one',
    part => {
      const copies = all
        .filter(({ folder }) => readdirSync(join(folder, 'program')).includes(`${part}.mjs`))
        .map(({ folder }) => readFileSync(join(folder, 'program', `${part}.mjs`), 'utf8'));
      expect(copies.length).toBeGreaterThan(4);
      expect(new Set(copies).size).toBe(1);
    },
  );
});

describe('the records of the walk', () => {
  const walk = readdirSync(join(root, 'examples/walk')).sort();
  const servicesOf = (name: string) =>
    parse(readFileSync(join(root, 'examples/walk', name), 'utf8')).spec.services.map(JSON.stringify);

  test.each(walk)('%s can be planned for one machine without root', async name => {
    const { findings, targets } = await readTargets(`examples/walk/${name}`);
    expect(findings).toEqual([]);
    expect(targets.flatMap(({ parts }) => parts.flatMap(({ needs }) => needs))).toEqual([]);
  });

  test('change one service each, and end with what runs then', () => {
    const changed = walk.slice(1).map((name, index) => {
      const before = servicesOf(walk[index] ?? '');
      return servicesOf(name).filter((line: string) => !before.includes(line));
    });
    expect(changed).toEqual([
      ['{"name":"identity","version":"1.0.1"}'],
      ['{"name":"image","version":"1.0.1","values":{"replicas":3}}'],
      ['{"name":"image","version":"1.2.0","values":{"replicas":3}}'],
      ['{"name":"identity","version":"1.0.0"}', '{"name":"image","version":"1.0.1","values":{"replicas":3}}'],
    ]);
  });
});

describe('identity', () => {
  let database: Serving;
  beforeEach(async () => {
    database = await world.serve('database', '10.6.0', ['server']);
    await done('identity', '1.0.0', ['db', 'init']);
  });

  test('goes from 1 to 2 and back with both versions serving, and past the point of no return', async () => {
    const old = await world.serve('identity', '1.0.0', ['api'], { slice: 'blue' });
    await done('identity', '1.0.0', ['test']);
    const first = await addUser(old, { name: 'ada' });
    expect(await userOf(old, first.id)).toEqual({ id: first.id, name: 'ada' });

    const backup = JSON.parse(await done('identity', '1.0.0', ['db', 'backup']));
    expect(backup).toEqual({
      location: expect.stringMatching(/^database:\/dumps\/identity-/),
      checksum: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      bytes: expect.any(Number),
    });
    const where = { AFLOAT_BACKUP_LOCATION: backup.location, AFLOAT_BACKUP_CHECKSUM: backup.checksum };
    await done('identity', '1.0.0', ['db', 'verify'], where);
    expect((await call(database, 'GET /databases')).body).toEqual({ databases: ['identity'] });

    // Expanded: both versions read and write, each what the other wrote.
    await done('identity', '2.0.0', ['check']);
    for (const _ of ['once', 'and again']) {
      const marks = JSON.parse(await done('identity', '2.0.0', ['db', 'expand']));
      expect(marks).toEqual({ expandedTo: '2b', contractedTo: '1a' });
    }
    const next = await world.serve('identity', '2.0.0', ['api'], { slice: 'green' });
    expect((await world.run('identity', '2.0.0', ['test'], { slice: 'green' })).out).toMatch(/^\d\d calls/);
    expect(await userOf(next, first.id)).toEqual({ id: first.id, name: 'ada', domain: 'default' });
    const byNew = await addUser(next, { name: 'ben', domain: 'sea' });
    const byOld = await addUser(old, { name: 'cleo' });
    expect(await userOf(old, byNew.id)).toEqual({ id: byNew.id, name: 'ben' });
    expect(await userOf(next, byOld.id)).toEqual({ id: byOld.id, name: 'cleo', domain: 'default' });
    world.pointAt('identity', old.address);
    await done('identity', '1.0.0', ['test']);

    // The backup takes the schema back too, and loses what came after it.
    const restored = JSON.parse(await done('identity', '1.0.0', ['db', 'restore'], where));
    expect(restored).toEqual({ expandedTo: '1a', contractedTo: '1a' });
    expect(await userOf(old, first.id)).toEqual({ id: first.id, name: 'ada' });
    expect(await userOf(old, byOld.id)).toBeUndefined();
    expect((await call(next, 'POST /v3/users', { name: 'dan' })).status).toBe(500);

    // Contracted: version 1 reads and cannot write users any more.
    await done('identity', '2.0.0', ['db', 'expand']);
    for (const _ of ['once', 'and again']) await done('identity', '2.0.0', ['db', 'contract']);
    const state = await done('identity', '2.0.0', ['db', 'state']);
    expect(JSON.parse(state)).toEqual({ expandedTo: '2b', contractedTo: '2b' });
    expect(await userOf(next, first.id)).toEqual({ id: first.id, name: 'ada', domain: 'default' });
    expect(await userOf(old, first.id)).toEqual({ id: first.id, name: 'ada' });
    expect((await call(old, 'POST /v3/users', { name: 'eve' })).status).toBe(500);
    expect((await call(next, 'POST /v3/users', { name: 'eve' })).status).toBe(201);
  });

  test('says who answered, and writes a line for each request', async () => {
    const blue = await world.serve('identity', '1.0.1', ['api'], { slice: 'blue' });
    expect((await call(blue, 'GET /version')).servedBy).toBe('1.0.1/blue');
    expect((await call(blue, 'POST /v3/users', { name: ' ' })).status).toBe(400);
    await vi.waitUntil(() => /^POST \/v3\/users 400 \d+ms 1\.0\.1\/blue$/m.test(blue.log()), {
      timeout: 60_000,
    });
  });

  test('finishes what is in flight when it is told to end', async () => {
    const blue = await world.serve('identity', '1.0.0', ['api']);
    const body = JSON.stringify({ name: 'slow' });
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    const slow = request({ host: blue.address, port: blue.port, method: 'POST', path: '/v3/users', headers });
    const status = new Promise((resolve, reject) => {
      slow.on('response', response => {
        response.resume();
        resolve(response.statusCode);
      });
      slow.on('error', reject);
    });
    slow.write(body.slice(0, 5));
    await vi.waitUntil(() => slow.socket?.bytesWritten, { timeout: 60_000 });
    await call(blue, 'GET /healthz'); // it has had the time to read that far
    const ended = blue.end('SIGTERM');
    const isClosed = () =>
      call(blue, 'GET /healthz').then(
        () => false,
        () => true,
      );
    await vi.waitUntil(isClosed, { timeout: 60_000 });
    slow.end(body.slice(5));
    expect(await status).toBe(201);
    expect(await ended).toBe(0);
    expect(
      (await call(database, 'GET /databases/identity/tables/users/rows?name=slow')).body.rows,
    ).toHaveLength(1);
  });

  test('loses nothing that it acknowledged when its database is killed and replaced', async () => {
    const blue = await world.serve('identity', '1.0.0', ['api']);
    const load = startLoad({ ...blue, clients: 4, perSecond: 100 });
    await vi.waitUntil(() => load.counts().requests > 50, { timeout: 60_000 });
    await database.end('SIGKILL');
    database = await world.serve('database', '10.11.0', ['server'], { address: database.address });
    const before = (await load.checkWrites()).checked;
    await vi.waitUntil(() => load.counts().requests > 150, { timeout: 60_000 });
    await load.stop();
    const { checked, lost } = await load.checkWrites();
    expect(checked).toBeGreaterThan(before);
    expect(lost).toEqual([]);
  });

  test('a task that is killed half way and run again gives the same end', async () => {
    const old = await world.serve('identity', '1.0.0', ['api']);
    await Promise.all(Array.from({ length: 200 }, (_, index) => addUser(old, { name: `user-${index}` })));
    await done('identity', '2.0.0', ['db', 'expand']);
    const rows = async (query: string) =>
      (await call(database, `GET /databases/identity/tables/users/rows${query}`)).body.rows.length;
    const half = world.start('identity', '2.0.0', ['db', 'contract']);
    await vi.waitUntil(async () => (await rows('?domain=default')) > 0, { timeout: 60_000, interval: 5 });
    half.child.kill('SIGKILL');
    await half.end;
    expect(JSON.parse(await done('identity', '2.0.0', ['db', 'contract']))).toEqual({
      expandedTo: '2b',
      contractedTo: '2b',
    });
    expect(await rows('?domain=default')).toBe(200);
    expect(await rows('')).toBe(200);
  });

  test('a backup that was changed is neither verified nor restored', async () => {
    const blue = await world.serve('identity', '1.0.0', ['api']);
    const { id } = await addUser(blue, { name: 'ada' });
    const { location, checksum } = JSON.parse(await done('identity', '1.0.0', ['db', 'backup']));
    const file = join(world.dataFolder, location.replace('database:/', ''));
    writeFileSync(file, readFileSync(file, 'utf8').replace('ada', 'eve'));
    const env = { AFLOAT_BACKUP_LOCATION: location, AFLOAT_BACKUP_CHECKSUM: checksum };
    for (const task of ['verify', 'restore']) {
      const { code, out } = await world.run('identity', '1.0.0', ['db', task], { env });
      expect({ code, out }).toEqual({
        code: 1,
        out: expect.stringContaining('is not what was written there'),
      });
    }
    expect(await userOf(blue, id)).toEqual({ id, name: 'ada' });
  });

  test('1.0.2 is bad: its test fails, and leaves nothing behind', async () => {
    await world.serve('identity', '1.0.2', ['api']);
    const { code, out } = await world.run('identity', '1.0.2', ['test']);
    expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining('whose token it is') });
    const { tables } = (await call(database, 'GET /databases/identity')).body;
    expect({ users: tables.users.rows, tokens: tables.tokens.rows }).toEqual({ users: 0, tokens: 0 });
  });

  test('2.1.0 is bad: its test passes, and clients find out', async () => {
    await done('identity', '2.1.0', ['db', 'expand']);
    const green = await world.serve('identity', '2.1.0', ['api']);
    await done('identity', '2.1.0', ['test']);
    const load = startLoad({ ...green, clients: 4, perSecond: 100 });
    await vi.waitUntil(() => load.counts().requests > 60, { timeout: 60_000 });
    await load.stop();
    const { requests, failed, byVersion } = load.counts();
    expect(byVersion).toEqual({ '2.1.0': requests });
    expect(failed / requests).toBeGreaterThan(0.05);
    expect(load.lastFailure).toMatch(/^POST \/v3\/tokens: 500 /);
    expect((await load.checkWrites()).lost).toEqual([]);
  });
});

describe('the database', () => {
  test('keeps its rows from one version to the next and back, and cuts off half a line', async () => {
    let server = await world.serve('database', '10.6.0', ['server']);
    await done('database', '10.6.0', ['test']);
    await done('identity', '1.0.0', ['db', 'init']);
    for (const version of ['10.11.0', '10.6.0']) {
      const row = { id: version, name: version };
      await call(server, `PUT /databases/identity/tables/users/rows/${version}`, row);
      await server.end('SIGKILL');
      appendFileSync(join(world.dataFolder, 'data.jsonl'), '{"op":"drop","data');
      server = await world.serve('database', version, ['server']);
      await done('database', version, ['test']);
      expect((await call(server, `GET /databases/identity/tables/users/rows/${version}`)).body).toEqual(row);
    }
    expect((await call(server, 'GET /databases/identity')).body).toMatchObject({
      marks: { expandedTo: '1a', contractedTo: '1a' },
      tables: { users: { rows: 2 } },
    });
    expect(await server.end()).toBe(0);
  });
});

test('image and compute work with each other, and with their next versions', async () => {
  await world.serve('database', '10.11.0', ['server']);
  await done('identity', '2.0.0', ['db', 'init']);
  const identity = await world.serve('identity', '2.0.0', ['api']);
  await done('image', '1.0.0', ['db', 'init']);
  const image = await world.serve('image', '1.0.0', ['api']);
  await done('image', '1.0.0', ['test']);
  await world.serve('image', '1.0.1', ['api']);
  await done('image', '1.0.1', ['test']);

  await done('compute', '1.0.0', ['db', 'init']);
  await world.serve('compute-conductor', '1.0.0', ['conductor']);
  await done('compute', '1.0.0', ['test', 'conductor']);
  await world.serve('compute', '1.0.0', ['api']);
  await done('compute', '1.0.0', ['test', 'api']);
  const agent = world.agent('1.0.0', { env: { HOST_GROUP: 'default', HOSTNAME: 'agent-1' } });
  await done('compute', '1.0.0', ['test', 'agent'], { HOST_GROUP: 'default' });
  expect(agent.exitCode).toBeNull();

  for (const task of ['sync', 'sync', 'backup']) await done('image', '1.1.0', ['db', task]);
  await world.serve('image', '1.1.0', ['api']);
  await done('image', '1.1.0', ['test']);
  // With the whole migration done at once, the version before can write no image.
  const { id: user } = await addUser(identity, { name: 'ada' });
  const { token } = (await call(identity, 'POST /v3/tokens', { user })).body;
  const mine = { 'x-auth-token': token.id };
  expect((await call(image, 'POST /v2/images', { name: 'raft' }, mine)).status).toBe(500);

  await done('compute', '2.0.0', ['db', 'expand']);
  await world.serve('compute-conductor', '2.0.0', ['conductor']);
  await done('compute', '2.0.0', ['test', 'conductor']);
  await done('compute', '1.0.0', ['test', 'api']);
  for (const task of ['migrate', 'contract', 'contract']) await done('compute', '2.0.0', ['db', task]);
  await world.serve('compute', '2.0.0', ['api']);
  await done('compute', '2.0.0', ['test', 'api']);
  for (const task of ['drop', 'drop', 'state']) await done('compute', '2.0.0', ['db', task]);
});

test('image 1.2.0 is bad: its migration loses names, its test finds that, and a backup has them', async () => {
  await world.serve('database', '10.6.0', ['server']);
  await done('identity', '1.0.0', ['db', 'init']);
  const identity = await world.serve('identity', '1.0.0', ['api']);
  await done('image', '1.0.1', ['db', 'init']);
  const image = await world.serve('image', '1.0.1', ['api']);
  const { id: user } = await addUser(identity, { name: 'ada' });
  const { token } = (await call(identity, 'POST /v3/tokens', { user })).body;
  const made = (await call(image, 'POST /v2/images', { name: 'raft' }, { 'x-auth-token': token.id })).body;
  const nameNow = async () => (await call(image, `GET /v2/images/${made.image.id}`)).body.image.name;

  const { location, checksum } = JSON.parse(await done('image', '1.0.1', ['db', 'backup']));
  await done('image', '1.2.0', ['db', 'sync']);
  expect(await nameNow()).toBe('');
  await world.serve('image', '1.2.0', ['api']);
  const { code, out } = await world.run('image', '1.2.0', ['test']);
  expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining('images without a name is 1') });
  const where = { AFLOAT_BACKUP_LOCATION: location, AFLOAT_BACKUP_CHECKSUM: checksum };
  await done('image', '1.0.1', ['db', 'restore'], where);
  expect(await nameNow()).toBe('raft');
});
