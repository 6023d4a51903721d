import { expect } from 'vitest';
import { type DriverCases, untilTold } from './driver-case.contract.ts';

const never = { exec: { command: ['false'] }, periodSeconds: 1 };

export const workloadCases: DriverCases = {
  'a Deployment is done when all replicas are available, stays so when applied again, and goes':
    async run => {
      const web = run.workload('Deployment', 'web', run.runs(untilTold), { replicas: 2 });
      expect(await run.observe(web)).toMatchObject({ state: 'absent' });
      await run.becomes(web, 'done', 'RolledOut');
      const [before] = await run.all('apps/v1', 'Deployment');
      await run.apply(web);
      expect(await run.observe(web)).toMatchObject({ state: 'done' });
      const [after] = await run.all('apps/v1', 'Deployment');
      expect(after?.metadata.generation).toBe(before?.metadata.generation);
      await run.removed(web);
      expect(await run.all('v1', 'Pod')).toEqual([]);
    },
  'a Deployment with a new content is not done before the new Pods serve and no old one is left':
    async run => {
      const web = (word: string) =>
        run.workload('Deployment', 'web', {
          ...run.runs(untilTold),
          env: [{ name: 'WORD', value: word }],
        });
      await run.becomes(web('old'), 'done');
      await run.apply(web('new'));
      expect(await run.observe(web('new'))).toMatchObject({ state: 'progressing' });
      await run.until(web('new'), 'done');
      const alive = (await run.all('v1', 'Pod')).filter(pod => pod.metadata.deletionTimestamp === undefined);
      expect(alive.map(pod => JSON.stringify(pod['spec']).includes('"new"'))).toEqual([true]);
    },
  'a Deployment that never gets ready is in progress': async run => {
    const web = run.workload('Deployment', 'web', { ...run.runs(untilTold), readinessProbe: never });
    await run.apply(web);
    const runs = await run.eventually(
      'its Pod runs',
      () => run.observe(web),
      ({ message }) => message.includes('is not ready yet'),
    );
    expect(runs).toMatchObject({ state: 'progressing', reason: 'RollingOut' });
  },
  'a Deployment that makes no progress before its own deadline has failed': async run => {
    const web = run.workload(
      'Deployment',
      'web',
      { ...run.runs(untilTold), readinessProbe: never },
      { progressDeadlineSeconds: 3 },
    );
    await run.becomes(web, 'failed', 'ProgressDeadlineExceeded');
  },
  'a Deployment that crashes again and again is stuck, with container, exit code and log': async run => {
    // With a probe: without one a node takes a container for ready as long as it runs.
    const crashes = { ...run.runs('echo no database', 'exit 7'), readinessProbe: never };
    const web = run.workload('Deployment', 'web', crashes);
    const report = await run.becomes(web, 'stuck', 'CrashLoopBackOff');
    expect(report.message).toMatch(/container main of Pod web-\S+ ended with exit code 7/);
    expect(report.log).toBe('no database');
    await run.removed(web);
  },
  'a Deployment whose image is not there is stuck; the next content heals it': async run => {
    const web = (image: string) => run.workload('Deployment', 'web', { ...run.runs(untilTold), image });
    await run.becomes(web('afloat.test/none:1'), 'stuck', 'ImagePullBackOff');
    await run.becomes(web(run.image), 'done');
  },
  'a field that cannot be changed is named, and the Deployment stays': async run => {
    const web = run.workload('Deployment', 'web', run.runs(untilTold));
    await run.becomes(web, 'done');
    const other = run.workload('Deployment', 'other', run.runs(untilTold));
    const changed = { ...other, metadata: web.metadata };
    await expect(run.apply(changed)).rejects.toEqual(
      expect.objectContaining({
        code: 'ImmutableField',
        message: expect.stringContaining(`Deployment ${run.namespace}/web`),
        details: expect.objectContaining({ fields: expect.arrayContaining(['spec.selector']) }),
      }),
    );
    expect(await run.observe(web)).toMatchObject({ state: 'done' });
  },
  'a StatefulSet is done when all replicas are ready and new; behind its partition they stay old':
    async run => {
      const store = (word: string, partition: number) =>
        run.workload(
          'StatefulSet',
          'store',
          { ...run.runs(untilTold), env: [{ name: 'WORD', value: word }] },
          {
            replicas: 2,
            serviceName: 'store',
            updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition } },
          },
        );
      await run.becomes(store('old', 0), 'done', 'RolledOut');
      await run.becomes(store('new', 1), 'done', 'RolledOut');
      const words = (await run.all('v1', 'Pod')).map(pod => JSON.stringify(pod['spec']).includes('"new"'));
      expect(words).toEqual([false, true]);
      await run.becomes(store('new', 0), 'done', 'RolledOut');
      await run.removed(store('new', 0));
      expect(await run.all('v1', 'Pod')).toEqual([]);
    },
  'a StatefulSet whose first Pod crashes is stuck': async run => {
    const crashes = { ...run.runs('exit 9'), readinessProbe: never };
    const store = run.workload('StatefulSet', 'store', crashes, {
      replicas: 2,
      serviceName: 'store',
    });
    const report = await run.becomes(store, 'stuck', 'CrashLoopBackOff');
    expect(report.message).toContain('container main of Pod store-0 ended with exit code 9');
  },
  'a DaemonSet is done when it runs on every node, and goes': async run => {
    const agent = run.workload('DaemonSet', 'agent', run.runs(untilTold));
    await run.becomes(agent, 'done', 'RolledOut');
    expect(await run.all('v1', 'Pod')).not.toEqual([]);
    await run.removed(agent);
    expect(await run.all('v1', 'Pod')).toEqual([]);
  },
  'a CronJob is done when it is there with our content': async run => {
    const backup = (schedule: string) =>
      run.object('CronJob', 'backup', {
        apiVersion: 'batch/v1',
        spec: {
          schedule,
          jobTemplate: {
            spec: { template: { spec: run.pods(run.runs('exit 0'), { restartPolicy: 'Never' }) } },
          },
        },
      });
    expect(await run.observe(backup('0 0 1 1 *'))).toMatchObject({ state: 'absent' });
    await run.becomes(backup('0 0 1 1 *'), 'done', 'Scheduled');
    expect(await run.observe(backup('0 3 1 1 *'))).toMatchObject({
      state: 'progressing',
      reason: 'OutOfSync',
    });
    await run.becomes(backup('0 3 1 1 *'), 'done');
    await run.removed(backup('0 3 1 1 *'));
    expect(await run.all('batch/v1', 'CronJob')).toEqual([]);
  },
};
