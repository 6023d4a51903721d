/**
 * A manager for journeys: the embedded store and the runtime in a process of its own, so that it can be killed. It does to the cluster
 * what its parent asks for.
 */
import { join } from 'node:path';
import { EmbeddedCluster } from '../../../src/cluster/embedded/embedded-cluster.ts';
import { startRuntime } from '../../../src/runtime/runtime.ts';
import type { Asked } from './managed-runtime.ts';

const [folder = '', isolation = 'auto'] = process.argv.slice(2);
const stop = new AbortController();
const cluster = await EmbeddedCluster.open(join(folder, 'store'));
const runtime = await startRuntime({
  cluster,
  folder,
  isolation: isolation as 'auto' | 'namespaces' | 'loopback',
  signal: stop.signal,
  onTrouble: (doing, error) => process.stderr.write(`${doing}: ${String(error)}\n`),
});

async function answer({ method, parameters }: Asked): Promise<unknown> {
  if (method === 'logs') {
    const chunks: Buffer[] = [];
    for await (const chunk of runtime.podLogs(...parameters)) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  }
  if (method === 'stop') {
    stop.abort();
    await runtime.ended;
    await cluster.close();
    return undefined;
  }
  const work = cluster[method].bind(cluster) as (...given: readonly unknown[]) => Promise<unknown>;
  return work(...parameters);
}

process.on('message', (asked: Asked) => {
  answer(asked).then(
    value => process.send?.({ id: asked.id, value }),
    (error: { reason?: string; message: string; stack?: string }) =>
      process.send?.({
        id: asked.id,
        error: { reason: error.reason, message: error.message, stack: error.stack },
      }),
  );
});
process.on('disconnect', () => process.exit());
process.send?.({ id: 0 });
