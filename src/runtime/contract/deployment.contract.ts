import { expect } from 'vitest';
import type { StoredObject } from '../../cluster/cluster.ts';
import { neverReady, runForever, template, workload } from './manifests.contract.ts';
import { extremes } from './pods-at-once.contract.ts';
import type { RuntimeTopic } from './run-topics.contract.ts';
import { types } from './runtime-case.contract.ts';
import { viewOf } from './views.contract.ts';

const available = { Available: 'True MinimumReplicasAvailable', Progressing: 'True NewReplicaSetAvailable' };
const forever = { command: runForever };
const revision = 'deployment.kubernetes.io/revision';

/** All so many replicas are there, of the newest template, and nothing else is going on. */
function settled(replicas: number): object {
  return {
    isCurrent: true,
    replicas,
    updatedReplicas: replicas,
    readyReplicas: replicas,
    availableReplicas: replicas,
    unavailableReplicas: 0,
    conditions: available,
  };
}

/** The same program in a template that differs by a word. */
function version(word: string, name = 'web') {
  return { template: template(name, { ...forever, env: [{ name: 'VERSION', value: word }] }) };
}

/** The ReplicaSets, by revision, with how many Pods they shall have. */
function revisions(sets: readonly StoredObject[]): Record<string, number> {
  return Object.fromEntries(
    sets.map(set => [set.metadata.annotations?.[revision], (set['spec'] as { replicas: number }).replicas]),
  );
}

