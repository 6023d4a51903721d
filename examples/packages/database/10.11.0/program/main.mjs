/** What the image runs: `server`, or `test` against a server that runs. */
import { serve } from './server.mjs';
import { test } from './test.mjs';

const [task = 'server'] = process.argv.slice(2);
const tasks = { server: serve, test };
try {
  if (!Object.hasOwn(tasks, task)) throw new TypeError(`no such task: ${task}`);
  await tasks[task](process.env);
} catch (error) {
  process.stderr.write(`${task} failed: ${error.message}\n`);
  process.exitCode = 1;
}
