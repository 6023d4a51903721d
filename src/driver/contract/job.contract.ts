import { expect } from 'vitest';
import { apiVersion } from '../../api/group.ts';
import { type DriverCases, ours, untilTold } from './driver-case.contract.ts';

/** Left as the last words of a program, where it may be written without root too. */
const says = (text: string) => `printf '%s' '${text}' >"$POD_ROOT/result"`;
const terminationMessagePath = '/result';

export const jobCases: DriverCases = {
  'a Job that is not there is absent, and then done with what it left as its result': async run => {
    const job = run.job('sync', { ...run.runs('echo working', says('42 rows')), terminationMessagePath });
    expect(await run.observe(job)).toMatchObject({ state: 'absent', reason: 'NotFound' });
    const report = await run.becomes(job, 'done');
    expect(report).toMatchObject({ reason: 'Complete', result: '42 rows' });
    expect(await run.observe(job)).toEqual(report);
  },
  'a Job that exits with 1 has failed, with its reason, its last words and the end of its log': async run => {
    const script = ['for i in $(seq 30); do echo line $i; done', says('no such table'), 'exit 1'];
    const job = run.job('sync', { ...run.runs(...script), terminationMessagePath });
    const report = await run.becomes(job, 'failed', 'BackoffLimitExceeded');
    expect(report.message).toMatch(/container main of Pod sync-\w+ ended with exit code 1: no such table/);
    expect(report.log?.split('\n')).toEqual(Array.from({ length: 20 }, (_, i) => `line ${i + 11}`));
    expect(await run.observe(job)).toEqual(report);
  },
  'a Job that is tried again goes on, and says what failed': async run => {
    const job = run.job('sync', run.runs('exit 3'), { backoffLimit: 6 });
    await run.apply(job);
    const isSaid = (report: { message: string }) => report.message.includes('exit code 3');
    const report = await run.eventually('a try failed', () => run.observe(job), isSaid);
    expect(report.state).toBe('progressing');
    await run.removed(job);
  },
  'a Job whose program is not there has failed, and could not be started': async run => {
    const job = run.job('sync', { name: 'main', image: run.image, command: ['/no/such/program'] });
    const report = await run.becomes(job, 'failed', 'BackoffLimitExceeded');
    expect(report.message).toContain('could not be started');
  },
  'a Job whose image is not there is stuck long before any deadline': async run => {
    const job = run.job('sync', { ...run.runs('exit 0'), image: 'afloat.test/none:1' });
    const report = await run.becomes(job, 'stuck', 'ImagePullBackOff');
    expect(report.message).toContain('has no image "afloat.test/none:1"');
  },
  'a Job that wants a variable from a ConfigMap that is not there is stuck': async run => {
    const env = [{ name: 'KEY', valueFrom: { configMapKeyRef: { name: 'none', key: 'key' } } }];
    const report = await run.becomes(
      run.job('sync', { ...run.runs('exit 0'), env }),
      'stuck',
      'CreateContainerConfigError',
    );
    expect(report.message).toContain('none');
  },
  'a Job that wants a volume from a ConfigMap that is not there is stuck': async run => {
    const job = run.object('Job', 'sync', {
      apiVersion: 'batch/v1',
      spec: {
        template: {
          spec: run.pods(
            { ...run.runs('exit 0'), volumeMounts: [{ name: 'v', mountPath: '/v' }] },
            { restartPolicy: 'Never', volumes: [{ name: 'v', configMap: { name: 'none' } }] },
          ),
        },
      },
    });
    const report = await run.becomes(job, 'stuck', 'FailedMount');
    expect(report.message).toContain('none');
  },
  'a Job that hangs is in progress, and ends with its deadline': async run => {
    const job = run.job('sync', run.runs(untilTold), { activeDeadlineSeconds: 12 });
    await run.becomes(job, 'progressing', 'Running');
    await run.until(job, 'failed', 'DeadlineExceeded');
  },
  'a Job that is killed by a signal has failed, and the signal is named': async run => {
    const job = run.job('sync', run.runs("sh -c 'kill -9 $$$$'", 'exit $?'));
    const report = await run.becomes(job, 'failed');
    expect(report.message).toContain('exit code 137 (SIGKILL)');
  },
  'a Job that leaves children behind is done when it ends': async run => {
    const job = run.job('sync', {
      ...run.runs('sleep 100000 & sleep 100000 & echo forked', says('forked')),
      terminationMessagePath,
    });
    expect(await run.becomes(job, 'done')).toMatchObject({ result: 'forked' });
    await run.removed(job);
  },
  'a Job that waits for its children is removed with all of them': async run => {
    const job = run.job('sync', run.runs('sleep 100000 &', 'sleep 100000 &', 'wait'));
    await run.becomes(job, 'progressing', 'Running');
    await run.removed(job);
    expect(await run.all('v1', 'Pod')).toEqual([]);
    expect(await run.observe(job)).toMatchObject({ state: 'absent' });
    await run.removed(job);
  },
  'a Job that waits in an init container is in progress; one whose init container has no image is stuck':
    async run => {
      const withInit = (name: string, init: object) =>
        run.object('Job', name, {
          apiVersion: 'batch/v1',
          spec: {
            backoffLimit: 0,
            template: {
              spec: run.pods(run.runs('exit 0'), {
                restartPolicy: 'Never',
                initContainers: [{ ...init, name: 'wait' } as never],
              }),
            },
          },
        });
      const waits = withInit('waits', run.runs(untilTold));
      await run.becomes(waits, 'progressing', 'Running');
      await run.becomes(withInit('stuck', { image: 'afloat.test/none:1' }), 'stuck', 'ImagePullBackOff');
      expect(await run.observe(waits)).toMatchObject({ state: 'progressing' });
    },
  'applied twice a Job runs once': async run => {
    const job = run.job('sync', run.runs('exit 0'));
    await run.apply(job);
    const [first] = await run.all('batch/v1', 'Job');
    await run.apply(job);
    await run.until(job, 'done');
    await run.apply(job);
    expect(await run.observe(job)).toMatchObject({ state: 'done' });
    expect((await run.all('batch/v1', 'Job')).map(({ metadata }) => metadata.uid)).toEqual([
      first?.metadata.uid,
    ]);
    expect(await run.all('v1', 'Pod')).toHaveLength(1);
  },
  'a Job that somebody else wrote is neither taken for ours, nor changed, nor removed': async run => {
    const job = run.job('sync', run.runs('exit 0'));
    const { uid } = (await run.cluster.create({ ...job, metadata: { ...job.metadata, labels: {} } }))
      .metadata;
    const refusal = expect.objectContaining({ code: 'ObjectNotOurs' });
    await expect(run.apply(job)).rejects.toEqual(refusal);
    await expect(run.observe(job)).rejects.toEqual(refusal);
    await expect(run.driver(job).remove(job)).rejects.toEqual(refusal);
    expect((await run.all('batch/v1', 'Job')).map(({ metadata }) => metadata.uid)).toEqual([uid]);
  },
  'a Job of another phase is not taken for ours': async run => {
    const job = run.job('sync', run.runs('exit 0'));
    await run.becomes(job, 'done');
    const labels = { ...ours, 'openstacklcm.airshipit.org/phase': 'upgrade-2' };
    const other = { ...job, metadata: { ...job.metadata, labels } };
    const refusal = expect.objectContaining({ code: 'ObjectNotOurs' });
    await expect(run.apply(other)).rejects.toEqual(refusal);
    await expect(run.observe(other)).rejects.toEqual(refusal);
    await expect(run.driver(other).remove(other)).rejects.toEqual(refusal);
  },
  'a Pod that runs to its end is done or has failed': async run => {
    const pod = (name: string, script: string) =>
      run.object('Pod', name, { spec: run.pods(run.runs(script), { restartPolicy: 'Never' }) });
    await run.becomes(pod('good', 'exit 0'), 'done', 'Succeeded');
    const report = await run.becomes(pod('bad', 'echo oh; exit 4'), 'failed');
    expect(report).toMatchObject({ message: 'container main of Pod bad ended with exit code 4', log: 'oh' });
    await run.removed(pod('bad', ''));
  },
  'a Pod that is to run for ever is done when it is ready; one that no node takes is stuck': async run => {
    await run.becomes(run.object('Pod', 'web', { spec: run.pods(run.runs(untilTold)) }), 'done', 'Ready');
    const nowhere = run.pods(run.runs('exit 0'), { nodeSelector: { 'afloat.test/none': 'such' } });
    await run.becomes(run.object('Pod', 'lost', { spec: nowhere }), 'stuck', 'Unschedulable');
  },
  'a Command is a Job of the same name': async run => {
    const command = run.object('Command', 'hello', {
      apiVersion,
      spec: {
        image: run.image,
        command: ['sh', '-c', 'printf "%s" "$WORD" >"$POD_ROOT/result"'],
        env: [{ name: 'WORD', value: 'hello' }],
        terminationMessagePath,
      },
    });
    expect(await run.observe(command)).toMatchObject({ state: 'absent' });
    expect(await run.becomes(command, 'done')).toMatchObject({ reason: 'Complete', result: 'hello' });
    const [job] = await run.all('batch/v1', 'Job');
    expect(job?.metadata).toMatchObject({ name: 'hello', labels: ours });
    await run.removed(command);
    expect(await run.all('batch/v1', 'Job')).toEqual([]);
  },
};
