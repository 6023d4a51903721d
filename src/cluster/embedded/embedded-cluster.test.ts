import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clusterContract } from '../contract/cluster-contract.ts';
import type { ContractCluster, Difference } from '../contract/contract-cluster.ts';
import { differencesContract, knownDifferences } from '../contract/differences.contract.ts';
import { EmbeddedCluster } from './embedded-cluster.ts';

/** Cases of the contract that the embedded cluster leaves out. What it does otherwise is in docs/embedded-cluster.md. */
const differences: readonly Difference[] = [
  {
    leavesOut: 'an account without rights is refused everything',
    because: 'the store has one user; who may do what is decided in front of it',
  },
];

async function start(): Promise<ContractCluster> {
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
}

clusterContract('embedded cluster', start);
differencesContract('embedded cluster', 'embedded', start);

test('the page of differences has all of them', () => {
  const page = readFileSync(
    join(import.meta.dirname, '..', '..', '..', 'docs', 'embedded-cluster.md'),
    'utf8',
  );
  const missing = Object.keys(knownDifferences).filter(
    sentence => !page.toLowerCase().includes(`**${sentence.toLowerCase()}.**`),
  );
  expect(missing).toEqual([]);
});
