import { existsSync } from 'node:fs';
import { apiCall } from './api-call.ts';
import { findPrograms, missingForPrograms } from './build/find-programs.ts';
import type { Programs } from './build/parts.ts';
import type { Say } from './build/progress.ts';
import { startControlPlane } from './control-plane.ts';
import { installCrds } from './install-crds.ts';
import { readAccess } from './kubeconfig.ts';
import { programOnPath } from './process/program-on-path.ts';

/** What a test knows about the cluster it runs against; our CRDs are in it. Plain data: it goes from vitest to its workers. */
export interface TestCluster {
  /** Path. */
  readonly kubeconfig: string;
  readonly kubectl: string;
  /**
   * There when control planes can be started here. Absent when the tests run against a cluster that somebody gave us:
   * a test that must kill an API server or etcd starts a control plane of its own, or is skipped.
   */
  readonly programs?: Programs;
}

export interface OpenTestCluster {
  readonly cluster: TestCluster;
  close(): Promise<void>;
}

/** The way out where a cluster of our own cannot be had. */
export const giveCluster = 'set AFLOAT_TEST_KUBECONFIG to the kubeconfig of a cluster for tests';

/** Why no cluster can be had here, as one line with the way out; undefined when one can. Cheap: builds nothing. */
export async function missingForTestCluster(
  environment: NodeJS.ProcessEnv = process.env,
): Promise<string | undefined> {
  const { AFLOAT_TEST_KUBECONFIG: given } = environment;
  if (!given) {
    const missing = await missingForPrograms(environment);
    return missing && `${missing}, or ${giveCluster}`;
  }
  if (!existsSync(given)) return `AFLOAT_TEST_KUBECONFIG names a file that is not there: ${given}`;
  return (await programOnPath('kubectl')) === undefined
    ? 'kubectl is missing: the tests use it on the cluster of AFLOAT_TEST_KUBECONFIG'
    : undefined;
}

/**
 * The cluster of AFLOAT_TEST_KUBECONFIG, else a new control plane of our own, whose programs are built first where
 * they are missing; with our CRDs. Throws what `missingForTestCluster` says.
 */
export async function openTestCluster(
  say: Say,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<OpenTestCluster> {
  const missing = await missingForTestCluster(environment);
  if (missing !== undefined) throw new Error(missing);
  const { AFLOAT_TEST_KUBECONFIG: given } = environment;
  return given ? useGiven(given, say) : startOwn(say, environment);
}

async function useGiven(kubeconfig: string, say: Say): Promise<OpenTestCluster> {
  say(`using the cluster of ${kubeconfig}: tests that kill an API server or etcd are skipped`);
  const kubectl = (await programOnPath('kubectl')) ?? 'kubectl';
  const remove = await installCrds(apiCall(await readAccess(kubeconfig)));
  return { cluster: { kubeconfig, kubectl }, close: remove };
}

async function startOwn(say: Say, environment: NodeJS.ProcessEnv): Promise<OpenTestCluster> {
  const programs = await findPrograms(say, environment);
  const start = performance.now();
  const { kubeconfig, stop } = await startControlPlane({ programs, beforeControllers: installCrds });
  say(`control plane ready after ${((performance.now() - start) / 1000).toFixed(1)} s`);
  return { cluster: { kubeconfig, kubectl: programs.kubectl, programs }, close: stop };
}
