import { describe, expect, it } from 'vitest';
import { setValue } from '../../base/set-value.ts';
import type { EmbeddedCluster } from '../../cluster/embedded/embedded-cluster.ts';
import { clusterForEachTest } from '../../cluster/embedded/store-folder.contract.ts';
import { digestKeyName, keyedDigest } from './digest-key.ts';
import { generatedValues } from './generated-values.ts';
import { layGenerated } from './lay-generated.ts';
import { secretType } from './secret-access.ts';
import { cutEverywhere, secretNames } from './store-world.contract.ts';

const namespace = 'default';
let cluster: EmbeddedCluster;
clusterForEachTest(opened => {
  cluster = opened;
});

describe('generatedValues', () => {
  const paths = ['memcacheSecretKey', 'database.password'];

  it('makes a value for each path once and never changes it', async () => {
    const first = await generatedValues(cluster, namespace, 'identity', paths);
    expect([...first.keys()]).toEqual(paths);
    for (const value of first.values()) expect(value).toMatch(/^[-_A-Za-z0-9]{43}$/);
    expect(new Set(first.values()).size).toBe(2);
    expect(await generatedValues(cluster, namespace, 'identity', paths)).toEqual(first);
    expect(await secretNames(cluster, namespace)).toEqual(['afloat-generated-identity']);
  });

  it('adds what a newer version asks for beside what is there', async () => {
    const [first] = paths;
    const before = await generatedValues(cluster, namespace, 'identity', [first ?? '']);
    const after = await generatedValues(cluster, namespace, 'identity', paths);
    expect(after.get(first ?? '')).toBe(before.get(first ?? ''));
    expect(after.size).toBe(2);
  });

  it('gives every service its own', async () => {
    const one = await generatedValues(cluster, namespace, 'identity', paths);
    const two = await generatedValues(cluster, namespace, 'image', paths);
    expect(one).not.toEqual(two);
  });

  it('gives all who ask at the same time the same, for new paths too', async () => {
    const many = Array.from({ length: 4 }, (_, n) => [...paths, `extra${n}`]);
    await Promise.all(many.map(some => generatedValues(cluster, namespace, 'identity', some)));
    const all = await Promise.all(many.map(some => generatedValues(cluster, namespace, 'identity', some)));
    expect(new Set(all.map(values => values.get('database.password'))).size).toBe(1);
  });

  it('takes paths that no key of a Secret can be', async () => {
    const odd = ['a["b c"].d', '..', 'ä'];
    const values = await generatedValues(cluster, namespace, 'identity', odd);
    expect([...values.keys()]).toEqual(odd);
    expect(await generatedValues(cluster, namespace, 'identity', odd)).toEqual(values);
  });

  it('writes nothing where nothing is asked for', async () => {
    expect(await generatedValues(cluster, namespace, 'identity', [])).toEqual(new Map());
    expect(await secretNames(cluster, namespace)).toEqual([]);
  });

  it('can be cut off at any call: what was made stays', async () => {
    await cutEverywhere(
      cluster,
      (process, place) => generatedValues(process, place, 'identity', paths),
      async place => {
        const names = await secretNames(cluster, place);
        const made = await generatedValues(cluster, place, 'identity', paths);
        expect(made.size).toBe(2);
        if (names.length > 0) expect(await secretNames(cluster, place)).toEqual(names);
        expect(await generatedValues(cluster, place, 'identity', paths)).toEqual(made);
      },
    );
  });

  it('says that the namespace is not there', async () => {
    await expect(generatedValues(cluster, 'nowhere', 'identity', paths)).rejects.toMatchObject({
      reason: 'NotFound',
    });
  });
});

describe('keyedDigest', () => {
  it('is the same for the same content whoever asks, and tells contents apart', async () => {
    const both = await Promise.all([keyedDigest(cluster, namespace), keyedDigest(cluster, namespace)]);
    const [one, two] = both.map(digestOf => digestOf('content'));
    expect(one).toMatch(/^hmac-sha256:[0-9a-f]{64}$/);
    expect(two).toBe(one);
    expect(both[0]('other')).not.toBe(one);
    expect((await keyedDigest(cluster, namespace))('content')).toBe(one);
  });

  it('differs from namespace to namespace', async () => {
    const [here, there] = [await keyedDigest(cluster, namespace), await keyedDigest(cluster, 'kube-system')];
    expect(here('content')).not.toBe(there('content'));
  });

  it('refuses a Secret that holds no key', async () => {
    const metadata = { name: digestKeyName, namespace };
    await cluster.create({ ...secretType, metadata, data: { key: 'c2hvcnQ=' } });
    await expect(keyedDigest(cluster, namespace)).rejects.toMatchObject({ code: 'StoredContentDamaged' });
  });
});

describe('setValue', () => {
  it.each([
    { name: 'a new map', values: {}, path: ['a', 'b'], want: { a: { b: 'x' } } },
    { name: 'a map that is there', values: { a: { c: 1 } }, path: ['a', 'b'], want: { a: { c: 1, b: 'x' } } },
    {
      name: 'an item of a list',
      values: { a: [{ b: 1, c: 2 }, 3] },
      path: ['a', 0, 'b'],
      want: { a: [{ b: 'x', c: 2 }, 3] },
    },
    { name: 'an item past the end', values: {}, path: ['a', 1], want: { a: [null, 'x'] } },
    { name: 'what was no map', values: { a: 'text' }, path: ['a', 'b'], want: { a: { b: 'x' } } },
  ])('sets in $name', ({ values, path, want }) => {
    const before = structuredClone(values);
    expect(setValue(values, path, 'x')).toEqual(want);
    expect(values).toEqual(before);
  });

  it('takes __proto__ for a key', () => {
    const set = setValue({}, ['__proto__', 'polluted'], 'x');
    expect(Object.hasOwn(set, '__proto__')).toBe(true);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('lays generated values over the stand-ins of a package', () => {
    const generated = new Map([['database.password', 'made']]);
    expect(layGenerated({ database: { password: '', host: 'db' } }, generated)).toEqual({
      database: { password: 'made', host: 'db' },
    });
  });
});
