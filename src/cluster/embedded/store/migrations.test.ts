import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { expect, test } from 'vitest';
import { configMaps, refTo, StoreFolder } from '../store-folder.contract.ts';
import { type Migration, migrations } from './migrations.ts';
import { closeDatabase } from './open-database.ts';
import { Store } from './store.ts';

/** A folder as the first released version wrote it. It is never changed: what it says must stay readable. */
function folderOfFormat1(): StoreFolder {
  const folder = new StoreFolder();
  mkdirSync(folder.path, { recursive: true });
  const database = new Database(join(folder.path, 'store.db'));
  database.exec(readFileSync(join(import.meta.dirname, 'testdata', 'format-1.sql'), 'utf8'));
  closeDatabase(database);
  return folder;
}

test('a folder of format 1 is read as it was written', async () => {
  await using folder = folderOfFormat1();
  const cluster = await folder.open();
  expect(await cluster.get(refTo('kept'))).toMatchObject({
    data: { a: '2' },
    metadata: { resourceVersion: '21' },
  });
  await expect(cluster.get(refTo('gone'))).rejects.toMatchObject({ reason: 'NotFound' });
  expect(Number((await cluster.list(configMaps)).resourceVersion)).toBeGreaterThanOrEqual(23);
});

test('a step to the next format is carried out once, and everything is still there', async () => {
  await using folder = folderOfFormat1();
  let carriedOut = 0;
  const addIndex: Migration = database => {
    carriedOut += 1;
    database.exec('CREATE INDEX revision_time ON revision (time)');
  };
  for (let turn = 0; turn < 2; turn++) {
    const store = Store.open(folder.path, {}, [...migrations, addIndex]);
    expect(store.table.find('/ConfigMap', 'default/kept')).toMatchObject({ data: { a: '2' } });
    expect(store.table.find('/ConfigMap', 'default/gone')).toBeUndefined();
    await store.close();
  }
  expect(carriedOut).toBe(1);
  await expect(folder.open()).rejects.toMatchObject({ code: 'StoreNewer', details: { format: 2, known: 1 } });
});

test('a step that fails leaves the folder in its old format', async () => {
  await using folder = folderOfFormat1();
  const failing: Migration = database => database.exec('DELETE FROM revision; SELECT * FROM nowhere');
  expect(() => Store.open(folder.path, {}, [...migrations, failing])).toThrow();
  const cluster = await folder.open();
  expect(await cluster.get(refTo('kept'))).toMatchObject({ data: { a: '2' } });
});
