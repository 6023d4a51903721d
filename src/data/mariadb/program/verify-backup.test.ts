import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type BackupRecord, writeRecord } from './backup-record.ts';
import { openRecord } from './verify-backup.ts';

const key = Buffer.alloc(32, 7);
const record: BackupRecord = {
  ...{ format: 1, database: 'bank', takenAt: '2026-01-01T00:00:00.000Z', seconds: 1, tables: [] },
  ...{ bytes: 5, checksum: 'sha256:1', textBytes: 5, programsAt: 5, rowBytes: 0, allBytes: 0 },
  ...{ serverVersion: '11', charset: 'utf8mb4', collation: 'utf8mb4_general_ci' },
};
let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'afloat-record-'));
  file = join(folder, 'bank-1.backup');
  await writeFile(file, 'bytes');
  await writeRecord(file, record, key);
});
afterEach(() => rm(folder, { recursive: true }));

it('the record of a backup that is there is opened without reading the backup', async () => {
  expect(await openRecord({ file, checksum: 'sha256:1', key })).toEqual(record);
});

it.each([
  ['whose file is gone', 'BackupDamaged', () => rm(file)],
  ['whose file was cut', 'BackupDamaged', () => writeFile(file, 'byte')],
  ['whose record is gone', 'BackupDamaged', () => rm(`${file}.json`)],
  ['of another key', 'BackupKeyWrong', () => writeRecord(file, record, Buffer.alloc(32, 8))],
  [
    'with another checksum',
    'BackupDamaged',
    () => writeRecord(file, { ...record, checksum: 'sha256:2' }, key),
  ],
] as const)('a backup %s is told as %s', async (_, code, harm) => {
  await harm();
  await expect(openRecord({ file, checksum: 'sha256:1', key })).rejects.toMatchObject({ code });
});
