import { expect } from 'vitest';
import { daemonSetType, revisionType } from '../object/workload-kinds.ts';
import { templateFor, type WorkloadTopic, type WorkloadWorld } from './workload-world.contract.ts';

function make(world: WorkloadWorld, more: object = {}) {
  const { labels } = world;
  const template = templateFor(labels, { nodeSelector: labels });
  return world.create(daemonSetType, { selector: { matchLabels: labels }, template, ...more });
}

function changeImage(world: WorkloadWorld, image: string) {
  const template = templateFor(world.labels, { nodeSelector: world.labels }, image);
  return world.patch(daemonSetType, { spec: { template } });
}

/** Waits until the only live Pod is of this image. */
function podIs(world: WorkloadWorld, image: string) {
  return world.until(`one Pod of ${image}`, async () => {
    const pods = await world.livePods();
    const [pod] = pods;
    return pods.length === 1 && pod?.spec.containers[0]?.['image'] === image ? pod : undefined;
  });
}

export const daemonSetStories: WorkloadTopic = {
  topic: 'DaemonSets',
  stories: {
    'makes one Pod for a node, meant for that node': world =>
      world.withNode(async node => {
        const made = await make(world);
        const pod = await podIs(world, 'app:1');
        expect(pod.spec['affinity']).toEqual({
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [
                { matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] },
              ],
            },
          },
        });
        expect(pod.spec['tolerations']).toContainEqual({
          key: 'node.kubernetes.io/not-ready',
          operator: 'Exists',
          effect: 'NoExecute',
        });
        expect(pod.metadata.ownerReferences?.[0]?.uid).toBe(made.metadata.uid);
        const [revision] = await world.list(revisionType);
        const hash = pod.metadata.labels?.['controller-revision-hash'];
        expect(revision?.metadata.name).toBe(`${world.id}-${hash}`);
        expect(revision?.metadata.labels?.['controller-revision-hash']).toBe(hash);
        await world.becomes(daemonSetType, ({ status }) =>
          expect(status).toEqual({
            observedGeneration: 1,
            currentNumberScheduled: 1,
            desiredNumberScheduled: 1,
            numberMisscheduled: 0,
            numberReady: 0,
            numberUnavailable: 1,
            updatedNumberScheduled: 1,
          }),
        );
        await world.makeReady(pod);
        await world.becomes(daemonSetType, ({ status }) =>
          expect(status).toMatchObject({ numberReady: 1, numberAvailable: 1, updatedNumberScheduled: 1 }),
        );
      }),

    'has nothing to do where no node fits': async world => {
      await make(world);
      const set = await world.becomes(daemonSetType, ({ status }) =>
        expect(status.observedGeneration).toBe(1),
      );
      expect(set.status).toMatchObject({ desiredNumberScheduled: 0, currentNumberScheduled: 0 });
      expect(await world.pods()).toEqual([]);
    },

    'gives up the old Pod before it makes the new one': world =>
      world.withNode(async () => {
        await make(world);
        await world.makeReady(await podIs(world, 'app:1'));
        await world.becomes(daemonSetType, ({ status }) => expect(status.numberAvailable).toBe(1));
        await changeImage(world, 'app:2');
        const fresh = await podIs(world, 'app:2');
        await world.makeReady(fresh);
        await world.becomes(daemonSetType, ({ status }) =>
          expect(status).toMatchObject({
            observedGeneration: 2,
            numberAvailable: 1,
            updatedNumberScheduled: 1,
          }),
        );
        const revisions = await world.list(revisionType);
        expect(revisions.map(one => one['revision']).sort()).toEqual([1, 2]);
      }),

    'makes the new Pod beside the old one when it may': world =>
      world.withNode(async () => {
        const rollingUpdate = { maxSurge: 1, maxUnavailable: 0 };
        await make(world, { updateStrategy: { type: 'RollingUpdate', rollingUpdate } });
        await world.makeReady(await podIs(world, 'app:1'));
        await world.becomes(daemonSetType, ({ status }) => expect(status.numberAvailable).toBe(1));
        await changeImage(world, 'app:2');
        const pods = await world.podsBecome(2);
        const fresh = pods.find(pod => pod.spec.containers[0]?.['image'] === 'app:2');
        if (!fresh) return expect(fresh).toBeDefined();
        await world.makeReady(fresh);
        expect((await podIs(world, 'app:2')).metadata.uid).toBe(fresh.metadata.uid);
      }),

    'replaces only what somebody deletes when it is told so': world =>
      world.withNode(async () => {
        await make(world, { updateStrategy: { type: 'OnDelete' } });
        const old = await podIs(world, 'app:1');
        await changeImage(world, 'app:2');
        await world.becomes(daemonSetType, ({ status }) => {
          expect(status.observedGeneration).toBe(2);
          expect(status.updatedNumberScheduled).toBeUndefined();
        });
        expect((await podIs(world, 'app:1')).metadata.uid).toBe(old.metadata.uid);
        await world.delete(old);
        await podIs(world, 'app:2');
      }),

    'makes a Pod that failed anew': world =>
      world.withNode(async () => {
        await make(world);
        const first = await podIs(world, 'app:1');
        await world.finish(first, 1);
        await world.until('another one', async () => {
          const pods = await world.livePods();
          return pods.length === 1 && pods[0]?.metadata.uid !== first.metadata.uid;
        });
        await world.until('it is told', async () =>
          (await world.told()).some(line =>
            line.startsWith('Warning FailedDaemonPod: Found failed daemon pod'),
          ),
        );
      }),
  },
};
