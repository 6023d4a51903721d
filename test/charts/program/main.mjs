/**
 * What the images of the chart run: `api`, `wait` (what kubernetes-entrypoint is in openstack-helm), `test`, `bootstrap`, `keys-setup`,
 * `keys-rotate`, `clean`, or a task of the database. Lies over the program of the journeys and uses its parts. Files are those of the
 * manifests, below `POD_ROOT` where a pod has no files of its own.
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { serveApi } from './api.mjs';
import { bootstrap } from './bootstrap.mjs';
import { readConf } from './conf.mjs';
import { databaseTasks } from './database-tasks.mjs';
import { suffer } from './faults.mjs';
import { rotateKeys, setUpKeys } from './keys.mjs';
import { test } from './test.mjs';
import { waitForAll } from './wait.mjs';

const [task = 'api'] = process.argv.slice(2);
const root = process.env.POD_ROOT || '/';
const conf = task === 'wait' ? {} : readConf(join(root, 'etc/ledger/ledger.conf'));
const env = {
  ...process.env,
  DATA: join(root, 'var/lib/ledger'),
  DATABASE: process.env.SERVICE,
  HEAD: conf.head,
  SETTING: conf.setting,
  FAULTS: conf.faults,
};

const works = {
  ...databaseTasks,
  test: told => test({ ...told, SERVICE: `${told.SERVICE}-api` }),
  bootstrap,
  'keys-setup': setUpKeys,
  'keys-rotate': rotateKeys,
  clean: () => undefined,
};

/** What ran, in order, beside the data: a line a task. */
function note(state) {
  const { SERVICE: service, VERSION: version, AFLOAT_SLICE: slice } = env;
  const line = JSON.stringify({ at: Date.now(), service, version, task, state, ...(slice ? { slice } : {}) });
  appendFileSync(join(env.DATA, 'ledger.jsonl'), `${line}\n`);
}

try {
  if (task === 'wait') await waitForAll(process.env);
  else if (task === 'api') serveApi(env);
  else {
    if (!Object.hasOwn(works, task)) throw new TypeError(`no such task: ${task}`);
    note('began');
    await suffer(env, task);
    await works[task](env);
    note('done');
  }
} catch (error) {
  if (Object.hasOwn(works, task)) note('failed');
  process.stderr.write(`${task} failed: ${error.message}\n`);
  process.exit(1);
}
