/** What the image runs: `conductor`, `api`, `agent`, `test` with one of them, or `db` with a task of the database. */
import { runAgent } from './agent.mjs';
import { serveApi } from './api.mjs';
import { serveConductor } from './conductor.mjs';
import { databaseTasks } from './database-tasks.mjs';
import { database } from './schema.mjs';
import { Store } from './store.mjs';
import { tests } from './test.mjs';

const { env } = process;
const [task = '', name = ''] = process.argv.slice(2);
const parts = { conductor: serveConductor, api: serveApi, agent: runAgent };
try {
  if (Object.hasOwn(parts, task)) await parts[task](env);
  else if (task === 'test' && Object.hasOwn(tests, name)) await tests[name](env);
  else if (task === 'db' && Object.hasOwn(databaseTasks, name)) {
    const store = new Store(env, database, 30);
    await databaseTasks[name](store, env);
    store.close();
  } else throw new TypeError(`no such task: ${task} ${name}`);
} catch (error) {
  process.stderr.write(`${task} ${name} failed: ${error.message}\n`);
  process.exit(1);
}
