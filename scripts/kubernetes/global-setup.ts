import type { TestProject } from 'vitest/node';
import { openNodeDoor } from './node-door.ts';
import { openTestCluster, type TestCluster } from './test-cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    kubernetes: TestCluster;
    /** For `askForNode`: a whole node, with Pods that run. */
    kubernetesNode: string;
  }
}

/**
 * Opens one cluster for the whole suite; tests find it with `inject('kubernetes')`. A whole node is started when the first test asks
 * for it.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const say = (line: string) => console.log(line);
  const door = await openNodeDoor(say);
  const { cluster, close } = await openTestCluster(say);
  project.provide('kubernetes', cluster);
  project.provide('kubernetesNode', door.socket);
  return async () => {
    await door.close();
    await close();
  };
}
