/** What is done to the database of this service. Each task may be killed at any moment and run again. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { database, head, migrations, tables } from './schema.mjs';

const own = `/databases/${database}`;
const say = text => process.stdout.write(`${text}\n`);

/** Left for who started the task: its termination message. */
function leave(env, message) {
  const text = JSON.stringify(message);
  say(text);
  if (env.MESSAGE_FILE) writeFileSync(join(env.POD_ROOT || '/', env.MESSAGE_FILE), text);
}

/** Creates the database, with the schema of this version. One that is there is left as it is. */
async function init(store) {
  await store.send('PUT', own);
  const { marks } = await store.summary();
  if (marks.contractedTo) return say(`${database} is there already`);
  for (const [name, { columns, required }] of Object.entries(tables))
    await store.shape(name, columns, required);
  await store.mark({ expandedTo: head, contractedTo: head });
  say(`${database} is made, with schema ${head}`);
}

/** Says which schema the database has. */
async function state(store, env) {
  const { marks = {} } = (await store.summary()) ?? {};
  leave(env, { expandedTo: marks.expandedTo, contractedTo: marks.contractedTo });
}

/** Writes a dump beside the data of the database service. It is named after its content: the same one is written once. */
async function backup(store, env) {
  const bytes = await store.send('GET', `${own}/dump`);
  const digest = digestOf(bytes);
  say(`${rowsIn(bytes)} rows, ${bytes.length} bytes`);
  const name = `${database}-${digest.slice(0, 16)}.jsonl`;
  await store.send('PUT', `/dumps/${name}`, bytes, 'application/octet-stream');
  say(`written to ${name}`);
  leave(env, { location: `database:/dumps/${name}`, checksum: `sha256:${digest}`, bytes: bytes.length });
}

/** Proves that a backup can be restored: reads it back, and loads it into a database that is gone afterwards. */
async function verify(store, env) {
  const bytes = await readBackup(store, env);
  const scratch = `/databases/${database}-verify`;
  await store.send('PUT', `${scratch}/dump`, bytes, 'application/x-ndjson');
  const loaded = JSON.parse(await store.send('GET', scratch));
  const rows = Object.values(loaded.tables).reduce((sum, table) => sum + table.rows, 0);
  const again = digestOf(await store.send('GET', `${scratch}/dump`));
  await store.send('DELETE', scratch);
  if (rows !== rowsIn(bytes))
    throw new TypeError(`${rows} rows were loaded, ${rowsIn(bytes)} are in the backup`);
  if (again !== digestOf(bytes)) throw new TypeError('what was loaded is not what is in the backup');
  say(`${rows} rows can be restored`);
}

/** Makes the database what it was when the backup was taken, all at once. */
async function restore(store, env) {
  const bytes = await readBackup(store, env);
  await store.send('PUT', `${own}/dump`, bytes, 'application/x-ndjson');
  say(`${rowsIn(bytes)} rows are restored`);
}

async function drop(store) {
  await store.send('DELETE', own);
  say(`${database} is gone`);
}

async function readBackup(store, { AFLOAT_BACKUP_LOCATION: location, AFLOAT_BACKUP_CHECKSUM: checksum }) {
  const path = /^database:(\/dumps\/.+)$/.exec(location ?? '')?.[1];
  if (!path) throw new TypeError(`AFLOAT_BACKUP_LOCATION is no place of a backup: ${location}`);
  const bytes = await store.send('GET', path);
  if (`sha256:${digestOf(bytes)}` !== checksum)
    throw new TypeError(`${location} is not what was written there`);
  say(`${bytes.length} bytes with the checksum they should have`);
  return bytes;
}

const digestOf = bytes => createHash('sha256').update(bytes).digest('hex');
const rowsIn = bytes => bytes.toString().match(/^\{"table":.*,"key":/gm)?.length ?? 0;

/** A task that may change the schema says at its end which one is there: that is read, and not what was meant. */
const saying = run => async (store, env) => {
  await run(store, env);
  await state(store, env);
};
const changing = Object.entries({ init, restore, ...migrations }).map(([name, run]) => [name, saying(run)]);

export const databaseTasks = { state, backup, verify, drop, ...Object.fromEntries(changing) };
