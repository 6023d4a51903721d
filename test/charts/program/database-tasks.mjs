/** The tasks of the database, each of which may be run again. Backups are named by their place below the data, which is another folder in each pod. */

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Rows } from './rows.mjs';
import { tasks } from './tasks.mjs';

const folderOf = env => join(env.DATA, env.SERVICE);

export const databaseTasks = {
  'db-init'(env) {
    mkdirSync(folderOf(env), { recursive: true });
  },
  /** The whole migration: a new database gets its schema, an older one is moved to it. */
  'db-sync'(env) {
    const schema = new Rows(folderOf(env)).schema();
    if (!schema) return tasks.init(env);
    if (Number(schema.expandedTo) < Number(env.HEAD)) tasks.sync(env);
  },
  'db-backup'(env) {
    tasks.backup(env);
    const file = join(env.POD_ROOT || '/', env.MESSAGE_FILE);
    const message = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...message, location: relative(env.DATA, message.location) }));
  },
  'db-verify': env => tasks.verify(withBackup(env)),
  'db-restore': env => tasks.restore(withBackup(env)),
  'db-drop': env => tasks.drop(env),
};

/** The backup that is asked for; the newest where nobody asks, as when Helm runs the task. */
function withBackup(env) {
  const location = env.AFLOAT_BACKUP_LOCATION
    ? join(env.DATA, env.AFLOAT_BACKUP_LOCATION)
    : newest(join(folderOf(env), 'backups'));
  const checksum = `sha256:${createHash('sha256').update(readFileSync(location, 'utf8')).digest('hex')}`;
  return {
    ...env,
    AFLOAT_BACKUP_LOCATION: location,
    AFLOAT_BACKUP_CHECKSUM: env.AFLOAT_BACKUP_CHECKSUM || checksum,
  };
}

function newest(folder) {
  const files = readdirSync(folder).map(name => join(folder, name));
  const [file] = files.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  if (!file) throw new TypeError(`no backup in ${folder}`);
  return file;
}
