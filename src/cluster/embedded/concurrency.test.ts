import { expect, test } from 'vitest';
import { isReason } from '../cluster-error.ts';
import { configMap, configMaps, refTo, StoreFolder } from './store-folder.contract.ts';

test('of two writers on one version, one gets a conflict', async () => {
  await using folder = new StoreFolder();
  const cluster = await folder.open();
  const made = await cluster.create(configMap('one', { a: '1' }));
  const answers = await Promise.allSettled([
    cluster.update({ ...made, data: { a: 'first' } }),
    cluster.update({ ...made, data: { a: 'second' } }),
  ]);
  expect(answers.map(answer => answer.status)).toEqual(['fulfilled', 'rejected']);
  expect(isReason((answers[1] as PromiseRejectedResult).reason, 'Conflict')).toBe(true);
  expect(await cluster.get(refTo('one'))).toMatchObject({ data: { a: 'first' } });
});

test('writes of one turn share a commit, and one that is refused fails alone', async () => {
  await using folder = new StoreFolder();
  const cluster = await folder.open();
  const names = Array.from({ length: 20 }, (_, index) => `m-${index}`);
  const answers = await Promise.allSettled([
    ...names.map(name => cluster.create(configMap(name))),
    cluster.create(configMap('m-3')),
    cluster.create(configMap('Not a name')),
  ]);
  expect(answers.filter(answer => answer.status === 'rejected')).toHaveLength(2);
  const { items } = await cluster.list(configMaps);
  expect(items.map(item => item.metadata.name).sort()).toEqual([...names].sort());
  // A refused write takes no version: versions of one turn follow each other.
  const versions = items.map(item => Number(item.metadata.resourceVersion)).sort((a, b) => a - b);
  expect((versions.at(-1) ?? 0) - (versions[0] ?? 0)).toBe(names.length - 1);
});

test('a counter that many raise side by side loses no step', async () => {
  await using folder = new StoreFolder();
  const cluster = await folder.open();
  await cluster.create(configMap('counter', { n: '0' }));
  const raise = async (): Promise<void> => {
    const now = await cluster.get(refTo('counter'));
    const n = Number((now['data'] as { n: string }).n) + 1;
    try {
      await cluster.update({ ...now, data: { n: String(n) } });
    } catch (error) {
      if (!isReason(error, 'Conflict')) throw error;
      await raise();
    }
  };
  await Promise.all(Array.from({ length: 40 }, raise));
  expect(await cluster.get(refTo('counter'))).toMatchObject({ data: { n: '40' } });
});

test('what is read cannot be changed, and what was given can without harm', async () => {
  await using folder = new StoreFolder();
  const cluster = await folder.open();
  const given = configMap('one', { a: '1' });
  const asked = cluster.create(given);
  given.data['a'] = 'changed after the call';
  const made = await asked;
  given.data['a'] = 'changed after the answer';
  expect(Object.isFrozen(made['data'])).toBe(true);
  expect((await cluster.get(refTo('one')))['data']).toEqual({ a: '1' });
});

test('writes asked for before a close are carried out, later ones are refused', async () => {
  await using folder = new StoreFolder();
  const cluster = await folder.open();
  const asked = cluster.create(configMap('before'));
  await cluster.close();
  await asked;
  await expect(cluster.create(configMap('after'))).rejects.toMatchObject({ reason: 'ServiceUnavailable' });
  const again = await folder.open();
  expect((await again.list(configMaps)).items.map(item => item.metadata.name)).toEqual(['before']);
});
