/**
 * Backup and restore of a database against MariaDB's bare tools on the same data and the same server.
 *
 * How it is read, so that the ratio means something:
 *
 * - The floor of `backup` is what a careful person types: `mariadb-dump --single-transaction` into `openssl enc`, the SHA-256 of the
 *   file, and rows and checksum of every table by `mariadb`, synced. Ours does the same, with the two connections in one snapshot.
 * - The floor of `bare backup` is `mariadb-dump` into a file, synced, and nothing else: what encryption and checksums cost is seen there.
 * - The floor of `restore` is `openssl enc -d` into `mariadb` on an empty schema, and the checksums again. Ours also decides that nothing is lost,
 *   and lets the tables change places.
 * - Ours and the floor take turns; medians. Proofs on a server of their own have no counterpart and are not measured.
 */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { type ServingMariadb, startServingMariadb } from '../scripts/openstack/serving-mariadb.ts';
import { backUp } from '../src/data/mariadb/program/back-up.ts';
import { restoreBackup } from '../src/data/mariadb/program/restore-backup.ts';
import { type Bench, type BenchSize, type Measure, measured, medianTimes } from './measure.ts';

const run = promisify(execFile);
const goal = 1.05;
const say = () => {};

async function* measures(size: BenchSize): AsyncIterable<Measure> {
  const { rows, runs } = size === 'full' ? { rows: 1_000_000, runs: 5 } : { rows: 20_000, runs: 3 };
  const world = await startServingMariadb();
  try {
    await fill(world, rows);
    const key = randomBytes(32);
    const { access, folder, environment } = world;
    const request = { access, database: 'bank', folder, key, say };
    const ours = async () => {
      const { file } = await backUp(request);
      await rm(file);
      await rm(`${file}.json`);
    };
    const careful = await medianTimes(runs, ours, () => shell(world, carefulBackup));
    yield told('backup', careful, 'mariadb-dump | openssl enc, sha256sum, CHECKSUM TABLE');
    const bare = await medianTimes(runs, ours, () => shell(world, bareBackup));
    yield told('bare backup', bare, 'mariadb-dump > file');
    const { file } = await backUp(request);
    const restore = () => restoreBackup({ access, file, key, mayLose: true, environment, say });
    await shell(world, carefulBackup);
    const back = await medianTimes(runs, restore, () => shell(world, carefulRestore));
    yield told('restore', back, 'openssl enc -d | mariadb, CHECKSUM TABLE');
  } finally {
    await world.remove();
  }
}

function told(measure: string, { ours, floor }: { ours: number; floor: number }, against: string): Measure {
  return measured({ measure, value: ours, unit: 'ms', against, floor, goal });
}

async function fill(world: ServingMariadb, rows: number): Promise<void> {
  await world.sql(`CREATE DATABASE bank; USE bank;
    CREATE TABLE one (id INT PRIMARY KEY, name VARCHAR(64), extra TEXT, at DATETIME, KEY (name)) ENGINE=InnoDB;
    CREATE TABLE two (id INT PRIMARY KEY, one_id INT, amount DECIMAL(12,2), FOREIGN KEY (one_id) REFERENCES one (id)) ENGINE=InnoDB;
    INSERT INTO one SELECT seq, MD5(seq), REPEAT(MD5(seq), 4), NOW() FROM seq_1_to_${rows};
    INSERT INTO two SELECT seq, seq, seq / 7 FROM seq_1_to_${rows};`);
}

const sums =
  'mariadb $C -e "CHECKSUM TABLE $D.one, $D.two; SELECT COUNT(*) FROM $D.one; SELECT COUNT(*) FROM $D.two" >sums';
const dump = 'mariadb-dump $C --single-transaction --master-data=2 --quick --no-autocommit bank';
const cipher = 'openssl enc -aes-256-ctr -pass pass:bench -iter 1 -pbkdf2';
const carefulBackup = `D=bank; ${dump} | ${cipher} >careful && sha256sum careful >careful.sum && ${sums} && sync careful`;
const bareBackup = `${dump} >bare && sync bare && rm bare`;
const carefulRestore = `D=again; mariadb $C -e 'DROP DATABASE IF EXISTS again; CREATE DATABASE again' && ${cipher} -d <careful | mariadb $C again && ${sums}`;

async function shell({ access, environment, folder }: ServingMariadb, script: string): Promise<void> {
  const env = { ...environment, C: access.optionFile } as NodeJS.ProcessEnv;
  await run('bash', ['-o', 'pipefail', '-ec', script], { cwd: folder, env });
}

/** Backup and restore against the bare tools. */
export const bench: Bench = { name: 'backup', run: measures };
