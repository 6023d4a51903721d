import {
  cacheFolder,
  findNodePrograms,
  findPrograms,
  missingForNodePrograms,
  missingForPrograms,
} from './build/find-programs.ts';
import type { Say } from './build/progress.ts';
import { installCrds } from './install-crds.ts';
import { findDebianTools, missingForDebianTools } from './node/debian-tools.ts';
import { type Node, startNode } from './node/start-node.ts';
import { programOnPath } from './process/program-on-path.ts';
import { giveCluster, missingForTestCluster } from './test-cluster.ts';

/** What a test knows about a cluster in which pods run. Plain data: it goes from one process to another. */
export interface TestNode {
  /** Path. */
  readonly kubeconfig: string;
  readonly kubectl: string;
  /** The name of an image whose root has busybox; it is on the node already, or can be pulled. */
  readonly image: string;
  /**
   * The command line of containerd's own client on that node, for images that a test makes; see `loadImages`. Absent where somebody gave
   * us a cluster and no way to bring images onto it (AFLOAT_TEST_CTR).
   */
  readonly ctr?: readonly string[];
}

/** Why no cluster with a node can be had here, as one line with the way out; undefined when one can. Cheap. */
export async function missingForTestNode(
  environment: NodeJS.ProcessEnv = process.env,
): Promise<string | undefined> {
  if (environment['AFLOAT_TEST_KUBECONFIG']) return missingForTestCluster(environment);
  const missing = await missingForOwnNode(environment);
  return missing && `${missing}, or ${giveCluster}`;
}

/** Why no node of our own can be had here, as one line with the way out; undefined when one can. Cheap. */
export async function missingForOwnNode(
  environment: NodeJS.ProcessEnv = process.env,
): Promise<string | undefined> {
  if (process.getuid?.() !== 0)
    return 'a node of our own needs root, for namespaces, mounts and network links: run it as root';
  for (const [tool, from] of [
    ['ip', 'iproute2'],
    ['unshare', 'util-linux'],
    ['nsenter', 'util-linux'],
  ] as const) {
    if (!(await programOnPath(tool))) return `${tool} is missing: install ${from}`;
  }
  return (
    (await missingForPrograms(environment)) ??
    (await missingForNodePrograms(environment)) ??
    (await missingForDebianTools(cacheFolder(environment)))
  );
}

/** Why no image of ours can be brought onto the node, as one line with the way out; undefined when one can. */
export function missingForImages(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const { AFLOAT_TEST_KUBECONFIG: given, AFLOAT_TEST_CTR: ctr } = environment;
  return given && !ctr
    ? 'set AFLOAT_TEST_CTR to the command line of ctr on the node of AFLOAT_TEST_KUBECONFIG'
    : undefined;
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
    const ctr = environment['AFLOAT_TEST_CTR']?.split(' ');
    return { node: { kubeconfig: given, kubectl, image, ...(ctr ? { ctr } : {}) }, stop: async () => {} };
  }
  const { kubeconfig, kubectl, image: own, ctr, stop } = await startOwnNode(say, environment);
  return { node: { kubeconfig, kubectl, image: own, ctr }, stop };
}

/** A node of our own, whatever AFLOAT_TEST_KUBECONFIG says. Call `missingForOwnNode` first. */
export async function startOwnNode(
  say: Say,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Node & { readonly kubectl: string }> {
  const programs = {
    ...(await findPrograms(say, environment)),
    ...(await findNodePrograms(say, environment)),
  };
  const tools = await findDebianTools(cacheFolder(environment), say);
  const start = performance.now();
  const node = await startNode({ programs, tools, beforeControllers: installCrds });
  say(`node ready after ${((performance.now() - start) / 1000).toFixed(1)} s`);
  return { ...node, kubectl: programs.kubectl };
}
