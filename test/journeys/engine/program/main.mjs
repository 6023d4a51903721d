/** What the image runs: `api`, `worker`, `test`, `preflight`, or a task of the database. Each task tells the ledger that it began and how it ended. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { serveApi } from './api.mjs';
import { suffer } from './faults.mjs';
import { tasks } from './tasks.mjs';
import { test } from './test.mjs';
import { work } from './worker.mjs';

const { env } = process;
const [task = 'api'] = process.argv.slice(2);

function note(state) {
  const { SERVICE: service, VERSION: version, AFLOAT_SLICE: slice } = env;
  const line = JSON.stringify({ at: Date.now(), service, version, task, state, ...(slice ? { slice } : {}) });
  appendFileSync(join(env.DATA, 'ledger.jsonl'), `${line}\n`);
}

try {
  if (task === 'api') serveApi(env);
  else if (task === 'worker') work(env);
  else {
    note('began');
    await suffer(env, task);
    if (task === 'test') await test(env);
    else await tasks[task]?.(env);
    note('done');
  }
} catch (error) {
  if (task !== 'api') note('failed');
  const { message, cause } = error;
  process.stderr.write(`${task} failed: ${message}${cause ? ` (${cause.code ?? cause.message})` : ''}\n`);
  process.exit(1);
}
