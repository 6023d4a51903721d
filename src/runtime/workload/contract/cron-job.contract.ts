import { expect } from 'vitest';
import { cronJobType, jobType } from '../object/workload-kinds.ts';
import {
  conditionsOf,
  type Shown,
  templateFor,
  type WorkloadTopic,
  type WorkloadWorld,
} from './workload-world.contract.ts';

function make(world: WorkloadWorld, more: object = {}) {
  const template = templateFor(world.labels, { restartPolicy: 'Never' });
  const jobTemplate = { metadata: { labels: world.labels }, spec: { template, backoffLimit: 0 } };
  return world.create(cronJobType, { schedule: '* * * * *', jobTemplate, ...more });
}

/** Goes on to the next minute; gives its number. */
async function nextMinute(world: WorkloadWorld): Promise<number> {
  const minute = Math.floor(world.given.now() / 60_000) + 1;
  await world.given.untilMinute(minute);
  return minute;
}

/** The Jobs of the story that are there, once there are so many. */
function jobsBecome(world: WorkloadWorld, number: number): Promise<readonly Shown[]> {
  return world.until(`${number} Jobs`, async () => {
    const jobs = (await world.list(jobType)).filter(job => job.metadata.deletionTimestamp === undefined);
    return jobs.length === number ? jobs : undefined;
  });
}

async function finishPods(world: WorkloadWorld, exitCode = 0): Promise<void> {
  await world.until('a Pod at work', async () => {
    const pods = (await world.livePods()).filter(pod => pod.status?.phase === 'Pending');
    for (const pod of pods) await world.finish(pod, exitCode);
    return pods.length > 0;
  });
}

function activeNames({ status }: Shown): string[] {
  return (status?.active ?? []).map(({ name }: { name: string }) => name).sort();
}

export const cronJobStories: WorkloadTopic = {
  topic: 'CronJobs',
  stories: {
    'makes a Job when it is due, named after the minute, and keeps account of it': async world => {
      const made = await make(world);
      const minute = await nextMinute(world);
      const name = `${world.id}-${minute}`;
      const job = await world.until('the Job', () => world.get(jobType, name).catch(() => undefined));
      const time = new Date(minute * 60_000).toISOString().replace('.000', '');
      expect(job.metadata.annotations).toMatchObject({
        'batch.kubernetes.io/cronjob-scheduled-timestamp': time,
      });
      expect(job.metadata.ownerReferences).toEqual([
        {
          apiVersion: 'batch/v1',
          kind: 'CronJob',
          name: world.id,
          uid: made.metadata.uid,
          controller: true,
          blockOwnerDeletion: true,
        },
      ]);
      const busy = await world.becomes(cronJobType, cronJob => expect(activeNames(cronJob)).toEqual([name]));
      expect(busy.status.lastScheduleTime).toBe(time);
      expect(busy.status.active[0]).toMatchObject({
        apiVersion: 'batch/v1',
        kind: 'Job',
        namespace: world.namespace,
        uid: job.metadata.uid,
      });
      await world.patch(cronJobType, { spec: { suspend: true } });
      await finishPods(world);
      const done = await world.becomes(
        jobType,
        one => expect(conditionsOf(one)).toContain('Complete True CompletionsReached'),
        name,
      );
      await world.becomes(cronJobType, cronJob => {
        expect(activeNames(cronJob)).toEqual([]);
        expect(cronJob.status.lastSuccessfulTime).toBe(done.status.completionTime);
      });
      await world.until('all is told', async () => {
        const told = await world.told();
        expect(told).toContain(`Normal SuccessfulCreate: Created job ${name}`);
        expect(told).toContain(`Normal SawCompletedJob: Saw completed job: ${name}, condition: Complete`);
        return true;
      });
    },

    'lets Jobs run side by side when it may': async world => {
      await make(world, { concurrencyPolicy: 'Allow' });
      await nextMinute(world);
      await jobsBecome(world, 1);
      await nextMinute(world);
      const jobs = await jobsBecome(world, 2);
      await world.becomes(cronJobType, cronJob =>
        expect(activeNames(cronJob)).toEqual(jobs.map(({ metadata }) => metadata.name).sort()),
      );
    },

    'waits for the Job before when it must, and then makes up for the last it missed': async world => {
      await make(world, { concurrencyPolicy: 'Forbid' });
      await nextMinute(world);
      const [first] = await jobsBecome(world, 1);
      const minute = await nextMinute(world);
      const refusal =
        'Normal JobAlreadyActive: Not starting job because prior execution is running and concurrency policy is Forbid';
      await world.until('it is told', async () => (await world.told()).includes(refusal));
      expect((await jobsBecome(world, 1))[0]?.metadata.uid).toBe(first?.metadata.uid);
      await finishPods(world);
      await world.until('the Job of that minute', () =>
        world.get(jobType, `${world.id}-${minute}`).catch(() => undefined),
      );
    },

    'ends the Job before in favour of the next when it is told so': async world => {
      await make(world, { concurrencyPolicy: 'Replace' });
      await nextMinute(world);
      const [first] = await jobsBecome(world, 1);
      const minute = await nextMinute(world);
      const name = `${world.id}-${minute}`;
      await world.becomes(cronJobType, cronJob => expect(activeNames(cronJob)).toEqual([name]));
      await world.gone(jobType, first?.metadata.name);
      await world.until('its Pods are gone', async () => (await world.livePods()).length === 1);
    },

    'makes no Jobs while it is suspended, and afterwards the last that was due': async world => {
      await make(world, { suspend: true });
      const minute = await nextMinute(world);
      expect(await world.list(jobType)).toEqual([]);
      await world.patch(cronJobType, { spec: { suspend: false } });
      const [job] = await jobsBecome(world, 1);
      expect(job?.metadata.name).toBe(`${world.id}-${minute}`);
    },

    'keeps as many finished Jobs as it is told': async world => {
      await make(world, { successfulJobsHistoryLimit: 0, failedJobsHistoryLimit: 1 });
      await nextMinute(world);
      const [good] = await jobsBecome(world, 1);
      await finishPods(world);
      await world.gone(jobType, good?.metadata.name);
      await nextMinute(world);
      const [bad] = await jobsBecome(world, 1);
      await world.patch(cronJobType, { spec: { suspend: true } });
      await finishPods(world, 1);
      await world.becomes(
        jobType,
        job => expect(conditionsOf(job)).toContain('Failed True BackoffLimitExceeded'),
        bad?.metadata.name,
      );
      await world.becomes(cronJobType, cronJob => expect(activeNames(cronJob)).toEqual([]));
      expect(await jobsBecome(world, 1)).toHaveLength(1);
    },

    'goes by the clocks of its time zone': async world => {
      const { hour, minute } = zoneTime(world.given.now() + 60_000);
      await make(world, { schedule: `${minute} ${hour} * * *`, timeZone: 'Asia/Kolkata' });
      const due = await nextMinute(world);
      const [job] = await jobsBecome(world, 1);
      expect(job?.metadata.name).toBe(`${world.id}-${due}`);
      expect(job?.metadata.annotations?.['batch.kubernetes.io/cronjob-scheduled-timestamp']).toMatch(
        /\+05:30$/,
      );
    },
  },
};

/** India is five and a half hours ahead all year. */
function zoneTime(time: number): { hour: number; minute: number } {
  const there = new Date(time + 5.5 * 3_600_000);
  return { hour: there.getUTCHours(), minute: there.getUTCMinutes() };
}
