import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { systemClock } from '../../cluster/clock.ts';
import type { Cluster, StoredObject } from '../../cluster/cluster.ts';
import { ClusterError } from '../../cluster/cluster-error.ts';
import { EmbeddedCluster } from '../../cluster/embedded/embedded-cluster.ts';
import { Reconciling } from '../../reconcile/reconcile.ts';
import { templateFor } from './contract/workload-world.contract.ts';
import type { Job } from './job/job.ts';
import { isTrue } from './object/conditions.ts';
import { isActive, type Pod, phaseOf } from './object/pod.ts';
import { deploymentType, jobType, podType, statefulSetType } from './object/workload-kinds.ts';
import { workloadControllers } from './workload-controllers.ts';

/** On a busy machine. */
const lawTimeout = 120_000;

const namespace = 'default';
/** How many of each are asked for. */
const size = 4;

/** The same cluster, but only so many writes reach it: after that this manager is as good as dead. */
function mortal(cluster: Cluster, writes: number, onDeath: () => void): Cluster {
  let left = writes;
  const spend = <T>(write: () => Promise<T>): Promise<T> => {
    left -= 1;
    if (left === 0) onDeath();
    return left >= 0 ? write() : Promise.reject(new ClusterError('Unreachable', 'this manager is dead'));
  };
  return {
    get: ref => cluster.get(ref),
    list: (type, options) => cluster.list(type, options),
    watch: (type, options) => cluster.watch(type, options),
    create: (object, options) => spend(() => cluster.create(object, options)),
    update: (object, options) => spend(() => cluster.update(object, options)),
    updateStatus: (object, options) => spend(() => cluster.updateStatus(object, options)),
    patch: (ref, patch, options) => spend(() => cluster.patch(ref, patch, options)),
    delete: (ref, options) => spend(() => cluster.delete(ref, options)),
    as: account => cluster.as(account),
  };
}

/** Runs the controllers until their writes are spent or what they are to bring about is so. */
async function live(cluster: Cluster, writes: number, isSo: () => Promise<boolean>): Promise<void> {
  const stop = new AbortController();
  const reconciling = new Reconciling(
    mortal(cluster, writes, () => stop.abort()),
    { signal: stop.signal },
  );
  const controllers = workloadControllers(reconciling, systemClock);
  await reconciling.start();
  for (const controller of controllers) reconciling.run(controller);
  while (!stop.signal.aborted) {
    if (await isSo()) stop.abort();
    await systemClock.sleep(10, stop.signal);
  }
  await reconciling.ended();
}

async function pods(cluster: Cluster, app: string): Promise<readonly Pod[]> {
  const { items } = await cluster.list(podType, { namespace, labelSelector: `app=${app}` });
  return items as readonly StoredObject[] as readonly Pod[];
}

async function ask(cluster: Cluster): Promise<void> {
  const workload = (app: string) => ({
    replicas: size,
    selector: { matchLabels: { app } },
    template: templateFor({ app }),
  });
  const object = (name: string) => ({ metadata: { name, namespace } });
  await cluster.create({ ...deploymentType, ...object('web'), spec: workload('web') });
  const peers = { ...workload('peers'), serviceName: 'peers', podManagementPolicy: 'Parallel' };
  await cluster.create({ ...statefulSetType, ...object('peers'), spec: peers });
  const template = templateFor({ app: 'work' }, { restartPolicy: 'Never' });
  const work = { parallelism: size, completions: size, template };
  await cluster.create({ ...jobType, ...object('work'), spec: work });
}

async function finishWork(cluster: Cluster): Promise<void> {
  for (const { metadata } of (await pods(cluster, 'work')).filter(isActive)) {
    const ref = { ...podType, namespace, name: metadata.name };
    await cluster.patch(
      ref,
      { type: 'merge', value: { status: { phase: 'Succeeded' } } },
      { subresource: 'status' },
    );
  }
}

test(
  'managers that die after any number of writes make no Pod twice, and the last one finishes',
  async () => {
    const lives = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 2, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(lives, async story => {
        const folder = mkdtempSync(join(tmpdir(), 'afloat-restarts-'));
        const cluster = await EmbeddedCluster.open(folder);
        try {
          await ask(cluster);
          const apps = ['web', 'peers', 'work'];
          const allAreThere = async () => {
            const counts = await Promise.all(apps.map(async app => (await pods(cluster, app)).length));
            for (const count of counts) expect(count).toBeLessThanOrEqual(size);
            return counts.every(count => count === size);
          };
          for (const writes of [...story, Number.POSITIVE_INFINITY]) await live(cluster, writes, allAreThere);
          await finishWork(cluster);
          const isComplete = async () => {
            const { status } = (await cluster.get({ ...jobType, namespace, name: 'work' })) as Job;
            expect(status?.succeeded ?? 0).toBeLessThanOrEqual(size);
            return isTrue(status?.conditions, 'Complete') && status?.succeeded === size;
          };
          for (const writes of [...story, Number.POSITIVE_INFINITY]) await live(cluster, writes, isComplete);
          expect(await allAreThere()).toBe(true);
          expect((await pods(cluster, 'work')).filter(pod => phaseOf(pod) === 'Succeeded')).toHaveLength(
            size,
          );
        } finally {
          await cluster.close();
          rmSync(folder, { recursive: true, force: true });
        }
      }),
      { numRuns: 5 },
    );
  },
  lawTimeout,
);
