import { connect } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import type { Account, Cluster } from '../../cluster/cluster.ts';
import { ClusterError } from '../../cluster/cluster-error.ts';
import { fixedCredentials } from '../../cluster/kubernetes/access/access.ts';
import { KubernetesCluster } from '../../cluster/kubernetes/kubernetes-cluster.ts';
import { clusterThat, type Sent, token, wireWorld } from './wire-world.contract.ts';

const maps = '/api/v1/namespaces/here/configmaps';
const json = { 'content-type': 'application/json' };

describe('who does not show the token', () => {
  test.each([
    ['shows none', { authorization: '' }],
    ['shows another', { authorization: 'Bearer the-tokem' }],
    ['shows a part of it', { authorization: 'Bearer the' }],
    ['shows it in another way', { authorization: `Basic ${token}` }],
  ])('and %s is told nothing but that', async (_, headers) => {
    const world = await wireWorld(clusterThat({}));
    for (const path of ['/api', '/apis', maps, '/nowhere', '/api/v1/namespaces/here/pods/a/log']) {
      const { code, json: status } = await world.ask(path, { headers });
      expect([path, code]).toEqual([path, 401]);
      expect(status).toMatchObject({ kind: 'Status', status: 'Failure', reason: 'Unauthorized', code: 401 });
    }
  });

  test('may know that the server is there, and which', async () => {
    const world = await wireWorld(clusterThat({}));
    const headers = { authorization: '' };
    for (const path of ['/livez', '/readyz', '/healthz']) {
      expect(await world.ask(path, { headers })).toMatchObject({ code: 200, text: 'ok' });
    }
    expect((await world.ask('/version', { headers })).json).toMatchObject({ major: '1' });
    expect(await world.ask('/livez', { headers, method: 'POST' })).toMatchObject({ code: 405 });
  });
});

