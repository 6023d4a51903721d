import { expect } from 'vitest';
import type { Pod } from '../object/pod.ts';
import { deploymentType, jobType, replicaSetType, statefulSetType } from '../object/workload-kinds.ts';
import {
  conditionsOf,
  templateFor,
  type WorkloadTopic,
  type WorkloadWorld,
} from './workload-world.contract.ts';

function workload(world: WorkloadWorld, nodeName: string, more: object = {}, image = 'app:1') {
  const { labels } = world;
  return { selector: { matchLabels: labels }, template: templateFor(labels, { nodeName }, image), ...more };
}

/** The node says that a Pod has ended. */
function ended(world: WorkloadWorld, pod: Pod) {
  return world.delete(pod, { gracePeriodSeconds: 0 });
}

async function endingPods(world: WorkloadWorld, number: number): Promise<readonly Pod[]> {
  return world.until(`${number} Pods are ending`, async () => {
    const pods = (await world.pods()).filter(pod => pod.metadata.deletionTimestamp !== undefined);
    return pods.length === number ? pods : undefined;
  });
}

export const graceStories: WorkloadTopic = {
  topic: 'Grace',
  stories: {
    'a ReplicaSet replaces a Pod that is ending, and counts it apart': world =>
      world.withNode(async node => {
        await world.create(replicaSetType, workload(world, node, { replicas: 2 }));
        const [first] = await world.podsBecome(2);
        if (!first) return;
        await world.delete(first);
        await world.podsBecome(2);
        await endingPods(world, 1);
        await world.becomes(replicaSetType, ({ status }) =>
          expect(status).toMatchObject({ replicas: 2, terminatingReplicas: 1 }),
        );
        await ended(world, first);
        await world.becomes(replicaSetType, ({ status }) => expect(status.terminatingReplicas).toBe(0));
      }),

    'a Deployment that is recreated waits for the last of its old Pods': world =>
      world.withNode(async node => {
        const strategy = { type: 'Recreate' };
        await world.create(deploymentType, workload(world, node, { replicas: 1, strategy }));
        const [old] = await world.podsBecome(1);
        if (!old) return;
        await world.makeReady(old);
        await world.becomes(deploymentType, ({ status }) => expect(status.availableReplicas).toBe(1));
        await world.patch(deploymentType, {
          spec: { template: templateFor(world.labels, { nodeName: node }, 'app:2') },
        });
        await endingPods(world, 1);
        await world.becomes(deploymentType, ({ status }) =>
          expect(status).toMatchObject({ observedGeneration: 2, terminatingReplicas: 1 }),
        );
        expect(await world.list(replicaSetType)).toHaveLength(1);
        await ended(world, old);
        const [fresh] = await world.podsBecome(1);
        expect(fresh?.spec.containers[0]?.['image']).toBe('app:2');
      }),

    'a StatefulSet does not make a Pod anew before the old one has ended': world =>
      world.withNode(async node => {
        await world.create(statefulSetType, workload(world, node, { replicas: 1, serviceName: 'peers' }));
        const [old] = await world.podsBecome(1);
        if (!old) return;
        await world.makeReady(old);
        await world.delete(old);
        await world.becomes(statefulSetType, ({ status }) => {
          expect(status.replicas).toBe(1);
          expect(status.currentReplicas).toBeUndefined();
        });
        expect(await world.pods()).toHaveLength(1);
        await ended(world, old);
        const [fresh] = await world.podsBecome(1);
        expect(fresh?.metadata.uid).not.toBe(old.metadata.uid);
        expect(fresh?.metadata.name).toBe(old.metadata.name);
      }),

    'a Job that replaces only failed Pods waits for the end of one that is ending': world =>
      world.withNode(async nodeName => {
        const template = templateFor(world.labels, { restartPolicy: 'Never', nodeName });
        await world.create(jobType, { template, podReplacementPolicy: 'Failed', backoffLimit: 3 });
        const [pod] = await world.podsBecome(1);
        if (!pod) return;
        await world.makeReady(pod);
        await world.delete(pod);
        const waiting = await world.becomes(jobType, ({ status }) =>
          expect(status).toMatchObject({ terminating: 1, ready: 0 }),
        );
        expect(waiting.status.failed).toBeUndefined();
        await world.finish(pod, 1);
        await world.becomes(jobType, ({ status }) =>
          expect(status).toMatchObject({ failed: 1, terminating: 0 }),
        );
        await world.podsBecome(1);
      }),

    'a Job has failed only when its last Pod has ended': world =>
      world.withNode(async nodeName => {
        const template = templateFor(world.labels, { restartPolicy: 'Never', nodeName });
        await world.create(jobType, { template, activeDeadlineSeconds: 3 });
        const [pod] = await world.podsBecome(1);
        if (!pod) return;
        const ending = await world.becomes(jobType, job => {
          expect(conditionsOf(job)).toEqual(['FailureTarget True DeadlineExceeded']);
          expect(job.status).toMatchObject({ terminating: 1, failed: 1 });
        });
        expect(ending.status.active).toBeUndefined();
        await ended(world, pod);
        await world.becomes(jobType, job =>
          expect(conditionsOf(job)).toContain('Failed True DeadlineExceeded'),
        );
      }),
  },
};
