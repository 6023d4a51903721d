import { expect } from 'vitest';
import { deploymentType, replicaSetType } from '../object/workload-kinds.ts';
import {
  conditionsOf,
  type Shown,
  templateFor,
  type WorkloadTopic,
  type WorkloadWorld,
} from './workload-world.contract.ts';

const revision = 'deployment.kubernetes.io/revision';

function make(world: WorkloadWorld, replicas: number, more: object = {}) {
  const { labels } = world;
  return world.create(deploymentType, {
    replicas,
    selector: { matchLabels: labels },
    template: templateFor(labels),
    ...more,
  });
}

function rolling(maxSurge: number | string, maxUnavailable: number | string) {
  return { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } } };
}

/** Another image, and with it another template. */
function changeImage(world: WorkloadWorld, image: string) {
  return world.patch(deploymentType, { spec: { template: templateFor(world.labels, {}, image) } });
}

function imageOf({ spec }: Shown): string {
  return spec.template.spec.containers[0].image;
}

/** The ReplicaSet of an image, once it is as the check says. */
function replicaSetOf(world: WorkloadWorld, image: string, check: (replicaSet: Shown) => void = () => {}) {
  return world.until(`the ReplicaSet of ${image}`, async () => {
    const found = (await world.list(replicaSetType)).find(one => imageOf(one) === image);
    if (found) check(found);
    return found;
  });
}

/** The live Pods of an image. */
async function podsOf(world: WorkloadWorld, image: string, number: number) {
  const replicaSet = await replicaSetOf(world, image);
  return world.podsBecome(number, `,pod-template-hash=${replicaSet.metadata.labels?.['pod-template-hash']}`);
}

/** Everything that runs serves, again and again, until the Deployment says it is through. */
async function completes(world: WorkloadWorld): Promise<Shown> {
  return world.until('the rollout is through', async () => {
    const waiting = (await world.livePods()).filter(pod => pod.status?.phase === 'Pending');
    await world.makeReady(...waiting);
    const deployment = await world.get(deploymentType);
    const { observedGeneration, replicas, updatedReplicas, availableReplicas } = deployment.status ?? {};
    const wanted = deployment.spec.replicas;
    return observedGeneration === deployment.metadata.generation &&
      [replicas, updatedReplicas, availableReplicas].every(count => (count ?? 0) === wanted) &&
      conditionsOf(deployment).includes('Progressing True NewReplicaSetAvailable')
      ? deployment
      : undefined;
  });
}

