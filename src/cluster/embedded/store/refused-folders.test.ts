import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { expect, test } from 'vitest';
import { CodedError } from '../../../base/coded-error.ts';
import { EmbeddedCluster } from '../embedded-cluster.ts';
import { configMap, configMaps, refTo, StoreFolder } from '../store-folder.contract.ts';
import { closeDatabase } from './open-database.ts';

/** The code an opening is refused with. */
async function codeOfOpening(folder: StoreFolder): Promise<string> {
  const answer = await folder.open().then(
    () => 'opened',
    (error: unknown) => error,
  );
  return answer instanceof CodedError ? answer.code : String(answer);
}

/** A folder with a hundred objects, closed or as a killed process leaves it. */
async function filled(state: 'closed' | 'killed'): Promise<StoreFolder> {
  const folder = new StoreFolder();
  const cluster = await folder.open();
  await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      cluster.create(configMap(`m-${index}`, { text: 'x'.repeat(500) })),
    ),
  );
  if (state === 'closed') {
    await cluster.close();
    return folder;
  }
  const killed = new StoreFolder();
  mkdirSync(killed.path, { recursive: true });
  for (const name of ['store.db', 'store.db-wal', 'acknowledged'])
    copyFileSync(join(folder.path, name), join(killed.path, name));
  await cluster.close();
  await folder[Symbol.asyncDispose]();
  return killed;
}

/** Turns over one byte of a file, at that part of its length. */
function flip(path: string, part: number): void {
  const bytes = readFileSync(path);
  const at = Math.floor(bytes.length * part);
  bytes.writeUInt8((bytes.readUInt8(at) ^ 0xff) & 0xff, at);
  writeFileSync(path, bytes);
}

test('a folder that was closed, and one left by a killed process, open with everything in them', async () => {
  for (const state of ['closed', 'killed'] as const) {
    await using folder = await filled(state);
    const cluster = await folder.open();
    expect((await cluster.list(configMaps)).items).toHaveLength(100);
    expect(existsSync(join(folder.path, 'store.db-wal.before'))).toBe(false);
  }
});

test('a folder can be opened again at once after it was closed', async () => {
  await using folder = new StoreFolder();
  for (let turn = 0; turn < 3; turn++) {
    const cluster = await folder.open();
    await cluster.create(configMap(`turn-${turn}`));
    await cluster.close();
  }
});

test('a folder in use is refused, and who uses it is said', async () => {
  await using folder = new StoreFolder();
  await (await folder.open()).create(configMap('one'));
  const before = readdirSync(folder.path);
  const error = await folder.open().catch((thrown: unknown) => thrown);
  expect(readdirSync(folder.path)).toEqual(before);
  expect(error).toMatchObject({
    code: 'StoreHeld',
    message: expect.stringContaining(`process ${process.pid}`),
  });
});

test('a folder written by a newer version is refused, and nothing in it is touched', async () => {
  await using folder = await filled('closed');
  const database = new Database(join(folder.path, 'store.db'));
  database.exec('PRAGMA user_version = 99');
  closeDatabase(database);
  expect(await codeOfOpening(folder)).toBe('StoreNewer');
  const again = new Database(join(folder.path, 'store.db'));
  expect(again.prepare('PRAGMA user_version').get()).toMatchObject({ user_version: 99 });
  expect(
    again.prepare("SELECT count(*) AS number FROM revision WHERE kind = '/ConfigMap'").get(),
  ).toMatchObject({ number: 100 });
  closeDatabase(again);
});

test("somebody else's database is refused", async () => {
  await using folder = new StoreFolder();
  const database = new Database(join(folder.path, 'store.db'));
  database.exec('PRAGMA application_id = 7; CREATE TABLE theirs (a)');
  closeDatabase(database);
  expect(await codeOfOpening(folder)).toBe('StoreDamaged');
});

test.each([0.1, 0.3, 0.5, 0.7, 0.9])('a database cut to %d of its length is refused', async part => {
  await using folder = await filled('closed');
  const path = join(folder.path, 'store.db');
  truncateSync(path, Math.floor(readFileSync(path).length * part));
  expect(await codeOfOpening(folder)).toBe('StoreDamaged');
});

test('an emptied database is refused, and not taken for a new one', async () => {
  await using folder = await filled('closed');
  truncateSync(join(folder.path, 'store.db'), 0);
  expect(await codeOfOpening(folder)).toBe('StoreDamaged');
});

test('a byte turned over anywhere in the database is refused, or was in no use', async () => {
  await using folder = await filled('closed');
  const whole = readFileSync(join(folder.path, 'store.db'));
  // The first page holds the format and the names of the tables; the rest holds rows.
  const inFirst = Array.from({ length: 24 }, (_, step) => 20 + step * 173);
  const inRest = Array.from({ length: 20 }, (_, step) => 4096 + step * 4801);
  let refused = 0;
  for (const place of [...inFirst, ...inRest].filter(one => one < whole.length)) {
    await using damaged = new StoreFolder();
    writeFileSync(join(damaged.path, 'store.db'), whole);
    copyFileSync(join(folder.path, 'acknowledged'), join(damaged.path, 'acknowledged'));
    flip(join(damaged.path, 'store.db'), place / whole.length);
    const answer = await damaged.open().catch((thrown: unknown) => thrown);
    if (answer instanceof EmbeddedCluster) {
      const { items } = await answer.list(configMaps);
      expect(items.map(item => item['data'])).toEqual(
        Array.from({ length: 100 }, () => ({ text: 'x'.repeat(500) })),
      );
    } else {
      expect(answer).toMatchObject({ code: expect.stringMatching(/^Store(Damaged|Newer|Unusable)$/) });
      refused += 1;
    }
  }
  expect(refused).toBeGreaterThan(15);
});

test.each([0.2, 0.5, 0.8])(
  'a write-ahead log with a byte turned over at %d is refused, and its bytes are kept',
  async part => {
    await using folder = await filled('killed');
    flip(join(folder.path, 'store.db-wal'), part);
    const bytes = readFileSync(join(folder.path, 'store.db-wal'));
    expect(await codeOfOpening(folder)).toBe('StoreDamaged');
    expect(readFileSync(join(folder.path, 'store.db-wal.before')).equals(bytes)).toBe(true);
    expect(await codeOfOpening(folder)).toBe('StoreDamaged');
  },
);

test('a write-ahead log that lost its end is refused; without the number of the last write it would pass', async () => {
  await using folder = await filled('killed');
  const path = join(folder.path, 'store.db-wal');
  truncateSync(path, Math.floor(readFileSync(path).length / 2));
  expect(await codeOfOpening(folder)).toBe('StoreDamaged');
  writeFileSync(join(folder.path, 'acknowledged'), '');
  const cluster = await folder.open();
  await expect(cluster.get(refTo('m-99'))).rejects.toMatchObject({ reason: 'NotFound' });
});

test('a torn number of the last write keeps nobody out', async () => {
  await using folder = await filled('closed');
  writeFileSync(join(folder.path, 'acknowledged'), '00000');
  const cluster = await folder.open();
  expect((await cluster.list(configMaps)).items).toHaveLength(100);
});