export const deploymentCases: RuntimeTopic = {
  topic: 'Deployments',
  cases: {
    'a Deployment makes a ReplicaSet, which makes Pods, and becomes available': async run => {
      run.seen(types.ReplicaSet);
      const made = await run.create(workload('Deployment', 'web', forever, { replicas: 2 }));
      await run.sees(made, {
        isCurrent: true,
        conditions: { Available: 'False MinimumReplicasUnavailable' },
      });
      const up = await run.sees(made, settled(2));
      expect(up.metadata.annotations?.[revision]).toBe('1');
      const [set, ...others] = await run.now(types.ReplicaSet);
      expect(others).toEqual([]);
      const hash = set?.metadata.labels?.['pod-template-hash'] ?? '';
      expect(set?.metadata.name).toBe(`web-${hash}`);
      expect(set && viewOf(set)).toMatchObject({ replicas: 2, readyReplicas: 2, availableReplicas: 2 });
      for (const pod of await run.now(types.Pod)) {
        expect(pod.metadata.name).toMatch(new RegExp(`^web-${hash}-[a-z0-9]{5}$`));
        expect(pod.metadata.labels).toEqual({ app: 'web', 'pod-template-hash': hash });
        expect(pod.metadata.ownerReferences).toMatchObject([
          { kind: 'ReplicaSet', name: set?.metadata.name },
        ]);
      }
      await run.event(made, 'ScalingReplicaSet');
    },
    'scaled up and down, it follows, with the same ReplicaSet': async run => {
      const made = await run.create(workload('Deployment', 'web', forever, { replicas: 1 }));
      await run.sees(made, settled(1));
      await run.change(made, { spec: { replicas: 3 } });
      await run.sees(made, settled(3));
      await run.change(made, { spec: { replicas: 0 } });
      await run.sees(made, settled(0));
      await run.seesAll(types.Pod, 'no Pod is left', pods => pods.length === 0);
      expect(await run.now(types.ReplicaSet)).toHaveLength(1);
    },
    'a rolling update never has too many or too few Pods': async run => {
      run.seen(types.ReplicaSet);
      const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
      const made = await run.create(
        workload('Deployment', 'web', forever, { replicas: 3, strategy, ...version('old') }),
      );
      await run.sees(made, settled(3));
      const from = run.seen(types.Pod).all.length;
      await run.change(made, { spec: version('new') });
      await run.sees(made, { isCurrent: true, conditions: { Progressing: 'True ReplicaSetUpdated' } });
      const done = await run.sees(made, settled(3));
      expect(done.metadata.annotations?.[revision]).toBe('2');
      await run.seesAll(types.Pod, 'only the new Pods', pods => pods.length === 3);
      expect(revisions(await run.now(types.ReplicaSet))).toEqual({ 1: 0, 2: 3 });
      const { most, least } = extremes(run.seen(types.Pod).all, from);
      expect(most, 'three and one more').toBe(4);
      expect(least, 'ready all the time').toBe(3);
    },
    'an update whose Pods never become ready is stuck: ProgressDeadlineExceeded, and the old ones serve':
      async run => {
        run.seen(types.ReplicaSet);
        const more = { replicas: 2, progressDeadlineSeconds: 5, ...version('old') };
        const made = await run.create(workload('Deployment', 'web', forever, more));
        await run.sees(made, settled(2));
        await run.change(made, { spec: { template: template('web', neverReady) } });
        await run.sees(made, {
          isCurrent: true,
          updatedReplicas: 1,
          availableReplicas: 2,
          unavailableReplicas: 1,
          conditions: {
            Available: 'True MinimumReplicasAvailable',
            Progressing: 'False ProgressDeadlineExceeded',
          },
        });
        expect(revisions(await run.now(types.ReplicaSet))).toEqual({ 1: 2, 2: 1 });
        // Back to the template before: the ReplicaSet that is there is used again, as the newest revision.
        await run.change(made, { spec: version('old') });
        const back = await run.sees(made, settled(2));
        expect(back.metadata.annotations?.[revision]).toBe('3');
        await run.seesAll(types.ReplicaSet, 'two ReplicaSets', sets => {
          return JSON.stringify(revisions(sets)) === JSON.stringify({ 2: 0, 3: 2 });
        });
      },
    'a Deployment that never comes up exceeds its deadline': async run => {
      const more = { replicas: 1, progressDeadlineSeconds: 4 };
      const made = await run.create(workload('Deployment', 'web', neverReady, more));
      await run.sees(made, { isCurrent: true, conditions: { Progressing: 'True ReplicaSetUpdated' } });
      await run.sees(made, {
        replicas: 1,
        updatedReplicas: 1,
        readyReplicas: 0,
        unavailableReplicas: 1,
        conditions: {
          Available: 'False MinimumReplicasUnavailable',
          Progressing: 'False ProgressDeadlineExceeded',
        },
      });
    },
    'paused, a new template waits; resumed, it is rolled out': async run => {
      const made = await run.create(
        workload('Deployment', 'web', forever, { replicas: 1, ...version('old') }),
      );
      await run.sees(made, settled(1));
      await run.change(made, { spec: { paused: true } });
      await run.sees(made, { isCurrent: true, conditions: { Progressing: 'Unknown DeploymentPaused' } });
      await run.change(made, { spec: { ...version('new'), replicas: 2 } });
      // Scaling goes on while it is paused, with the old template.
      await run.sees(made, { isCurrent: true, replicas: 2, updatedReplicas: 0, availableReplicas: 2 });
      expect(await run.now(types.ReplicaSet)).toHaveLength(1);
      await run.change(made, { spec: { paused: false } });
      await run.sees(made, { conditions: { Progressing: 'Unknown DeploymentResumed' } });
      await run.sees(made, settled(2));
      await run.seesAll(types.ReplicaSet, 'two ReplicaSets', sets => sets.length === 2);
    },
    'of old ReplicaSets only so many are kept as the history limit says': async run => {
      run.seen(types.ReplicaSet);
      const more = { replicas: 1, revisionHistoryLimit: 1, ...version('1') };
      const made = await run.create(workload('Deployment', 'web', forever, more));
      await run.sees(made, settled(1));
      for (const word of ['2', '3', '4']) {
        await run.change(made, { spec: version(word) });
        await run.sees(made, settled(1));
      }
      await run.seesAll(types.ReplicaSet, 'two ReplicaSets', sets => sets.length === 2);
      expect(revisions(await run.now(types.ReplicaSet))).toEqual({ 3: 0, 4: 1 });
    },
    'Recreate: all old Pods are gone before the first new one is there': async run => {
      const more = { replicas: 2, strategy: { type: 'Recreate' }, ...version('old') };
      const made = await run.create(workload('Deployment', 'web', forever, more));
      await run.sees(made, settled(2));
      const from = run.seen(types.Pod).all.length;
      await run.change(made, { spec: version('new') });
      await run.sees(made, settled(2));
      const { most, least } = extremes(run.seen(types.Pod).all, from);
      expect(most).toBe(2);
      expect(least).toBe(0);
    },
    'minReadySeconds: ready first, available later': async run => {
      const made = await run.create(
        workload('Deployment', 'web', forever, { replicas: 1, minReadySeconds: 8 }),
      );
      await run.sees(made, { readyReplicas: 1, availableReplicas: 0, unavailableReplicas: 1 });
      await run.sees(made, settled(1));
    },
    'deleted, its ReplicaSets and Pods go too': async run => {
      const made = await run.create(workload('Deployment', 'web', forever, { replicas: 2 }));
      await run.sees(made, settled(2));
      await run.remove(made);
      await run.gone(made);
      await run.seesAll(types.Pod, 'no Pod is left', pods => pods.length === 0);
      await run.seesAll(types.ReplicaSet, 'no ReplicaSet is left', sets => sets.length === 0);
    },
  },
};
