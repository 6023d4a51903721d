/** What the image runs: `api`, `test`, or `db` with a task of the database. */
import { serveApi } from './api.mjs';
import { databaseTasks } from './database-tasks.mjs';
import { database } from './schema.mjs';
import { Store } from './store.mjs';
import { test } from './test.mjs';

const { env } = process;
const [task = 'api', name = ''] = process.argv.slice(2);
try {
  if (task === 'api') serveApi(env);
  else if (task === 'test') await test(env);
  else if (task === 'db' && Object.hasOwn(databaseTasks, name)) {
    const store = new Store(env, database, 30);
    await databaseTasks[name](store, env);
    store.close();
  } else throw new TypeError(`no such task: ${task} ${name}`);
} catch (error) {
  process.stderr.write(`${task} ${name} failed: ${error.message}\n`);
  process.exit(1);
}