export const deploymentStories: WorkloadTopic = {
  topic: 'Deployments',
  stories: {
    'makes a ReplicaSet of its template, and is through when its Pods serve': async world => {
      const made = await make(world, 2);
      const replicaSet = await replicaSetOf(world, 'app:1');
      const hash = replicaSet.metadata.labels?.['pod-template-hash'];
      expect(replicaSet.metadata.name).toBe(`${world.id}-${hash}`);
      expect(replicaSet.spec.selector.matchLabels).toEqual({ ...world.labels, 'pod-template-hash': hash });
      expect(replicaSet.spec.template.metadata.labels).toEqual({
        ...world.labels,
        'pod-template-hash': hash,
      });
      expect(replicaSet.metadata.annotations).toEqual({
        [revision]: '1',
        'deployment.kubernetes.io/desired-replicas': '2',
        'deployment.kubernetes.io/max-replicas': '3',
      });
      expect(replicaSet.metadata.ownerReferences).toEqual([
        {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          name: world.id,
          uid: made.metadata.uid,
          controller: true,
          blockOwnerDeletion: true,
        },
      ]);
      await world.becomes(deploymentType, deployment => {
        expect(deployment.status).toMatchObject({
          observedGeneration: 1,
          replicas: 2,
          updatedReplicas: 2,
          unavailableReplicas: 2,
          terminatingReplicas: 0,
        });
        expect(conditionsOf(deployment)).toEqual([
          'Available False MinimumReplicasUnavailable',
          'Progressing True ReplicaSetUpdated',
        ]);
      });
      const through = await completes(world);
      expect(through.metadata.annotations?.[revision]).toBe('1');
      expect(through.status).toMatchObject({ replicas: 2, readyReplicas: 2, availableReplicas: 2 });
      expect(through.status.unavailableReplicas).toBeUndefined();
      expect(conditionsOf(through)).toEqual([
        'Available True MinimumReplicasAvailable',
        'Progressing True NewReplicaSetAvailable',
      ]);
      expect(await world.told()).toContain(
        `Normal ScalingReplicaSet: Scaled up replica set ${replicaSet.metadata.name} from 0 to 2`,
      );
    },

    'rolls one Pod at a time when one may be above and none missing': async world => {
      await make(world, 2, rolling(1, 0));
      await completes(world);
      await changeImage(world, 'app:2');
      for (const [ready, old] of [
        [1, 2],
        [2, 1],
      ] as const) {
        const fresh = await podsOf(world, 'app:2', ready);
        await podsOf(world, 'app:1', old);
        const counted = await world.becomes(deploymentType, ({ status }) =>
          expect(status).toMatchObject({ replicas: 3, updatedReplicas: ready, readyReplicas: 2 }),
        );
        expect(counted.status.unavailableReplicas).toBe(1);
        await world.makeReady(...fresh);
      }
      await podsOf(world, 'app:1', 0);
      const through = await completes(world);
      expect(through.metadata.annotations?.[revision]).toBe('2');
      const old = await replicaSetOf(world, 'app:1', one => expect(one.status.replicas).toBe(0));
      expect(old.spec.replicas).toBe(0);
    },

    'takes parts of a whole, up for what is above and down for what may be missing': async world => {
      await make(world, 5, rolling('30%', '30%'));
      await completes(world);
      await changeImage(world, 'app:2');
      await podsOf(world, 'app:1', 4);
      await podsOf(world, 'app:2', 3);
      const replicaSet = await replicaSetOf(world, 'app:2');
      expect(replicaSet.metadata.annotations?.['deployment.kubernetes.io/max-replicas']).toBe('7');
      await completes(world);
    },

    'goes back to the ReplicaSet of a template that it had before': async world => {
      await make(world, 1);
      await completes(world);
      const first = await replicaSetOf(world, 'app:1');
      await changeImage(world, 'app:2');
      await completes(world);
      await changeImage(world, 'app:1');
      const through = await completes(world);
      expect(through.metadata.annotations?.[revision]).toBe('3');
      const again = await replicaSetOf(world, 'app:1');
      expect(again.metadata.uid).toBe(first.metadata.uid);
      expect(again.metadata.annotations).toMatchObject({
        [revision]: '3',
        'deployment.kubernetes.io/revision-history': '1',
      });
      expect(await world.list(replicaSetType)).toHaveLength(2);
    },

    'does not roll while it is paused, but changes its size': async world => {
      await make(world, 1);
      await completes(world);
      await world.patch(deploymentType, {
        spec: { paused: true, replicas: 2, template: templateFor(world.labels, {}, 'app:2') },
      });
      await podsOf(world, 'app:1', 2);
      await world.becomes(deploymentType, deployment => {
        expect(conditionsOf(deployment)).toContain('Progressing Unknown DeploymentPaused');
        expect(deployment.status).toMatchObject({ observedGeneration: 2, replicas: 2 });
        expect(deployment.status.updatedReplicas).toBeUndefined();
      });
      expect(await world.list(replicaSetType)).toHaveLength(1);
      await world.patch(deploymentType, { spec: { paused: false } });
      const through = await completes(world);
      expect(through.metadata.annotations?.[revision]).toBe('2');
    },

    'says when it has been stuck for too long, and stays as it is': async world => {
      await make(world, 2, { ...rolling(1, 0), progressDeadlineSeconds: 3 });
      await completes(world);
      await changeImage(world, 'app:bad');
      await podsOf(world, 'app:bad', 1);
      const stuck = await world.becomes(deploymentType, deployment =>
        expect(conditionsOf(deployment)).toEqual([
          'Available True MinimumReplicasAvailable',
          'Progressing False ProgressDeadlineExceeded',
        ]),
      );
      expect(stuck.status).toMatchObject({ replicas: 3, updatedReplicas: 1, availableReplicas: 2 });
      await podsOf(world, 'app:1', 2);
      await changeImage(world, 'app:1');
      await completes(world);
      await podsOf(world, 'app:bad', 0);
    },

    'ends everything old before anything new begins when it is recreated': async world => {
      await make(world, 2, { strategy: { type: 'Recreate' } });
      await completes(world);
      await changeImage(world, 'app:2');
      const fresh = await podsOf(world, 'app:2', 2);
      expect(await podsOf(world, 'app:1', 0)).toEqual([]);
      const [old, current] = [await replicaSetOf(world, 'app:1'), await replicaSetOf(world, 'app:2')];
      expect(old.spec.replicas).toBe(0);
      expect(current.spec.replicas).toBe(2);
      await world.makeReady(...fresh);
      await completes(world);
    },

    'keeps as many old ReplicaSets as its history is long': async world => {
      await make(world, 1, { revisionHistoryLimit: 1 });
      await completes(world);
      for (const image of ['app:2', 'app:3']) {
        await changeImage(world, image);
        await completes(world);
      }
      await world.until('the oldest is gone', async () => {
        const images = (await world.list(replicaSetType)).map(imageOf).sort();
        return images.join() === 'app:2,app:3';
      });
    },

    'shares out another size among its ReplicaSets in the midst of a rollout': async world => {
      await make(world, 10, rolling(3, 2));
      await completes(world);
      await changeImage(world, 'app:bad');
      await podsOf(world, 'app:1', 8);
      await podsOf(world, 'app:bad', 5);
      await world.patch(deploymentType, { spec: { replicas: 15 } });
      await podsOf(world, 'app:1', 11);
      await podsOf(world, 'app:bad', 7);
      await completes(world);
    },

    'counts on a Pod only after minReadySeconds': async world => {
      await make(world, 1, { ...rolling(1, 0), minReadySeconds: 2 });
      const [pod] = await world.podsBecome(1);
      if (!pod) return;
      await world.makeReady(pod);
      const ready = await world.becomes(deploymentType, ({ status }) => expect(status.readyReplicas).toBe(1));
      expect(ready.status.availableReplicas).toBeUndefined();
      expect(conditionsOf(ready)).toContain('Available False MinimumReplicasUnavailable');
      await completes(world);
    },

    'is through at once when nothing is wanted, and hands its annotations on': async world => {
      await world.create(
        deploymentType,
        { replicas: 0, selector: { matchLabels: world.labels }, template: templateFor(world.labels) },
        { annotations: { note: 'x' } },
      );
      const through = await world.becomes(deploymentType, deployment =>
        expect(conditionsOf(deployment)).toEqual([
          'Available True MinimumReplicasAvailable',
          'Progressing True NewReplicaSetAvailable',
        ]),
      );
      expect(through.status.replicas).toBeUndefined();
      expect((await replicaSetOf(world, 'app:1')).metadata.annotations?.['note']).toBe('x');
    },

    'goes with everything it made': async world => {
      const made = await make(world, 2);
      await world.podsBecome(2);
      await world.delete(made);
      await world.until('all is gone', async () => {
        const left = [...(await world.list(replicaSetType)), ...(await world.pods())];
        return left.length === 0;
      });
    },
  },
};
