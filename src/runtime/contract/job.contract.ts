import { expect } from 'vitest';
import { container, job, rest, runForever, sh } from './manifests.contract.ts';
import { mostAtOnce } from './pods-at-once.contract.ts';
import type { RuntimeTopic } from './run-topics.contract.ts';
import { types } from './runtime-case.contract.ts';
import { podView, statusOf } from './views.contract.ts';

const complete = { SuccessCriteriaMet: 'True CompletionsReached', Complete: 'True CompletionsReached' };

function failed(reason: string): object {
  return { FailureTarget: `True ${reason}`, Failed: `True ${reason}` };
}

/** Runs until it is told to end. */
const forever = { command: runForever };

export const jobCases: RuntimeTopic = {
  topic: 'Jobs',
  cases: {
    'a Job whose Pod succeeds is complete': async run => {
      const made = await run.create(job('one', { command: sh('echo done') }));
      await run.sees(made, { active: 1, ready: 0, succeeded: 0, failed: 0, terminating: 0, conditions: {} });
      const done = await run.sees(made, {
        active: 0,
        ready: 0,
        succeeded: 1,
        failed: 0,
        terminating: 0,
        uncountedTerminatedPods: {},
        startTime: expect.any(String),
        completionTime: expect.any(String),
        conditions: complete,
      });
      expect(done.metadata.labels).toEqual(made.metadata.labels);
      const [pod] = await run.now(types.Pod);
      expect(pod?.metadata.name).toMatch(/^one-[a-z0-9]{5}$/);
      expect(pod?.metadata.ownerReferences).toMatchObject([
        { apiVersion: 'batch/v1', kind: 'Job', name: 'one', controller: true, blockOwnerDeletion: true },
      ]);
      expect(pod?.metadata.labels).toEqual({
        'batch.kubernetes.io/controller-uid': made.metadata.uid,
        'batch.kubernetes.io/job-name': 'one',
        'controller-uid': made.metadata.uid,
        'job-name': 'one',
      });
      expect(pod?.metadata.finalizers).toBeUndefined();
      await run.event(made, 'SuccessfulCreate');
      await run.event(made, 'Completed');
    },
    'a Job that runs says how many are active and ready': async run => {
      const made = await run.create(job('one', forever));
      await run.sees(made, { active: 1, ready: 1, succeeded: 0, conditions: {} });
    },
    'never more Pods at once than its parallelism, and as many successes as its completions': async run => {
      const made = await run.create(
        job('one', { command: sh('sleep 1') }, { completions: 5, parallelism: 2 }),
      );
      await run.sees(made, { active: 2 });
      await run.sees(made, { active: 0, succeeded: 5, failed: 0, conditions: complete });
      expect(mostAtOnce(run.seen(types.Pod).all)).toBe(2);
      expect(await run.now(types.Pod)).toHaveLength(5);
    },
    'an indexed Job gives each Pod its number': async run => {
      const command = sh('test "$JOB_COMPLETION_INDEX" -lt 3 && hostname');
      const made = await run.create(
        job('one', { command }, { completions: 3, parallelism: 3, completionMode: 'Indexed' }),
      );
      await run.sees(made, { succeeded: 3, completedIndexes: '0-2', conditions: complete });
      const pods = await run.now(types.Pod);
      const indexes = pods.map(pod => pod.metadata.annotations?.['batch.kubernetes.io/job-completion-index']);
      expect(indexes.sort()).toEqual(['0', '1', '2']);
      for (const pod of pods) {
        const index = pod.metadata.labels?.['batch.kubernetes.io/job-completion-index'];
        expect(pod.metadata.name).toMatch(new RegExp(`^one-${index}-[a-z0-9]{5}$`));
        expect(await run.logs(pod.metadata.name)).toBe(`one-${index}\n`);
      }
    },
    'a Job gives up when more Pods failed than its back-off limit': async run => {
      const made = await run.create(job('one', { command: sh('exit 1') }, { backoffLimit: 1 }));
      await run.sees(made, { failed: 1, conditions: {} });
      await run.sees(made, {
        active: 0,
        ready: 0,
        succeeded: 0,
        failed: 2,
        conditions: failed('BackoffLimitExceeded'),
      });
      expect(statusOf((await run.now(types.Job))[0] ?? made)['completionTime']).toBeUndefined();
      await run.event(made, 'BackoffLimitExceeded');
      const pods = await run.now(types.Pod);
      expect(pods.map(pod => podView(pod)['phase'])).toEqual(['Failed', 'Failed']);
      const [first = 0, second = 0] = pods.map(pod => Date.parse(pod.metadata.creationTimestamp)).sort();
      expect(second - first, 'it waits 10 s before it tries again').toBeGreaterThanOrEqual(9_000);
    },
    'a Job with back-off limit 0 fails with its first Pod': async run => {
      const made = await run.create(job('one', { command: sh('exit 1') }, { backoffLimit: 0 }));
      await run.sees(made, { failed: 1, conditions: failed('BackoffLimitExceeded') });
    },
    'a Job that takes longer than its active deadline fails, and its Pods are ended': async run => {
      const made = await run.create(job('one', forever, { activeDeadlineSeconds: 3 }));
      await run.sees(made, { active: 1 });
      await run.sees(made, { conditions: { FailureTarget: 'True DeadlineExceeded' } });
      await run.sees(made, { active: 0, ready: 0, failed: 1, conditions: failed('DeadlineExceeded') });
      await run.event(made, 'DeadlineExceeded');
      await run.seesAll(types.Pod, 'no Pod is left', pods => pods.length === 0);
    },
    'a Job is deleted, with its Pods, a while after it is finished': async run => {
      const made = await run.create(job('one', { command: sh('exit 0') }, { ttlSecondsAfterFinished: 2 }));
      await run.sees(made, { conditions: complete });
      await run.gone(made);
      await run.seesAll(types.Pod, 'no Pod is left', pods => pods.length === 0);
    },
    'a suspended Job has no Pods; resumed it runs, suspended again its Pods are ended': async run => {
      const made = await run.create(job('one', forever, { suspend: true }));
      await run.sees(made, { active: 0, conditions: { Suspended: 'True JobSuspended' } });
      expect(run.seen(types.Pod).all).toEqual([]);
      await run.change(made, { spec: { suspend: false } });
      await run.sees(made, { active: 1, conditions: { Suspended: 'False JobResumed' } });
      await run.seesAll(types.Pod, 'a Pod runs', ([pod]) => pod && podView(pod)['phase'] === 'Running');
      await run.change(made, { spec: { suspend: true } });
      await run.sees(made, {
        active: 0,
        ready: 0,
        failed: 0,
        conditions: { Suspended: 'True JobSuspended' },
      });
      await run.seesAll(types.Pod, 'no Pod is left', pods => pods.length === 0);
      await run.event(made, 'Suspended');
      await run.event(made, 'Resumed');
    },
    'with restart policy OnFailure the container is tried again in its Pod': async run => {
      const pods = {
        restartPolicy: 'OnFailure',
        containers: [
          container({
            command: sh('test -e /v/tried && exit 0', 'touch /v/tried; exit 1'),
            volumeMounts: [{ name: 'v', mountPath: '/v' }],
          }),
        ],
        volumes: [{ name: 'v', emptyDir: {} }],
      };
      const made = await run.create(job('one', {}, {}, pods));
      await run.sees(made, { succeeded: 1, failed: 0, conditions: complete });
      const [pod, ...others] = await run.now(types.Pod);
      expect(others).toEqual([]);
      expect(pod && podView(pod)).toMatchObject({ containers: { main: { restarts: 1 } } });
    },
    'with restart policy OnFailure restarts count towards the back-off limit': async run => {
      const made = await run.create(
        job('one', { command: sh('exit 1') }, { backoffLimit: 1 }, { restartPolicy: 'OnFailure' }),
      );
      await run.sees(made, { active: 0, failed: 1, conditions: failed('BackoffLimitExceeded') });
      await run.seesAll(types.Pod, 'no Pod is left', pods => pods.length === 0);
    },
    'a failure policy fails the Job at an exit code, and ignores another': async run => {
      const rules = [
        { action: 'FailJob', onExitCodes: { operator: 'In', values: [42] } },
        { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
      ];
      const made = await run.create(
        job('one', { command: sh('exit 42') }, { backoffLimit: 6, podFailurePolicy: { rules } }),
      );
      await run.sees(made, { active: 0, failed: 1, conditions: failed('PodFailurePolicy') });
      await run.event(made, 'PodFailurePolicy');
    },
    'a deleted Pod of a Job is replaced': async run => {
      // One that ends well in time is a success, if its end is seen before its deletion.
      const made = await run.create(job('one', { command: sh('trap "exit 1" TERM', rest) }));
      await run.sees(made, { active: 1, ready: 1 });
      const [first] = await run.now(types.Pod);
      if (!first) throw new Error('no Pod');
      await run.remove(first);
      await run.gone(first);
      await run.sees(made, { active: 1, ready: 1, failed: 1 }); // a Pod that is taken away has failed
      expect((await run.now(types.Pod)).map(pod => pod.metadata.name)).not.toContain(first.metadata.name);
    },
    'deleting a Job in the background deletes its Pods': async run => {
      const made = await run.create(job('one', forever));
      await run.sees(made, { ready: 1 });
      await run.cluster.delete(run.ref(made), { propagation: 'Background' });
      await run.gone(made);
      await run.seesAll(types.Pod, 'no Pod is left', pods => pods.length === 0);
    },
  },
};