describe('what cannot be meant', () => {
  const cases: readonly (readonly [string, string, Sent, number, string])[] = [
    ['a path that leads nowhere', '/nowhere', {}, 404, 'NotFound'],
    ['a path with nothing in it', '/api//v1', {}, 404, 'NotFound'],
    ['a path that is no text', '/api/v1/namespaces/%E0%A4%A/pods', {}, 400, 'BadRequest'],
    ['a group that is not there', '/apis/nobody.dev', {}, 404, 'NotFound'],
    ['a version that is not there', '/api/v2', {}, 404, 'NotFound'],
    ['a kind that is not there', '/api/v1/namespaces/here/nothings', {}, 404, 'NotFound'],
    ['a part that is not there', `${maps}/a/scale`, {}, 404, 'NotFound'],
    ['the status of a kind without one', `${maps}/a/status`, {}, 404, 'NotFound'],
    ['a Namespace in a namespace', '/api/v1/namespaces/here/namespaces/x', {}, 404, 'NotFound'],
    ['a Pod in no namespace', '/api/v1/pods/x', {}, 404, 'NotFound'],
    ['a log where there are none', '/api/v1/namespaces/here/pods/x/log', {}, 404, 'NotFound'],
    ['a method that nobody has', maps, { method: 'OPTIONS' }, 405, 'MethodNotAllowed'],
    ['a method of objects on a list', maps, { method: 'PUT' }, 405, 'MethodNotAllowed'],
    ['a method of lists on an object', `${maps}/a`, { method: 'POST' }, 405, 'MethodNotAllowed'],
    ['a new object in no namespace', '/api/v1/configmaps', { method: 'POST' }, 405, 'MethodNotAllowed'],
    ['a change of what is served', '/apis', { method: 'POST' }, 405, 'MethodNotAllowed'],
    ['no JSON', maps, { method: 'POST', headers: json, body: '{"a":' }, 400, 'BadRequest'],
    ['nothing', maps, { method: 'POST', headers: json }, 400, 'BadRequest'],
    ['no object', maps, { method: 'POST', headers: json, body: '[]' }, 400, 'BadRequest'],
    ['another kind', maps, { method: 'POST', headers: json, body: '{"kind":"Pod"}' }, 400, 'BadRequest'],
    ['odd metadata', maps, { method: 'POST', headers: json, body: '{"metadata":5}' }, 400, 'BadRequest'],
    [
      'another namespace',
      maps,
      { method: 'POST', headers: json, body: '{"metadata":{"namespace":"there"}}' },
      400,
      'BadRequest',
    ],
    [
      'another name',
      `${maps}/a`,
      { method: 'PUT', headers: json, body: '{"metadata":{"name":"b"}}' },
      400,
      'BadRequest',
    ],
    ['no name', `${maps}/a`, { method: 'PUT', headers: json, body: '{}' }, 400, 'BadRequest'],
    ['another way of trying out', `${maps}?dryRun=Some`, { method: 'POST', body: '{}' }, 400, 'BadRequest'],
    ['another validation', `${maps}?fieldValidation=x`, { method: 'POST', body: '{}' }, 400, 'BadRequest'],
    ['a limit that is none', `${maps}?limit=many`, {}, 400, 'BadRequest'],
    ['a moment that is none', `${maps}?resourceVersion=x`, {}, 422, 'Invalid'],
    ['a list inside a watch', `${maps}?watch=1&sendInitialEvents=true`, {}, 422, 'Invalid'],
    [
      'an answer in another language',
      maps,
      { headers: { accept: 'application/cbor' } },
      406,
      'NotAcceptable',
    ],
    [
      'groups without a user',
      maps,
      { headers: { 'impersonate-group': 'system:masters' } },
      400,
      'BadRequest',
    ],
    [
      'odd options of a deletion',
      `${maps}/a`,
      { method: 'DELETE', body: '{"kind":"Pod"}' },
      400,
      'BadRequest',
    ],
    [
      'an unknown propagation',
      `${maps}/a?propagationPolicy=Sideways`,
      { method: 'DELETE' },
      400,
      'BadRequest',
    ],
    [
      'an odd precondition',
      `${maps}/a`,
      { method: 'DELETE', body: '{"preconditions":{"uid":5}}' },
      400,
      'BadRequest',
    ],
  ];
  test.each(cases)('%s is refused', async (_, path, sent, code, reason) => {
    const world = await wireWorld(clusterThat({}));
    const { json: status, text, code: answered } = await world.ask(path, sent);
    // As on a server, only what leads somewhere is answered with a Status.
    if (code === 404) expect({ answered, text }).toEqual({ answered: 404, text: '404 page not found\n' });
    else expect(status).toMatchObject({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason });
    expect(world.troubles).toEqual([]);
  });

  test.each([
    ['application/strategic-merge-patch+json', '[]', 400],
    ['application/json', '{}', 415],
    ['application/json-patch+json', '{}', 400],
    ['application/merge-patch+json', '[]', 400],
  ])('a patch of type %s saying %s is refused', async (type, body, code) => {
    const world = await wireWorld(clusterThat({}));
    const headers = { 'content-type': type };
    expect(await world.ask(`${maps}/a`, { method: 'PATCH', headers, body })).toMatchObject({ code });
  });

  test('a body that is too large is refused, and whoever sent it lives to read that', async () => {
    const world = await wireWorld(clusterThat({}));
    const body = Buffer.alloc(3 * 1024 * 1024 + 1, ' ');
    const { json: status } = await world.ask(maps, { method: 'POST', headers: json, body });
    expect(status).toMatchObject({ code: 413, reason: 'RequestEntityTooLarge' });
  });

  test('nothing of what was sent is repeated', async () => {
    const world = await wireWorld(clusterThat({}));
    const { text } = await world.ask(maps, { method: 'POST', headers: json, body: '{"data": secret}' });
    expect(text).not.toContain('secret');
  });
});

