import { expect } from 'vitest';
import type { Pod } from '../object/pod.ts';
import { claimType, podType, revisionType, statefulSetType } from '../object/workload-kinds.ts';
import {
  type Shown,
  templateFor,
  type WorkloadTopic,
  type WorkloadWorld,
} from './workload-world.contract.ts';

function make(world: WorkloadWorld, replicas: number, more: object = {}) {
  const { labels } = world;
  return world.create(statefulSetType, {
    replicas,
    serviceName: 'peers',
    selector: { matchLabels: labels },
    template: templateFor(labels),
    ...more,
  });
}

function changeImage(world: WorkloadWorld, image: string) {
  return world.patch(statefulSetType, { spec: { template: templateFor(world.labels, {}, image) } });
}

/** The live Pods by number and image: `0 app:1`. */
async function shown(world: WorkloadWorld): Promise<string[]> {
  return (await world.livePods()).map(numbered).sort();
}

function numbered({ metadata, spec }: Pod): string {
  return `${metadata.name.split('-').at(-1)} ${spec.containers[0]?.['image']}`;
}

/** Waits until the live Pods are exactly these. */
async function podsAre(world: WorkloadWorld, ...pods: readonly string[]): Promise<void> {
  await world.until(`Pods ${pods.join(', ')}`, async () => {
    expect(await shown(world)).toEqual(pods);
    return true;
  });
}

async function podNamed(world: WorkloadWorld, number: number): Promise<Pod> {
  return (await world.get(podType, `${world.id}-${number}`)) as StoredPod;
}

type StoredPod = Shown & Pod;

/** One Pod after the other serves, until the set is through. */
function completes(world: WorkloadWorld): Promise<Shown> {
  return world.until('all serve', async () => {
    const waiting = (await world.livePods()).filter(pod => pod.status?.phase === 'Pending');
    await world.makeReady(...waiting);
    const set = await world.get(statefulSetType);
    const { observedGeneration, replicas, readyReplicas, updatedReplicas } = set.status ?? {};
    const counts = [replicas, readyReplicas, updatedReplicas].map(count => count ?? 0);
    const isDone =
      observedGeneration === set.metadata.generation && counts.every(one => one === set.spec.replicas);
    return isDone ? set : undefined;
  });
}

