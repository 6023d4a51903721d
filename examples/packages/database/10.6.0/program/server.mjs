/** The server: databases, tables and rows over HTTP. What it has acknowledged is on the disk. */
import { join } from 'node:path';
import { apply } from './databases.mjs';
import { Dumps } from './dumps.mjs';
import { serveHttp } from './http.mjs';
import { RecordFile, readChanges } from './record-file.mjs';
import { routesOf } from './routes.mjs';
import { version } from './version.mjs';

export async function serve(env) {
  const folder = join(env.POD_ROOT || '/', 'var/lib/database');
  const path = join(folder, 'data.jsonl');
  const databases = new Map();
  for (const change of await readChanges(path)) apply(databases, change);
  const file = await RecordFile.open(path);
  const dumps = new Dumps(join(folder, 'dumps'));
  await dumps.open();

  /** In memory first, so that changes are checked against all that came before; acknowledged when it is durable. */
  const change = async what => {
    apply(databases, what);
    try {
      await file.append(what);
    } catch (error) {
      // Memory is ahead of the disk now. Who starts again reads what the disk has.
      process.exitCode = 1;
      stop();
      throw error;
    }
  };
  const { server, stop } = serveHttp({
    port: Number(env.PORT || 3306),
    routes: routesOf(databases, change, dumps),
    onListening: () => process.stdout.write(`database ${version} has ${databases.size} databases\n`),
  });
  server.maxConnections = Number(env.MAX_CONNECTIONS || 500);
}
