import { expect } from 'vitest';
import type { Pod } from '../object/pod.ts';
import { jobType } from '../object/workload-kinds.ts';
import { atWork, finishAll, makeJob } from './job-steps.contract.ts';
import { conditionsOf, type WorkloadTopic } from './workload-world.contract.ts';

const index = 'batch.kubernetes.io/job-completion-index';

export const jobPolicyStories: WorkloadTopic = {
  topic: 'Job policies',
  stories: {
    'does each of its parts once when it is indexed': async world => {
      await makeJob(world, { completionMode: 'Indexed', completions: 4, parallelism: 4 });
      const pods = await atWork(world, 4);
      const byIndex = pods.toSorted((a, b) => a.metadata.name.localeCompare(b.metadata.name));
      expect(byIndex.map(pod => pod.metadata.annotations?.[index])).toEqual(['0', '1', '2', '3']);
      for (const [number, pod] of byIndex.entries()) {
        expect(pod.metadata.labels?.[index]).toBe(String(number));
        expect(pod.metadata.name).toMatch(new RegExp(`^${world.id}-${number}-[a-z0-9]{5}$`));
        expect(pod.spec['hostname']).toBe(`${world.id}-${number}`);
        expect(pod.spec.containers[0]?.['env']).toEqual([
          {
            name: 'JOB_COMPLETION_INDEX',
            valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: `metadata.labels['${index}']` } },
          },
        ]);
      }
      for (const number of [0, 1, 3]) await world.finish(byIndex[number] ?? (pods[0] as never));
      await world.becomes(jobType, ({ status }) =>
        expect(status).toMatchObject({ active: 1, succeeded: 3, completedIndexes: '0,1,3' }),
      );
      await finishAll(world, 1);
      await world.becomes(jobType, job => {
        expect(job.status).toMatchObject({ succeeded: 4, completedIndexes: '0-3' });
        expect(conditionsOf(job)).toContain('Complete True CompletionsReached');
      });
    },

    'fails at once, or does not mind, as its policy for failures says': async world => {
      const rules = [
        { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
        { action: 'FailJob', onExitCodes: { operator: 'In', values: [42] } },
      ];
      await makeJob(world, { podFailurePolicy: { rules }, backoffLimit: 0 });
      const [pod] = await atWork(world, 1);
      if (!pod) return;
      await world.setPod(pod, {
        phase: 'Failed',
        conditions: [
          { type: 'DisruptionTarget', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' },
        ],
      });
      const [next] = await world.until('another one', async () => {
        const others = (await world.pods()).filter(one => one.metadata.uid !== pod.metadata.uid);
        return others.length === 1 ? others : undefined;
      });
      if (!next) return;
      expect((await world.get(jobType)).status.failed).toBeUndefined();
      await world.finish(next, 42);
      const failed = await world.becomes(jobType, job =>
        expect(conditionsOf(job)).toEqual([
          'Failed True PodFailurePolicy',
          'FailureTarget True PodFailurePolicy',
        ]),
      );
      const { message } = failed.status.conditions.find(({ type }: { type: string }) => type === 'Failed');
      const place = `${world.namespace}/${next.metadata.name}`;
      expect(message).toBe(
        `Container app for pod ${place} failed with exit code 42 matching FailJob rule at index 1`,
      );
    },

    'is done when its policy for success is met, and ends the rest': async world => {
      await makeJob(world, {
        completionMode: 'Indexed',
        completions: 3,
        parallelism: 3,
        successPolicy: { rules: [{ succeededIndexes: '1-2', succeededCount: 1 }] },
      });
      const pods = await atWork(world, 3);
      const second = pods.find(pod => pod.metadata.annotations?.[index] === '1');
      if (!second) return;
      await world.finish(second);
      const done = await world.becomes(jobType, job =>
        expect(conditionsOf(job)).toEqual([
          'Complete True SuccessPolicy',
          'SuccessCriteriaMet True SuccessPolicy',
        ]),
      );
      expect(done.status).toMatchObject({ succeeded: 1, completedIndexes: '1', terminating: 0 });
      expect(done.status.failed).toBeUndefined();
      await world.podsBecome(1);
    },

    'gives each of its parts failures of its own to spend': async world => {
      await makeJob(world, {
        completionMode: 'Indexed',
        completions: 2,
        parallelism: 2,
        backoffLimit: 100,
        backoffLimitPerIndex: 1,
      });
      const failures = 'batch.kubernetes.io/job-index-failure-count';
      const pods = await atWork(world, 2);
      const part = (all: readonly Pod[], number: string) =>
        all.find(pod => pod.metadata.annotations?.[index] === number);
      const [first, second] = [part(pods, '0'), part(pods, '1')];
      if (!first || !second) return expect(pods).toHaveLength(2);
      expect(first.metadata.annotations?.[failures]).toBe('0');
      await world.finish(first, 1);
      await world.finish(second);
      const [again] = await atWork(world, 1);
      if (!again) return;
      expect(again.metadata.annotations).toMatchObject({ [index]: '0', [failures]: '1' });
      await world.finish(again, 1);
      const failed = await world.becomes(jobType, job =>
        expect(conditionsOf(job)).toEqual(['Failed True FailedIndexes', 'FailureTarget True FailedIndexes']),
      );
      expect(failed.status).toMatchObject({
        failed: 2,
        succeeded: 1,
        completedIndexes: '1',
        failedIndexes: '0',
      });
    },

    'fails when more of its parts have failed than may': async world => {
      await makeJob(world, {
        completionMode: 'Indexed',
        completions: 3,
        parallelism: 2,
        backoffLimit: 100,
        backoffLimitPerIndex: 5,
        maxFailedIndexes: 0,
        podFailurePolicy: { rules: [{ action: 'FailIndex', onExitCodes: { operator: 'In', values: [42] } }] },
      });
      const [first] = await atWork(world, 2);
      if (!first) return;
      await world.finish(first, 42);
      const failed = await world.becomes(jobType, job =>
        expect(conditionsOf(job)).toContain('Failed True MaxFailedIndexesExceeded'),
      );
      expect(failed.status).toMatchObject({ failed: 2, failedIndexes: first.metadata.annotations?.[index] });
    },
  },
};
