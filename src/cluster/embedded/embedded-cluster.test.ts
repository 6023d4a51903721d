import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clusterContract } from '../contract/cluster-contract.ts';
import type { ContractCluster, Difference } from '../contract/contract-cluster.ts';
import { EmbeddedCluster } from './embedded-cluster.ts';

/** Where the embedded cluster is another than an API server, on purpose. */
const differences: readonly Difference[] = [
  {
    leavesOut: 'an account without rights is refused everything',
    because: 'the store has one user; who may do what is decided in front of it',
  },
];

clusterContract('embedded cluster', async (): Promise<ContractCluster> => {
  const folder = mkdtempSync(join(tmpdir(), 'afloat-store-'));
  const cluster = await EmbeddedCluster.open(folder);
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
      cluster.compact();
      return resourceVersion;
    },
    async close() {
      await cluster.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
});
