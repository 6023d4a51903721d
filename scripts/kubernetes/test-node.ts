import {
  cacheFolder,
  findNodePrograms,
  findPrograms,
  missingForNodePrograms,
} from './build/find-programs.ts';
import type { Say } from './build/progress.ts';
import { installCrds } from './install-crds.ts';
import { findDebianTools, missingForDebianTools } from './node/debian-tools.ts';
import { startNode } from './node/start-node.ts';
import { programOnPath } from './process/program-on-path.ts';
import { missingForTestCluster } from './test-cluster.ts';

/** What a test knows about a cluster in which pods run. Plain data: it goes from one process to another. */
export interface TestNode {
  /** Path. */
  readonly kubeconfig: string;
  readonly kubectl: string;
  /** The name of an image whose root has busybox; it is on the node already, or can be pulled. */
  readonly image: string;
}

/** Why no cluster with a node can be had here, as one line with the way out; undefined when one can. Cheap. */
export async function missingForTestNode(
  environment: NodeJS.ProcessEnv = process.env,
): Promise<string | undefined> {
  const missing = await missingForTestCluster(environment);
  if (missing !== undefined || environment['AFLOAT_TEST_KUBECONFIG']) return missing;
  if (process.getuid?.() !== 0) {
    return 'a node of our own needs root: run it as root, or set AFLOAT_TEST_KUBECONFIG to the kubeconfig of a cluster';
  }
  for (const [tool, from] of [
    ['ip', 'iproute2'],
    ['unshare', 'util-linux'],
    ['nsenter', 'util-linux'],
  ] as const) {
    if (!(await programOnPath(tool))) return `${tool} is missing: install ${from}`;
  }
  return (
    (await missingForNodePrograms(environment)) ?? (await missingForDebianTools(cacheFolder(environment)))
  );
}

/**
 * The cluster of AFLOAT_TEST_KUBECONFIG with the image of AFLOAT_TEST_IMAGE, else a node of our own, whose programs are built
 * first where they are missing. Call `missingForTestNode` first.
 */
export async function startTestNode(
  say: Say,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<{ node: TestNode; stop(): Promise<void> }> {
  const { AFLOAT_TEST_KUBECONFIG: given, AFLOAT_TEST_IMAGE: image = 'busybox:1' } = environment;
  if (given) {
    const kubectl = (await programOnPath('kubectl')) ?? 'kubectl';
    return { node: { kubeconfig: given, kubectl, image }, stop: async () => {} };
  }
  const programs = {
    ...(await findPrograms(say, environment)),
    ...(await findNodePrograms(say, environment)),
  };
  const tools = await findDebianTools(cacheFolder(environment), say);
  const start = performance.now();
  const node = await startNode({ programs, tools, beforeControllers: installCrds });
  say(`node ready after ${((performance.now() - start) / 1000).toFixed(1)} s`);
  return {
    node: { kubeconfig: node.kubeconfig, kubectl: programs.kubectl, image: node.image },
    stop: node.stop,
  };
}
