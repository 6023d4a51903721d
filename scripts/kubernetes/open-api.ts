import type { TestProject } from 'vitest/node';
import { openTestCluster, type TestCluster } from './test-cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    kubernetes: TestCluster;
  }
}

/** Opens one cluster without a node for all files of the suite that need no Pods to run; tests find it with `inject('kubernetes')`. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { cluster, close } = await openTestCluster(line => console.log(line));
  project.provide('kubernetes', cluster);
  return close;
}
