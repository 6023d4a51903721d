/** What is done to the database, one task a verb. Each may be killed at any moment and run again. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Rows, replaceFile } from './rows.mjs';

const digestOf = text => createHash('sha256').update(text).digest('hex');

/** Left for who started the task: its termination message. */
function leave(env, message) {
  writeFileSync(join(env.POD_ROOT || '/', env.MESSAGE_FILE), JSON.stringify(message));
}

function inputOf(env) {
  const folder = join(env.DATA, env.SERVICE);
  return { folder, rows: new Rows(folder), head: env.HEAD };
}

/** From the second schema on a name is a label. */
const withLabel = row =>
  row && row.label === undefined && row.name !== undefined ? { ...row, label: row.name } : row;
const withoutName = row => {
  const { name: _name, ...rest } = withLabel(row);
  return rest;
};

function rewrite(rows, change) {
  const lines = rows
    .dump()
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line));
  rows.load(
    lines
      .map(
        ({ table, id, row }) =>
          `${JSON.stringify({ table, id, row: table === 'users' ? change(row) : row })}\n`,
      )
      .join(''),
  );
}

function readBackup(env) {
  const text = readFileSync(env.AFLOAT_BACKUP_LOCATION, 'utf8');
  if (`sha256:${digestOf(text)}` !== env.AFLOAT_BACKUP_CHECKSUM) throw new TypeError('the backup is damaged');
  return JSON.parse(text);
}

export const tasks = {
  init(env) {
    const { folder, rows, head } = inputOf(env);
    mkdirSync(folder, { recursive: true });
    if (!rows.schema()) {
      rows.load('');
      rows.mark({ expandedTo: head, contractedTo: head });
    }
  },
  state(env) {
    leave(env, inputOf(env).rows.schema() ?? {});
  },
  backup(env) {
    const { folder, rows } = inputOf(env);
    const text = JSON.stringify({ schema: rows.schema(), dump: rows.dump() });
    mkdirSync(join(folder, 'backups'), { recursive: true });
    const location = join(folder, 'backups', `${digestOf(text).slice(0, 16)}.json`);
    replaceFile(location, text);
    leave(env, { location, checksum: `sha256:${digestOf(text)}`, bytes: text.length });
  },
  verify(env) {
    readBackup(env);
  },
  restore(env) {
    const { rows } = inputOf(env);
    const { schema, dump } = readBackup(env);
    rows.load(dump);
    rows.mark(schema);
  },
  expand(env) {
    const { rows, head } = inputOf(env);
    rows.mark({ ...rows.schema(), expandedTo: head });
  },
  migrate(env) {
    const { rows } = inputOf(env);
    for (const user of rows.all('users'))
      if (user.label === undefined) rows.write('users', user.id, withLabel(user));
  },
  contract(env) {
    const { rows } = inputOf(env);
    const { expandedTo } = rows.schema();
    // Marked first: from then on nobody writes names. Row by row, and never the file as a whole: clients write meanwhile.
    rows.mark({ expandedTo, contractedTo: expandedTo });
    const named = () => rows.all('users').filter(({ name }) => name !== undefined);
    for (let left = named(); left.length > 0; left = named())
      for (const { id } of left) {
        const row = rows.find('users', id);
        if (row) rows.write('users', id, withoutName(row));
      }
  },
  sync(env) {
    const { rows, head } = inputOf(env);
    rewrite(rows, withoutName);
    rows.mark({ expandedTo: head, contractedTo: head });
  },
  drop(env) {
    const { folder } = inputOf(env);
    for (const file of ['rows.jsonl', 'schema.json']) rmSync(join(folder, file), { force: true });
  },
};
