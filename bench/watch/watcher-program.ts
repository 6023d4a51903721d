/**
 * A watcher in a process of its own: nobody else's work delays what it sees. Told by its arguments which of the two it is and where
 * the cluster is; says when it watches, and at the end, when it is told to stop, when it saw which change.
 */
import { Client } from 'undici';
import { readAccess } from '../../scripts/kubernetes/kubeconfig.ts';
import { follow } from '../../src/cluster/follow.ts';
import { findAccess } from '../../src/cluster/kubernetes/access/find-access.ts';
import { KubernetesCluster } from '../../src/cluster/kubernetes/kubernetes-cluster.ts';
import { monotonicMilliseconds, type SeenChange, watched } from './watched.ts';

const [which, kubeconfig = ''] = process.argv.slice(2);
const seen: SeenChange[] = [];
const note = (number: number) => seen.push([number, monotonicMilliseconds()]);

/** The least a watch can do: read lines, parse them, look into them. */
async function bareWatch(): Promise<void> {
  const { server, authority, certificate, key } = await readAccess(kubeconfig);
  const connect = { ca: authority ?? '', cert: certificate ?? '', key: key ?? '' };
  const client = new Client(server, { bodyTimeout: 0, connect });
  const path = `/api/v1/namespaces/${watched.namespace}/configmaps`;
  const labels = encodeURIComponent(watched.labelSelector);
  const list = await client.request({ method: 'GET', path: `${path}?labelSelector=${labels}` });
  const { metadata } = (await list.body.json()) as { metadata: { resourceVersion: string } };
  const from = `watch=true&allowWatchBookmarks=true&resourceVersion=${metadata.resourceVersion}`;
  const { body } = await client.request({ method: 'GET', path: `${path}?${from}&labelSelector=${labels}` });
  let rest = '';
  body.setEncoding('utf8');
  body.on('data', (piece: string) => {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const { type, object } = JSON.parse(line);
      if (type !== 'BOOKMARK') note(Number(object.data.n));
    }
  });
}

/** The same through the product: port, client and follow. */
async function ourWatch(): Promise<void> {
  const cluster = KubernetesCluster.to(await findAccess({ kubeconfig }));
  const { namespace, labelSelector } = watched;
  const followed = follow(cluster, watched.type, { namespace, labelSelector });
  for (let told = await followed.next(); told.value?.type !== 'SYNCED'; ) told = await followed.next();
  const run = async () => {
    for await (const told of followed) {
      if (told.type !== 'SYNCED') note(Number((told.object['data'] as { n: string }).n));
    }
  };
  void run();
}

await (which === 'bare' ? bareWatch() : ourWatch());
process.send?.('watching');
process.once('message', () => process.send?.(seen, () => process.exit(0)));