const disk = {
  metadata: { name: 'disk' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};

async function claims(world: WorkloadWorld): Promise<string[]> {
  return (await world.list(claimType))
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map(({ metadata }) => metadata.name.slice(-1))
    .sort();
}

export const statefulSetStories: WorkloadTopic = {
  topic: 'StatefulSets',
  stories: {
    'makes one Pod after the other, each when the one before serves': async world => {
      const made = await make(world, 2);
      await podsAre(world, '0 app:1');
      const first = await podNamed(world, 0);
      const set = await world.becomes(statefulSetType, ({ status }) => expect(status?.replicas).toBe(1));
      const revision = set.status.currentRevision;
      expect(set.status).toEqual({
        observedGeneration: 1,
        replicas: 1,
        availableReplicas: 0,
        currentReplicas: 1,
        updatedReplicas: 1,
        currentRevision: revision,
        updateRevision: revision,
        collisionCount: 0,
      });
      expect(first.metadata.labels).toEqual({
        ...world.labels,
        'apps.kubernetes.io/pod-index': '0',
        'statefulset.kubernetes.io/pod-name': `${world.id}-0`,
        'controller-revision-hash': revision,
      });
      expect(first.spec['hostname']).toBe(`${world.id}-0`);
      expect(first.spec['subdomain']).toBe('peers');
      expect(first.metadata.ownerReferences).toEqual([
        {
          apiVersion: 'apps/v1',
          kind: 'StatefulSet',
          name: world.id,
          uid: made.metadata.uid,
          controller: true,
          blockOwnerDeletion: true,
        },
      ]);
      const [kept] = await world.list(revisionType);
      expect(kept).toMatchObject({ metadata: { name: revision }, revision: 1 });
      await world.makeReady(first);
      await podsAre(world, '0 app:1', '1 app:1');
      const through = await completes(world);
      expect(through.status).toMatchObject({
        replicas: 2,
        readyReplicas: 2,
        availableReplicas: 2,
        currentReplicas: 2,
      });
      expect(await world.told()).toContain(
        `Normal SuccessfulCreate: Create Pod ${world.id}-0 in StatefulSet ${world.id} successful`,
      );
    },

    'makes all at once and gives all up at once when it is parallel': async world => {
      await make(world, 3, { podManagementPolicy: 'Parallel' });
      await podsAre(world, '0 app:1', '1 app:1', '2 app:1');
      await world.patch(statefulSetType, { spec: { replicas: 1 } });
      await podsAre(world, '0 app:1');
    },

    'gives up the last first, and none while another does not serve': async world => {
      await make(world, 3);
      await completes(world);
      await world.makeUnready(await podNamed(world, 0));
      await world.becomes(statefulSetType, ({ status }) => expect(status.readyReplicas).toBe(2));
      await world.patch(statefulSetType, { spec: { replicas: 1 } });
      await world.becomes(statefulSetType, ({ status }) => expect(status.observedGeneration).toBe(2));
      expect(await shown(world)).toHaveLength(3);
      await world.makeReady(await podNamed(world, 0));
      await podsAre(world, '0 app:1');
      expect(await world.told()).toContain(
        `Normal SuccessfulDelete: Delete Pod ${world.id}-2 in StatefulSet ${world.id} successful`,
      );
    },

    'replaces its Pods from the last on, each when those above it serve': async world => {
      await make(world, 2);
      const before = await completes(world);
      await changeImage(world, 'app:2');
      await podsAre(world, '0 app:1', '1 app:2');
      const midway = await world.becomes(statefulSetType, ({ status }) =>
        expect(status).toMatchObject({ currentReplicas: 1, updatedReplicas: 1, readyReplicas: 1 }),
      );
      expect(midway.status.currentRevision).toBe(before.status.currentRevision);
      expect(midway.status.updateRevision).not.toBe(before.status.currentRevision);
      await world.makeReady(await podNamed(world, 1));
      await podsAre(world, '0 app:2', '1 app:2');
      const through = await completes(world);
      await world.becomes(statefulSetType, ({ status }) =>
        expect(status.currentRevision).toBe(through.status.updateRevision),
      );
    },

    'leaves the Pods below the partition as they are': async world => {
      await make(world, 3, { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } } });
      await completes(world);
      await changeImage(world, 'app:2');
      await podsAre(world, '0 app:1', '1 app:1', '2 app:2');
      await world.makeReady(await podNamed(world, 2));
      await world.becomes(statefulSetType, ({ status }) =>
        expect(status).toMatchObject({ readyReplicas: 3, currentReplicas: 2, updatedReplicas: 1 }),
      );
      await world.delete(await podNamed(world, 1));
      await world.until('it is made anew of the old template', async () => {
        const pod = await podNamed(world, 1);
        return pod.status?.phase === 'Pending' && numbered(pod) === '1 app:1';
      });
      await world.patch(statefulSetType, { spec: { updateStrategy: { rollingUpdate: { partition: 0 } } } });
      await completes(world);
      await podsAre(world, '0 app:2', '1 app:2', '2 app:2');
    },

    'replaces only what somebody deletes when it is told so': async world => {
      await make(world, 2, { updateStrategy: { type: 'OnDelete' } });
      await completes(world);
      await changeImage(world, 'app:2');
      await world.becomes(statefulSetType, ({ status }) => expect(status.observedGeneration).toBe(2));
      expect(await shown(world)).toEqual(['0 app:1', '1 app:1']);
      await world.delete(await podNamed(world, 0));
      await podsAre(world, '0 app:2', '1 app:1');
    },

    'makes a Pod that failed anew under the same name': async world => {
      await make(world, 1);
      await completes(world);
      const first = await podNamed(world, 0);
      await world.finish(first, 1);
      await world.until('a new one', async () => {
        const again = await podNamed(world, 0);
        return again.metadata.uid !== first.metadata.uid;
      });
    },

    'goes back to the revision of a template that it had before, under a new number': async world => {
      await make(world, 1);
      const first = (await completes(world)).status.updateRevision;
      await changeImage(world, 'app:2');
      await completes(world);
      await changeImage(world, 'app:1');
      await world.until('it is back', async () => {
        const set = await completes(world);
        return set.status.updateRevision === first && set.status.currentRevision === first;
      });
      const revisions = await world.list(revisionType);
      expect(revisions.map(one => one['revision']).sort()).toEqual([2, 3]);
      expect(revisions.find(({ metadata }) => metadata.name === first)?.['revision']).toBe(3);
    },

    'keeps as many old revisions as its history is long': async world => {
      await make(world, 1, { revisionHistoryLimit: 1 });
      await completes(world);
      for (const image of ['app:2', 'app:3', 'app:4']) {
        await changeImage(world, image);
        await completes(world);
      }
      await world.until('two revisions', async () => {
        const numbers = (await world.list(revisionType)).map(one => one['revision']);
        return numbers.sort().join() === '3,4';
      });
    },

    'makes claims for volumes, which stay when Pods go': async world => {
      const made = await make(world, 2, { volumeClaimTemplates: [disk], podManagementPolicy: 'Parallel' });
      await podsAre(world, '0 app:1', '1 app:1');
      const claim = await world.get(claimType, `disk-${world.id}-0`);
      expect(claim.metadata.labels).toEqual(world.labels);
      expect(claim.metadata.ownerReferences).toBeUndefined();
      const pod = await podNamed(world, 0);
      expect(pod.spec['volumes']).toContainEqual({
        name: 'disk',
        persistentVolumeClaim: { claimName: `disk-${world.id}-0` },
      });
      await world.patch(statefulSetType, { spec: { replicas: 1 } });
      await podsAre(world, '0 app:1');
      expect(await claims(world)).toEqual(['0', '1']);
      await world.delete(made);
      await podsAre(world);
      expect(await claims(world)).toEqual(['0', '1']);
    },

    'removes claims with what they belong to when it is told so': async world => {
      const made = await make(world, 2, {
        volumeClaimTemplates: [disk],
        podManagementPolicy: 'Parallel',
        persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete', whenDeleted: 'Delete' },
      });
      await podsAre(world, '0 app:1', '1 app:1');
      await world.becomes(
        claimType,
        ({ metadata }) =>
          expect(metadata.ownerReferences).toMatchObject([{ kind: 'StatefulSet', uid: made.metadata.uid }]),
        `disk-${world.id}-1`,
      );
      await world.makeReady(...(await world.livePods()));
      await world.patch(statefulSetType, { spec: { replicas: 1 } });
      await podsAre(world, '0 app:1');
      await world.until('one claim', async () => (await claims(world)).join() === '0');
      await world.delete(made);
      await world.until('no claims', async () => (await claims(world)).length === 0);
    },

    'begins to count where it is told': async world => {
      await make(world, 2, { ordinals: { start: 5 }, podManagementPolicy: 'Parallel' });
      await podsAre(world, '5 app:1', '6 app:1');
    },
  },
};
