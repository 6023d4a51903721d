import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { ClusterError } from '../../cluster/cluster-error.ts';
import type { EmbeddedCluster } from '../../cluster/embedded/embedded-cluster.ts';
import { StoreFolder } from '../../cluster/embedded/store-folder.contract.ts';
import { aContext, manifest, aPackage as packageOf } from '../../package/memory-source.contract.ts';
import { renderPart } from '../../package/render.ts';
import { contentNames } from '../../plan/contents.ts';
import type { ResolvedService } from '../../record/record.ts';
import { type KeyedDigest, keyedDigest } from './digest-key.ts';
import { contentsNow, resolveValuesFrom } from './values-from.ts';

const namespace = 'default';
const secretText = 'hunter2-secret';
let folder: StoreFolder;
let cluster: EmbeddedCluster;
let digestOf: KeyedDigest;

beforeEach(async () => {
  folder = new StoreFolder();
  cluster = await folder.open();
  digestOf = await keyedDigest(cluster, namespace);
});
afterEach(() => folder[Symbol.asyncDispose]());

type Entry = ResolvedService['valuesFrom'][number];
const entry = (more: Partial<Entry>): Entry => ({ kind: 'Secret', name: 'keys', optional: false, ...more });

async function put(
  kind: Entry['kind'],
  name: string,
  data: Record<string, string | Uint8Array>,
): Promise<void> {
  const encode = (value: string | Uint8Array) => Buffer.from(value).toString('base64');
  const content =
    kind === 'ConfigMap'
      ? data
      : Object.fromEntries(Object.entries(data).map(([key, value]) => [key, encode(value)]));
  const object = { apiVersion: 'v1', kind, metadata: { name, namespace }, data: content };
  await cluster.patch(
    { apiVersion: 'v1', kind, namespace, name },
    { type: 'apply', value: object, fieldManager: 'test', force: true },
  );
}

const resolve = (valuesFrom: Entry[], base: JsonObject = {}) =>
  resolveValuesFrom({ valuesFrom, index: 2 }, { cluster, namespace, digestOf, base });

