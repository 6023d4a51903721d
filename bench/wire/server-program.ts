/** The embedded cluster behind its server, in a process of its own: serves the store of a folder until it is told to end. */
import { join } from 'node:path';
import { EmbeddedCluster } from '../../src/cluster/embedded/embedded-cluster.ts';
import { startServer } from '../../src/server/server.ts';

const [folder = ''] = process.argv.slice(2);
const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());
const cluster = await EmbeddedCluster.open(join(folder, 'store'));
const kubeconfig = join(folder, 'kubeconfig');
const server = await startServer({
  cluster,
  kinds: () => cluster.kinds(),
  kubeconfig,
  identity: join(folder, 'identity.json'),
  signal: stop.signal,
});
process.send?.({ kubeconfig });
await server.ended;
await cluster.close();
process.exit(0);
