/** What kubectl asks for beyond objects, on the embedded store. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { EmbeddedCluster } from '../../cluster/embedded/embedded-cluster.ts';
import { type WireWorld, wireWorld } from './wire-world.contract.ts';

const asTable = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';
const maps = '/api/v1/namespaces/default/configmaps';
const deployments = '/apis/apps/v1/namespaces/default/deployments';

let folder: string;
let store: EmbeddedCluster;
let world: WireWorld;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'afloat-kubectl-'));
  store = await EmbeddedCluster.open(folder);
  world = await wireWorld(store, { kinds: () => store.kinds() });
});
afterEach(async () => {
  world.stop.abort();
  await world.ended;
  await store.close();
  rmSync(folder, { recursive: true });
});

function write(method: string, path: string, body: JsonObject, type = 'application/json') {
  return world.ask(path, { method, headers: { 'content-type': type }, body: JSON.stringify(body) });
}

async function makeDeployment(): Promise<void> {
  const labels = { app: 'web' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'i' }] } };
  const spec = { replicas: 2, selector: { matchLabels: labels }, template };
  expect(await write('POST', deployments, { metadata: { name: 'web' }, spec })).toMatchObject({ code: 201 });
}

test('a list is a table for who wants one, with as much of each object as is asked for', async () => {
  await write('POST', maps, { metadata: { name: 'one' }, data: { a: '1' } });
  const { json } = await world.ask(maps, { headers: { accept: asTable } });
  expect(json).toMatchObject({
    kind: 'Table',
    columnDefinitions: [{ name: 'Name', format: 'name' }, { name: 'Data' }, { name: 'Age' }],
    rows: [
      {
        cells: ['one', 1, expect.stringMatching(/^\d+s$/)],
        object: { kind: 'PartialObjectMetadata', metadata: { name: 'one' } },
      },
    ],
  });
  const whole = await world.ask(`${maps}/one?includeObject=Object`, { headers: { accept: asTable } });
  expect(whole.json).toMatchObject({ rows: [{ object: { kind: 'ConfigMap', data: { a: '1' } } }] });
  const none = await world.ask(`${maps}?includeObject=None`, { headers: { accept: asTable } });
  expect((none.json['rows'] as object[])[0]).not.toHaveProperty('object');
});

test('a watch has a table in each event', async () => {
  await write('POST', maps, { metadata: { name: 'one' } });
  const { text } = await world.ask(`${maps}?watch=1&timeoutSeconds=1`, { headers: { accept: asTable } });
  expect(JSON.parse(text.split('\n')[0] ?? '')).toMatchObject({ type: 'ADDED', object: { kind: 'Table' } });
});

test('metadata alone is given to who wants no more', async () => {
  await write('POST', maps, { metadata: { name: 'one' }, data: { a: '1' } });
  const accept = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
  const { json } = await world.ask(maps, { headers: { accept } });
  expect(json).toMatchObject({ kind: 'PartialObjectMetadataList', items: [{ metadata: { name: 'one' } }] });
  expect((json['items'] as object[])[0]).not.toHaveProperty('data');
});

test('the number of a workload is a thing of its own', async () => {
  await makeDeployment();
  const { json } = await world.ask(`${deployments}/web/scale`);
  expect(json).toMatchObject({
    kind: 'Scale',
    spec: { replicas: 2 },
    status: { replicas: 0, selector: 'app=web' },
  });
  const merge = 'application/merge-patch+json';
  const patched = await write('PATCH', `${deployments}/web/scale`, { spec: { replicas: 5 } }, merge);
  expect(patched.json).toMatchObject({ kind: 'Scale', spec: { replicas: 5 } });
  expect((await world.ask(`${deployments}/web`)).json).toMatchObject({ spec: { replicas: 5 } });
  const wrong = await write('PATCH', `${deployments}/web/scale`, { spec: { replicas: -1 } }, merge);
  expect(wrong).toMatchObject({ code: 422, json: { reason: 'Invalid' } });
  const old = { ...json, spec: { replicas: 1 } } as unknown as JsonObject;
  expect(await write('PUT', `${deployments}/web/scale`, old)).toMatchObject({ code: 409 });
});

test('all that are selected are deleted at once', async () => {
  for (const name of ['a', 'b', 'c']) {
    await write('POST', maps, { metadata: { name, labels: { keep: String(name === 'c') } } });
  }
  const { json } = await world.ask(`${maps}?labelSelector=keep%3Dfalse`, { method: 'DELETE' });
  expect(json).toMatchObject({ kind: 'ConfigMapList', items: [{}, {}] });
  expect((await world.ask(maps)).json).toMatchObject({ items: [{ metadata: { name: 'c' } }] });
});

test('who may do what is answered, and never kept', async () => {
  const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
  expect(await write('POST', path, { spec: {} })).toMatchObject({
    code: 201,
    json: { status: { allowed: true } },
  });
  expect(await world.ask(path)).toMatchObject({ code: 405 });
});

test.each(['exec', 'attach', 'portforward', 'eviction'])('%s is refused in words that help', async part => {
  const { code, json } = await world.ask(`/api/v1/namespaces/default/pods/one/${part}`, { method: 'POST' });
  expect(code).toBe(405);
  expect(json).toMatchObject({ kind: 'Status', reason: 'MethodNotAllowed' });
});

test('fields that were dropped are warned of, unless nobody wants to know', async () => {
  const object = { metadata: { name: 'one' }, datum: { a: '1' } };
  const { headers } = await write('POST', `${maps}?dryRun=All`, object);
  expect(headers['warning']).toBe('299 - "unknown field \\"datum\\""');
  const ignored = await write('POST', `${maps}?dryRun=All&fieldValidation=Ignore`, object);
  expect(ignored.headers).not.toHaveProperty('warning');
});

test('OpenAPI says of every kind what it is made of and how it is patched', async () => {
  const { json } = await world.ask('/openapi/v3');
  const { paths } = json as { paths: Record<string, { serverRelativeURL: string }> };
  const document = await world.ask(paths['apis/apps/v1']?.serverRelativeURL ?? '');
  const parts = document.json as {
    paths: Record<string, JsonObject>;
    components: { schemas: Record<string, object> };
  };
  const place = parts.paths['/apis/apps/v1/namespaces/{namespace}/deployments/{name}'];
  expect(place).toMatchObject({
    patch: {
      'x-kubernetes-group-version-kind': { group: 'apps', version: 'v1', kind: 'Deployment' },
      parameters: expect.arrayContaining([expect.objectContaining({ name: 'fieldValidation', in: 'query' })]),
    },
  });
  const { schemas } = parts.components;
  expect(schemas['io.k8s.api.core.v1.PodSpec']).toMatchObject({
    properties: {
      volumes: { 'x-kubernetes-patch-strategy': 'merge,retainKeys', 'x-kubernetes-patch-merge-key': 'name' },
    },
  });
  const referred = JSON.stringify(document.json).matchAll(/#\/components\/schemas\/([^"]+)/g);
  for (const [, name = ''] of referred) expect(Object.keys(schemas)).toContain(name);
});
