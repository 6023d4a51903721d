/** The contract of the cluster through the wire: our client, our server, the embedded store behind it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clusterContract } from '../../cluster/contract/cluster-contract.ts';
import type { ContractCluster, Difference } from '../../cluster/contract/contract-cluster.ts';
import { differencesContract } from '../../cluster/contract/differences.contract.ts';
import { EmbeddedCluster } from '../../cluster/embedded/embedded-cluster.ts';
import { findAccess } from '../../cluster/kubernetes/access/find-access.ts';
import { KubernetesCluster } from '../../cluster/kubernetes/kubernetes-cluster.ts';
import { startServer } from '../server.ts';

/** Cases that are left out, as of the store behind the wire. */
const differences: readonly Difference[] = [
  {
    leavesOut: 'an account without rights is refused everything',
    because: 'the store has one user: whoever has the token may do everything, in any name',
  },
];

async function start(): Promise<ContractCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'afloat-wire-'));
  const store = await EmbeddedCluster.open(join(folder, 'store'));
  const stop = new AbortController();
  const kubeconfig = join(folder, 'kubeconfig');
  const server = await startServer({
    cluster: store,
    kinds: () => store.kinds(),
    signal: stop.signal,
    kubeconfig,
    identity: join(folder, 'identity.json'),
  });
  const cluster = KubernetesCluster.to(await findAccess({ kubeconfig }));
  const namespace = 'contract';
  await cluster.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  return {
    cluster,
    namespace,
    differences,
    async makeTooOld(type) {
      const { resourceVersion } = await cluster.list(type);
      await cluster.create({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { generateName: 'later-', namespace },
      });
      store.compact();
      return resourceVersion;
    },
    async close() {
      await cluster.close();
      stop.abort();
      await server.ended;
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

clusterContract('the embedded cluster over the wire', start);
differencesContract('the embedded cluster over the wire', 'embedded', start);