describe('resolveValuesFrom', () => {
  it('tells which account may not read it, and holds no value', async () => {
    const words =
      'secrets "keys" is forbidden: User "system:serviceaccount:default:poor" cannot get resource "secrets"';
    const refusing = {
      get: async () => {
        throw new ClusterError('Forbidden', words);
      },
    } as unknown as EmbeddedCluster;
    const world = { cluster: refusing, namespace, digestOf, base: { a: 1 } };
    const { values, digests, findings } = await resolveValuesFrom(
      { valuesFrom: [entry({})], index: 2 },
      world,
    );
    expect({ values, digests }).toEqual({ values: { a: 1 }, digests: [] });
    expect(findings).toMatchObject([
      { code: 'ClusterForbidden', message: words, field: 'spec.services[2].valuesFrom' },
    ]);
  });

  it('puts one key where its target path says, over what the package has there', async () => {
    await put('Secret', 'keys', { password: secretText });
    const { values, findings } = await resolve(
      [entry({ valuesKey: 'password', targetPath: 'database.password' })],
      {
        database: { password: 'changeme', host: 'db' },
      },
    );
    expect(findings).toEqual([]);
    expect(values).toEqual({ database: { password: secretText, host: 'db' } });
  });

  it('sets one field of an item of a list and leaves the rest of the list', async () => {
    await put('Secret', 'keys', { password: secretText });
    const { values } = await resolve([entry({ valuesKey: 'password', targetPath: 'users[1].password' })], {
      users: [{ name: 'a' }, { name: 'b' }],
    });
    expect(values).toEqual({ users: [{ name: 'a' }, { name: 'b', password: secretText }] });
  });

  it('fills in what a whole map gives and nobody else does, of several maps the last', async () => {
    await put('ConfigMap', 'one', { 'values.yaml': 'region: north\nlevel: info\nlimits: { cpu: 1 }\n' });
    await put('Secret', 'two', { more: 'region: south\nlimits: { memory: 2 }\n' });
    const { values, findings } = await resolve(
      [entry({ kind: 'ConfigMap', name: 'one' }), entry({ name: 'two', valuesKey: 'more' })],
      { replicas: 2, level: null, limits: { disk: 3 } },
    );
    expect(findings).toEqual([]);
    expect(values).toEqual({
      replicas: 2,
      level: 'info',
      region: 'south',
      limits: { disk: 3, cpu: 1, memory: 2 },
    });
  });

  it('refuses a map that would change what the plan showed', async () => {
    await put('ConfigMap', 'one', { 'values.yaml': 'replicas: 3\nsame: 1\nlimits: { cpu: 9 }\n' });
    const { findings } = await resolve([entry({ kind: 'ConfigMap', name: 'one' })], {
      ...{ replicas: 2, same: 1, limits: { cpu: 1 } },
    });
    expect(findings.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'RuleBroken replicas of values.yaml of ConfigMap one is already given by the package or the record, with another value',
      'RuleBroken limits.cpu of values.yaml of ConfigMap one is already given by the package or the record, with another value',
    ]);
  });

  it('names the field of the record whose object or key is not there', async () => {
    await put('Secret', 'keys', { password: secretText });
    const { findings } = await resolve([
      entry({ name: 'absent', valuesKey: 'a', targetPath: 'a' }),
      entry({ valuesKey: 'nokey', targetPath: 'b' }),
      entry({}),
    ]);
    expect(findings.map(({ code, field, message }) => [code, field, message])).toEqual([
      ['ValuesFromMissing', 'spec.services[2].valuesFrom[0].name', 'Secret absent is not there'],
      ['ValuesFromMissing', 'spec.services[2].valuesFrom[1].valuesKey', 'Secret keys has no key nokey'],
      ['ValuesFromMissing', 'spec.services[2].valuesFrom[2].name', 'Secret keys has no key values.yaml'],
    ]);
  });

  it('passes over an object that may be absent, but not over a key', async () => {
    await put('Secret', 'keys', {});
    const { values, digests, findings } = await resolve([
      entry({ name: 'absent', optional: true }),
      entry({ valuesKey: 'nokey', targetPath: 'b', optional: true }),
    ]);
    expect(values).toEqual({});
    expect(digests.map(({ name }) => name)).toEqual(['keys']);
    expect(findings.map(({ code }) => code)).toEqual(['ValuesFromMissing']);
  });

  it('quotes nothing of what it could not read', async () => {
    await put('Secret', 'keys', {
      broken: `password: "${secretText}\n`,
      list: `- ${secretText}\n`,
      two: `a: ${secretText}\n---\nb: 1\n`,
      bytes: new Uint8Array([0xff, 0xfe]),
    });
    const { findings } = await resolve(
      ['broken', 'list', 'two', 'bytes'].map(valuesKey => entry({ valuesKey })),
    );
    expect(findings.map(({ code }) => code)).toEqual(['YamlSyntax', 'FieldType', 'YamlSyntax', 'FieldType']);
    expect(JSON.stringify(findings)).not.toContain(secretText);
  });

  it('gives one digest for each object, which changes with its content and with nothing else', async () => {
    await put('Secret', 'keys', { b: '1', a: '2' });
    await put('ConfigMap', 'etc', { 'values.yaml': 'x: 1\n' });
    const entries = [
      entry({ valuesKey: 'a', targetPath: 'a' }),
      entry({ valuesKey: 'b', targetPath: 'b' }),
      entry({ kind: 'ConfigMap', name: 'etc' }),
    ];
    const before = (await resolve(entries)).digests;
    expect(before.map(({ kind, name }) => `${kind}/${name}`)).toEqual(
      contentNames({ valuesFrom: entries } as unknown as ResolvedService),
    );
    const services = [{ valuesFrom: entries }];
    expect(await contentsNow(services, { cluster, namespace, digestOf })).toEqual(before);
    const ref = { apiVersion: 'v1', kind: 'Secret', namespace, name: 'keys' };
    await cluster.patch(ref, { type: 'merge', value: { metadata: { labels: { a: 'b' } } } });
    expect((await resolve(entries)).digests).toEqual(before);
    await put('Secret', 'keys', { b: '1', a: '3' });
    const after = (await resolve(entries)).digests;
    expect(after.map(({ digest }, n) => digest === before[n]?.digest)).toEqual([true, false]);
  });

  it('leaves what planning rendered as it was, and closes what planning left open', async () => {
    await put('Secret', 'keys', {
      password: secretText,
      'values.yaml': 'region: north\nlimits: { cpu: 1 }\n',
    });
    const valuesFrom = [entry({ valuesKey: 'password', targetPath: 'database.password' }), entry({})];
    const data =
      '{ a: "${values.level}", b: "${values.database.password}", c: "${values.region}", d: "${values.limits.cpu}" }';
    const pkg = packageOf({
      'values.yaml': 'level: info\nregion: null\ndatabase: { password: changeme }\n',
      'etc.yaml': manifest('ConfigMap', 'etc', `data: ${data}\n`),
    });
    const later = { later: ['values.database.password'], moreValuesLater: true };
    const planned = renderPart(pkg, aContext({ values: pkg.values, ...later }));
    const { values } = await resolve(valuesFrom, pkg.values);
    const real = renderPart(pkg, aContext({ values }));
    expect([...planned.findings, ...real.findings]).toEqual([]);
    const open = { b: '${values.database.password}', c: '${values.region}', d: '${values.limits.cpu}' };
    expect(planned.objects[0]?.object['data']).toEqual({ a: 'info', ...open });
    expect(real.objects[0]?.object['data']).toEqual({ a: 'info', b: secretText, c: 'north', d: '1' });
  });
});
