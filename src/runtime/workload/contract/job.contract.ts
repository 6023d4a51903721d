import { expect } from 'vitest';
import { jobType, podType } from '../object/workload-kinds.ts';
import { atWork, finishAll, makeJob } from './job-steps.contract.ts';
import { conditionsOf, type WorkloadTopic } from './workload-world.contract.ts';

const tracking = 'batch.kubernetes.io/job-tracking';

export const jobStories: WorkloadTopic = {
  topic: 'Jobs',
  stories: {
    'runs one Pod and is complete when that has succeeded': async world => {
      const made = await makeJob(world);
      const { uid } = made.metadata;
      const [pod] = await atWork(world, 1);
      if (!pod) return;
      expect(pod.metadata.name).toMatch(new RegExp(`^${world.id}-[a-z0-9]{5}$`));
      expect(pod.metadata.finalizers).toEqual([tracking]);
      expect(pod.metadata.labels).toEqual({
        ...world.labels,
        'batch.kubernetes.io/controller-uid': uid,
        'batch.kubernetes.io/job-name': world.id,
        'controller-uid': uid,
        'job-name': world.id,
      });
      await world.makeReady(pod);
      const running = await world.becomes(jobType, ({ status }) =>
        expect(status).toMatchObject({ active: 1, ready: 1, terminating: 0 }),
      );
      expect(running.status.startTime).toBeDefined();
      await world.finish(pod);
      const done = await world.becomes(jobType, job =>
        expect(conditionsOf(job)).toEqual([
          'Complete True CompletionsReached',
          'SuccessCriteriaMet True CompletionsReached',
        ]),
      );
      const { startTime, completionTime, conditions: _, ...counts } = done.status;
      expect(counts).toEqual({ succeeded: 1, ready: 0, terminating: 0, uncountedTerminatedPods: {} });
      expect(completionTime >= startTime).toBe(true);
      await world.becomes(
        podType,
        ({ metadata }) => expect(metadata.finalizers).toBeUndefined(),
        pod.metadata.name,
      );
      await world.until('it is told', async () =>
        (await world.told()).includes('Normal Completed: Job completed'),
      );
      expect(await world.told()).toContain(`Normal SuccessfulCreate: Created pod: ${pod.metadata.name}`);
    },

    'runs as many side by side as it may, until enough have succeeded': async world => {
      await makeJob(world, { parallelism: 2, completions: 3 });
      const [first] = await atWork(world, 2);
      if (!first) return;
      await world.finish(first);
      await world.becomes(jobType, ({ status }) => expect(status).toMatchObject({ active: 2, succeeded: 1 }));
      await finishAll(world, 2);
      await world.becomes(jobType, job => {
        expect(job.status.succeeded).toBe(3);
        expect(conditionsOf(job)).toContain('Complete True CompletionsReached');
      });
      expect(await world.pods()).toHaveLength(3);
    },

    'fails when more Pods have failed than it allows': async world => {
      await makeJob(world, { backoffLimit: 0 });
      await finishAll(world, 1, 3);
      const failed = await world.becomes(jobType, job =>
        expect(conditionsOf(job)).toEqual([
          'Failed True BackoffLimitExceeded',
          'FailureTarget True BackoffLimitExceeded',
        ]),
      );
      expect(failed.status).toMatchObject({ failed: 1, ready: 0, terminating: 0 });
      expect(failed.status.completionTime).toBeUndefined();
      expect(await world.pods()).toHaveLength(1);
      await world.until('it is told', async () =>
        (await world.told()).includes(
          'Warning BackoffLimitExceeded: Job has reached the specified backoff limit',
        ),
      );
    },

    'tries again after a failure, but not at once': async world => {
      await makeJob(world, { backoffLimit: 2 });
      await finishAll(world, 1, 1);
      const counted = await world.becomes(jobType, ({ status }) => expect(status.failed).toBe(1));
      expect(counted.status.active).toBeUndefined();
      const [again] = await atWork(world, 1);
      const [first] = (await world.pods()).filter(pod => pod.status?.phase === 'Failed');
      const waited =
        Date.parse(again?.metadata.creationTimestamp ?? '') -
        Date.parse(first?.metadata.creationTimestamp ?? '');
      expect(waited).toBeGreaterThanOrEqual(9000);
      await finishAll(world, 1);
      await world.becomes(jobType, job => {
        expect(job.status).toMatchObject({ failed: 1, succeeded: 1 });
        expect(conditionsOf(job)).toContain('Complete True CompletionsReached');
      });
    },

    'ends its Pods and fails when it took too long': async world => {
      await makeJob(world, { activeDeadlineSeconds: 2, parallelism: 2, completions: 2 });
      await world.makeReady(...(await atWork(world, 2)));
      const failed = await world.becomes(jobType, job =>
        expect(conditionsOf(job)).toEqual([
          'Failed True DeadlineExceeded',
          'FailureTarget True DeadlineExceeded',
        ]),
      );
      expect(failed.status).toMatchObject({ failed: 2, ready: 0, terminating: 0 });
      expect(failed.status.active).toBeUndefined();
      expect(await world.pods()).toHaveLength(0);
    },

    'has no Pods while it is suspended, and begins anew when it goes on': async world => {
      await makeJob(world, { suspend: true });
      const suspended = await world.becomes(jobType, job =>
        expect(conditionsOf(job)).toEqual(['Suspended True JobSuspended']),
      );
      expect(suspended.status.startTime).toBeUndefined();
      expect(await world.pods()).toEqual([]);
      await world.patch(jobType, { spec: { suspend: false } });
      const [pod] = await atWork(world, 1);
      if (!pod) return;
      const resumed = await world.becomes(jobType, job => {
        expect(conditionsOf(job)).toEqual(['Suspended False JobResumed']);
        expect(job.status.active).toBe(1);
      });
      expect(resumed.status.startTime).toBeDefined();
      await world.makeReady(pod);
      await world.patch(jobType, { spec: { suspend: true } });
      await world.podsBecome(0);
      const again = await world.becomes(jobType, job => {
        expect(conditionsOf(job)).toEqual(['Suspended True JobSuspended']);
        expect(job.status.active).toBeUndefined();
      });
      expect(again.status.failed).toBeUndefined();
      expect(again.status.startTime).toBeUndefined();
    },

    'goes some time after it has finished, and its Pods with it': async world => {
      await makeJob(world, { ttlSecondsAfterFinished: 1 });
      await finishAll(world, 1);
      await world.gone(jobType);
      await world.podsBecome(0);
    },

    'lets its Pods go when it is deleted': async world => {
      const made = await makeJob(world);
      await atWork(world, 1);
      await world.delete(made);
      await world.until('all is gone', async () => (await world.pods()).length === 0);
    },

    'counts a Pod that was deleted as failed, and makes another': async world => {
      await makeJob(world, { backoffLimit: 5 });
      const [pod] = await atWork(world, 1);
      if (!pod) return;
      await world.delete(pod);
      await world.becomes(jobType, ({ status }) => expect(status).toMatchObject({ failed: 1 }));
      await atWork(world, 1);
    },

    'runs Pods until one succeeds when no number is asked for': async world => {
      await makeJob(world, { parallelism: 2 });
      const [first] = await atWork(world, 2);
      if (!first) return;
      await world.finish(first);
      const rest = await world.becomes(jobType, ({ status }) =>
        expect(status).toMatchObject({ active: 1, succeeded: 1 }),
      );
      expect(rest.status.completionTime).toBeUndefined();
      await finishAll(world, 1);
      await world.becomes(jobType, job => {
        expect(job.status.succeeded).toBe(2);
        expect(conditionsOf(job)).toContain('Complete True CompletionsReached');
      });
    },

    'fails when its Pods were restarted too often where they are': async world => {
      await makeJob(world, { backoffLimit: 2 }, { restartPolicy: 'OnFailure' });
      const [pod] = await atWork(world, 1);
      if (!pod) return;
      await world.setPod(pod, {
        phase: 'Running',
        containerStatuses: [{ name: 'app', ready: false, restartCount: 2, image: 'app:1', imageID: '' }],
      });
      const failed = await world.becomes(jobType, job =>
        expect(conditionsOf(job)).toContain('Failed True BackoffLimitExceeded'),
      );
      expect(failed.status.failed).toBe(1);
      await world.podsBecome(0);
    },
  },
};