describe('what the cluster refuses', () => {
  const causes = [{ field: 'spec.a[0]', reason: 'FieldValueInvalid', message: 'Invalid value: 1: no' }];
  const errors = [
    new ClusterError('NotFound', 'configmaps "a" not found'),
    new ClusterError('AlreadyExists', 'configmaps "a" already exists'),
    new ClusterError('Conflict', 'somebody else was faster', { causes }),
    new ClusterError('Invalid', 'it is wrong', { causes }),
    new ClusterError('BadRequest', 'it cannot be read'),
    new ClusterError('Unauthorized', 'who are you?'),
    new ClusterError('Forbidden', 'not for you'),
    new ClusterError('Expired', 'too long ago'),
    new ClusterError('TooManyRequests', 'not now', { retryAfterSeconds: 3600 }),
    new ClusterError('MethodNotAllowed', 'not like this'),
    new ClusterError('Timeout', 'it took too long'),
    new ClusterError('ServiceUnavailable', 'the disk is full', { retryAfterSeconds: 3600 }),
    new ClusterError('InternalError', 'it broke'),
  ];
  test.each(errors.map(error => [error.reason, error] as const))(
    '%s comes to the client as it was',
    async (_, error) => {
      const world = await wireWorld(clusterThat({ get: () => Promise.reject(error) }));
      const credentials = fixedCredentials({ token });
      const client = KubernetesCluster.to({ server: world.address, credentials, namespace: 'here' });
      const asked = client.get({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'here', name: 'a' });
      const seen = await asked.catch((caught: unknown) => caught);
      await client.close();
      const { reason, status, message, causes, retryAfterSeconds } = error;
      expect(seen).toMatchObject({ reason, status, message, causes, retryAfterSeconds });
    },
  );

  test('an error of ours says nothing of itself, and is told of', async () => {
    const broken = () => Promise.reject(new TypeError('the secret is 42'));
    const world = await wireWorld(clusterThat({ get: broken, create: broken }));
    const read = await world.ask(`${maps}/a?a=b`);
    const write = await world.ask(maps, { method: 'POST', headers: json, body: '{}' });
    expect([read.code, write.code]).toEqual([500, 500]);
    expect(read.text + write.text).not.toContain('42');
    expect(world.troubles).toEqual([
      `answering GET ${maps}/a: TypeError: the secret is 42`,
      `answering POST ${maps}: TypeError: the secret is 42`,
    ]);
  });
});

test('what was begun before the end is answered, also where it is refused', async () => {
  let refuse = (_: Error) => {};
  const create = vi.fn(
    () =>
      new Promise<never>((_, reject) => {
        refuse = reject;
      }),
  );
  const world = await wireWorld(clusterThat({ create }));
  const asked = world.ask(maps, { method: 'POST', headers: json, body: '{}' });
  await vi.waitFor(() => expect(create).toHaveBeenCalled(), { timeout: 20_000 });
  world.stop.abort();
  refuse(new ClusterError('Conflict', 'too late'));
  expect(await asked).toMatchObject({ code: 409, json: { message: 'too late' } });
  await world.ended;
});

test('who goes away in the middle of a request breaks nothing', async () => {
  const create = vi.fn(() => Promise.reject(new ClusterError('Conflict', 'never')));
  const world = await wireWorld(clusterThat({ create }));
  const socket = connect(world.port, '127.0.0.1');
  const head = [`POST ${maps} HTTP/1.1`, 'host: x', `authorization: Bearer ${token}`, 'content-length: 10'];
  socket.write(`${head.join('\r\n')}\r\n\r\n{`);
  await world.ask('/livez');
  socket.destroy();
  await world.ask('/livez');
  world.stop.abort();
  await world.ended;
  expect([create.mock.calls, world.troubles]).toEqual([[], []]);
});

test('who acts for somebody else acts so on the cluster', async () => {
  const accounts: Account[] = [];
  const cluster: Cluster = clusterThat({
    as: account => {
      accounts.push(account);
      return cluster;
    },
    list: async () => ({ items: [], resourceVersion: '7' }),
  });
  const world = await wireWorld(cluster);
  const user = Buffer.from('jürgen').toString('latin1');
  const headers = { 'impersonate-user': user, 'impersonate-group': ['a, b', 'c'] };
  expect(await world.ask(maps, { headers })).toMatchObject({ code: 200 });
  expect(accounts).toEqual([{ user: 'jürgen', groups: ['a, b', 'c'] }]);
});
