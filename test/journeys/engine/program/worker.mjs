/** Works without being asked: nobody calls it, so nobody drains it. What it has written, it says in a file of its own. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { Rows } from './rows.mjs';

export function work(env) {
  const rows = new Rows(join(env.DATA, env.SERVICE));
  const log = join(env.DATA, `${env.SERVICE}.worked.jsonl`);
  let count = 0;
  const next = setInterval(() => {
    if (!rows.schema()) return;
    const id = `${env.VERSION}-${process.pid}-${count++}`;
    rows.write('work', id, { id });
    appendFileSync(log, `${JSON.stringify({ version: env.VERSION, id })}\n`);
  }, 200);
  process.on('SIGTERM', () => {
    clearInterval(next);
    process.exit(0);
  });
}
