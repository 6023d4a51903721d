import { expect } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import type { ClusterObject, StoredObject } from '../../cluster/cluster.ts';
import { podSpec, runForever, sh } from './manifests.contract.ts';
import type { RuntimeTopic } from './run-topics.contract.ts';
import { types } from './runtime-case.contract.ts';
import { statusOf, viewOf } from './views.contract.ts';

/** A CronJob of every minute. */
function cronJob(main: JsonObject, more: JsonObject = {}): ClusterObject {
  const template = { spec: podSpec(main, { restartPolicy: 'Never' }) };
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'every' },
    spec: { schedule: '* * * * *', jobTemplate: { spec: { template } }, ...more },
  };
}

/** The next minute, and a little time for a busy machine. */
const nextMinute = 90;

function activeOf(cron: StoredObject | undefined): readonly { readonly name: string }[] {
  return (cron && (statusOf(cron)['active'] as { name: string }[])) || [];
}

function isComplete(job: StoredObject): boolean {
  return (viewOf(job)['conditions'] as JsonObject)['Complete'] !== undefined;
}

export const cronJobCases: RuntimeTopic = {
  topic: 'CronJobs',
  cases: {
    'a Job is made each minute, named after it, and of those that are done the last few are kept':
      async run => {
        run.seen(types.Job);
        const made = await run.create(cronJob({ command: sh('exit 0') }, { successfulJobsHistoryLimit: 1 }));
        const first = await run.seesAll(types.Job, 'a Job', ([job]) => job, nextMinute);
        expect(first.metadata.name).toMatch(/^every-\d+$/);
        const minute = Number(first.metadata.name.replace('every-', ''));
        expect(Math.abs(minute * 60_000 - Date.parse(first.metadata.creationTimestamp))).toBeLessThan(30_000);
        expect(first.metadata.ownerReferences).toMatchObject([
          { kind: 'CronJob', name: 'every', controller: true },
        ]);
        expect(first.metadata.annotations).toMatchObject({
          'batch.kubernetes.io/cronjob-scheduled-timestamp': new Date(minute * 60_000)
            .toISOString()
            .replace('.000Z', 'Z'),
        });
        await run.sees(
          made,
          { lastScheduleTime: expect.any(String), lastSuccessfulTime: expect.any(String) },
          nextMinute,
        );
        const second = await run.seesAll(
          types.Job,
          'the second Job, alone',
          jobs =>
            jobs.length === 1 &&
            jobs[0]?.metadata.name !== first.metadata.name &&
            isComplete(jobs[0] ?? first) &&
            jobs[0],
          nextMinute,
        );
        expect(Number(second.metadata.name.replace('every-', ''))).toBe(minute + 1);
        await run.event(made, 'SuccessfulCreate');
        await run.event(made, 'SawCompletedJob');
      },
    'Forbid: no second Job while the first runs': async run => {
      const made = await run.create(cronJob({ command: runForever }, { concurrencyPolicy: 'Forbid' }));
      await run.sees(made, { active: [{ kind: 'Job' }] }, nextMinute);
      await run.event(made, 'JobAlreadyActive', nextMinute);
      expect(await run.now(types.Job)).toHaveLength(1);
    },
    'Allow: a second Job beside the first': async run => {
      const made = await run.create(cronJob({ command: runForever }));
      await run.sees(made, { active: [{ kind: 'Job' }] }, nextMinute);
      await run.sees(made, { active: [{ kind: 'Job' }, { kind: 'Job' }] }, nextMinute);
      expect(await run.now(types.Job)).toHaveLength(2);
    },
    'Replace: the first Job is deleted, and a second one made': async run => {
      const made = await run.create(cronJob({ command: runForever }, { concurrencyPolicy: 'Replace' }));
      const first = await run.seesAll(types.Job, 'a Job', ([job]) => job, nextMinute);
      await run.gone(first, nextMinute);
      await run.seesAll(types.Job, 'another Job', jobs => jobs.length === 1);
      await run.seesAll(made, 'one is active', ([cron]) => activeOf(cron).length === 1);
      await run.seesAll(types.Pod, 'one Pod', pods => pods.length === 1);
    },
    'suspended, it makes no Jobs; resumed, it does': async run => {
      const made = await run.create(cronJob({ command: sh('exit 0') }, { suspend: true }));
      // Over the next full minute, and a few seconds more.
      const pause = 60_000 - (Date.now() % 60_000) + 5_000;
      const none = await run.seen(types.Job).until(pause / 1000, () => run.seen(types.Job).all[0]);
      expect(none).toBeUndefined();
      await run.change(made, { spec: { suspend: false } });
      await run.seesAll(types.Job, 'a Job', jobs => jobs.length >= 1, nextMinute);
    },
    'a run that was missed is made up for, if it is not too late': async run => {
      // Suspended over a full minute it misses that run: the one has long patience, the other none.
      const late = await run.create(
        cronJob({ command: sh('exit 0') }, { suspend: true, startingDeadlineSeconds: 200 }),
      );
      const pause = 60_000 - (Date.now() % 60_000) + 3_000;
      await run.seen(types.Job).until(pause / 1000, () => run.seen(types.Job).all[0]);
      await run.change(late, { spec: { suspend: false } });
      const resumed = Date.now();
      const [job] = await run.seesAll(types.Job, 'the missed Job', jobs => jobs.length > 0 && jobs, 20);
      expect(Math.floor(resumed / 60_000)).toBe(Number(job?.metadata.name.replace('every-', '')));
    },
    'a run that was missed by more than its deadline is not made up for': async run => {
      const late = await run.create(
        cronJob({ command: sh('exit 0') }, { suspend: true, startingDeadlineSeconds: 10 }),
      );
      const pause = 60_000 - (Date.now() % 60_000) + 15_000;
      await run.seen(types.Job).until(pause / 1000, () => run.seen(types.Job).all[0]);
      await run.change(late, { spec: { suspend: false } });
      const next = await run.seesAll(types.Job, 'the next Job', ([job]) => job, nextMinute);
      const minute = Number(next.metadata.name.replace('every-', ''));
      expect(Math.floor(Date.now() / 60_000)).toBe(minute);
      expect(Date.parse(next.metadata.creationTimestamp) % 60_000).toBeLessThan(15_000);
    },
    'of Jobs that failed the last few are kept too': async run => {
      const made = await run.create(
        cronJob(
          { command: sh('exit 1') },
          {
            failedJobsHistoryLimit: 0,
            jobTemplate: {
              spec: {
                backoffLimit: 0,
                template: { spec: podSpec({ command: sh('exit 1') }, { restartPolicy: 'Never' }) },
              },
            },
          },
        ),
      );
      const first = await run.seesAll(types.Job, 'a Job', ([job]) => job, nextMinute);
      await run.gone(first);
      await run.event(made, 'SuccessfulDelete');
    },
    'deleted, its Jobs and their Pods go too': async run => {
      const made = await run.create(cronJob({ command: runForever }));
      await run.seesAll(types.Pod, 'a Pod', pods => pods.length === 1, nextMinute);
      await run.remove(made);
      await run.gone(made);
      await run.seesAll(types.Job, 'no Job', jobs => jobs.length === 0);
      await run.seesAll(types.Pod, 'no Pod', pods => pods.length === 0);
    },
  },
};
