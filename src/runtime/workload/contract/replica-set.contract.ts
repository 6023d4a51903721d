import { expect } from 'vitest';
import { podType, replicaSetType } from '../object/workload-kinds.ts';
import { templateFor, type WorkloadTopic, type WorkloadWorld } from './workload-world.contract.ts';

function make(world: WorkloadWorld, replicas: number, more: object = {}) {
  const { labels } = world;
  return world.create(replicaSetType, {
    replicas,
    selector: { matchLabels: labels },
    template: templateFor(labels),
    ...more,
  });
}

export const replicaSetStories: WorkloadTopic = {
  topic: 'ReplicaSets',
  stories: {
    'makes Pods that are its own, named after it, and tells of each': async world => {
      const made = await make(world, 2);
      const pods = await world.podsBecome(2);
      for (const pod of pods) {
        expect(pod.metadata.name).toMatch(new RegExp(`^${world.id}-[a-z0-9]{5}$`));
        expect(pod.metadata.generateName).toBe(`${world.id}-`);
        expect(pod.metadata.ownerReferences).toEqual([
          {
            apiVersion: 'apps/v1',
            kind: 'ReplicaSet',
            name: world.id,
            uid: made.metadata.uid,
            controller: true,
            blockOwnerDeletion: true,
          },
        ]);
      }
      await world.becomes(replicaSetType, ({ status }) =>
        expect(status).toEqual({
          replicas: 2,
          fullyLabeledReplicas: 2,
          terminatingReplicas: 0,
          observedGeneration: 1,
        }),
      );
      await world.until('both are told', async () => {
        const told = await world.told();
        return pods.every(pod => told.includes(`Normal SuccessfulCreate: Created pod: ${pod.metadata.name}`));
      });
    },

    'counts what is ready, and what is available after minReadySeconds': async world => {
      await make(world, 2, { minReadySeconds: 3 });
      await world.makeReady(...(await world.podsBecome(2)));
      const ready = await world.becomes(replicaSetType, ({ status }) => expect(status.readyReplicas).toBe(2));
      expect(ready.status.availableReplicas).toBeUndefined();
      await world.becomes(replicaSetType, ({ status }) => expect(status.availableReplicas).toBe(2));
    },

    'replaces a Pod that failed and one that was deleted': async world => {
      await make(world, 2);
      const [first, second] = await world.podsBecome(2);
      if (!first || !second) return;
      await world.finish(first, 1);
      await world.delete(second);
      await world.until('two new ones', async () => {
        const names = (await world.livePods()).filter(pod => pod.status?.phase === 'Pending');
        return names.length === 2 && names.every(pod => pod.metadata.uid !== second.metadata.uid);
      });
    },

    'gives up the Pods that do not serve first': async world => {
      await make(world, 4);
      const pods = await world.podsBecome(4);
      const serving = pods.slice(1, 3);
      await world.makeReady(...serving);
      await world.becomes(replicaSetType, ({ status }) => expect(status.readyReplicas).toBe(2));
      await world.patch(replicaSetType, { spec: { replicas: 2 } });
      const left = await world.podsBecome(2);
      expect(left.map(pod => pod.metadata.name).sort()).toEqual(serving.map(pod => pod.metadata.name).sort());
      await world.becomes(replicaSetType, ({ status }) =>
        expect(status).toMatchObject({ replicas: 2, readyReplicas: 2, observedGeneration: 2 }),
      );
    },

    'takes in an orphan that it selects, and lets go of a Pod that it does not select any more':
      async world => {
        const orphan = await world.create(podType, templateFor(world.labels).spec, {
          name: `${world.id}-orphan`,
          labels: world.labels,
        });
        const made = await make(world, 2);
        const pods = await world.podsBecome(2);
        await world.becomes(
          podType,
          ({ metadata }) => expect(metadata.ownerReferences?.[0]?.uid).toBe(made.metadata.uid),
          orphan.metadata.name,
        );
        expect(pods.map(pod => pod.metadata.uid)).toContain(orphan.metadata.uid);
        await world.patch(podType, { metadata: { labels: { story: null } } }, orphan.metadata.name);
        await world.becomes(
          podType,
          ({ metadata }) => expect(metadata.ownerReferences ?? []).toEqual([]),
          orphan.metadata.name,
        );
        await world.podsBecome(2);
      },

    'goes with its Pods': async world => {
      const made = await make(world, 2);
      await world.podsBecome(2);
      await world.delete(made);
      await world.gone(replicaSetType);
      await world.podsBecome(0);
    },
  },
};
