import { expect } from 'vitest';
import type { StoredObject } from '../../cluster/cluster.ts';
import { container, pod, podSpec, rest, runForever, sh } from './manifests.contract.ts';
import type { RuntimeTopic } from './run-topics.contract.ts';
import { podView, statusOf } from './views.contract.ts';

/** The conditions of a Pod none of whose containers will run again. `is` is the reason: PodCompleted or PodFailed. */
function ended(is: string): object {
  return {
    PodScheduled: 'True',
    PodReadyToStartContainers: 'False',
    Initialized: is === 'PodCompleted' ? `True ${is}` : 'True',
    ContainersReady: `False ${is}`,
    Ready: `False ${is}`,
  };
}

const notReady = { ContainersReady: 'False ContainersNotReady', Ready: 'False ContainersNotReady' };
const never = { restartPolicy: 'Never' };

function main(state: string, more: object = {}): object {
  return { main: { state, last: 'none', ready: false, started: false, restarts: 0, ...more } };
}

export const podEndCases: RuntimeTopic = {
  topic: 'how Pods end',
  cases: {
    'a Pod runs, ready': async run => {
      const made = await run.create(pod('one', { command: runForever }));
      await run.sees(made, {
        phase: 'Running',
        conditions: {
          PodScheduled: 'True',
          PodReadyToStartContainers: 'True',
          Initialized: 'True',
          ContainersReady: 'True',
          Ready: 'True',
        },
        containers: { main: { state: 'running', last: 'none', ready: true, started: true, restarts: 0 } },
      });
      await run.event(made, 'Started');
    },
    'a Pod whose container ends well has succeeded': async run => {
      const made = await run.create(pod('one', { command: sh('exit 0') }, never));
      await run.sees(made, {
        phase: 'Succeeded',
        conditions: ended('PodCompleted'),
        containers: main('terminated Completed 0'),
      });
    },
    'a Pod whose container ends with an exit code has failed': async run => {
      const made = await run.create(pod('one', { command: sh('exit 3') }, never));
      await run.sees(made, {
        phase: 'Failed',
        conditions: ended('PodFailed'),
        containers: main('terminated Error 3'),
      });
    },
    'a container that had to be killed has 137': async run => {
      const livenessProbe = { exec: { command: ['false'] }, periodSeconds: 1, failureThreshold: 1 };
      const made = await run.create(pod('one', { command: sh('trap "" TERM', rest), livenessProbe }, never));
      await run.sees(made, { phase: 'Failed', containers: main('terminated Error 137') });
    },
    'what a container wrote to its termination log is the message': async run => {
      const made = await run.create(
        pod('one', { command: sh('printf "no disk" >/dev/termination-log', 'exit 2') }, never),
      );
      const failed = await run.sees(made, { phase: 'Failed' });
      const [status] = statusOf(failed).containerStatuses ?? [];
      expect(status?.state?.terminated?.message).toBe('no disk');
    },
    'a Pod fails when one of its containers fails, after all have ended': async run => {
      const made = await run.create(
        pod(
          'one',
          { command: sh('exit 4') },
          {
            ...never,
            containers: [
              container({ command: sh('exit 4') }),
              container({ name: 'slow', command: sh('sleep 8') }),
            ],
          },
        ),
      );
      await run.sees(made, {
        phase: 'Running',
        conditions: notReady,
        containers: { main: { state: 'terminated Error 4' }, slow: { state: 'running', ready: true } },
      });
      await run.sees(made, {
        phase: 'Failed',
        containers: { main: { state: 'terminated Error 4' }, slow: { state: 'terminated Completed 0' } },
      });
    },
    'a Pod that runs longer than its active deadline is ended: DeadlineExceeded': async run => {
      const made = await run.create(
        pod('one', { command: runForever }, { activeDeadlineSeconds: 2, restartPolicy: 'Never' }),
      );
      const failed = await run.sees(made, { phase: 'Failed', reason: 'DeadlineExceeded' });
      expect(statusOf(failed)['message']).toContain('active on the node longer than the specified deadline');
      await run.event(made, 'DeadlineExceeded');
    },
    'restart OnFailure: until it ends well': async run => {
      const script = sh('echo run >>/count/runs', 'test $(wc -l </count/runs) -ge 2');
      const made = await run.create(
        pod(
          'one',
          {},
          {
            restartPolicy: 'OnFailure',
            containers: [
              container({ command: script, volumeMounts: [{ name: 'count', mountPath: '/count' }] }),
            ],
            volumes: [{ name: 'count', emptyDir: {} }],
          },
        ),
      );
      await run.sees(made, {
        phase: 'Succeeded',
        containers: main('terminated Completed 0', { restarts: 1, last: 'terminated Error 1' }),
      });
    },
    'restart Always: also when it ended well, at once the first time': async run => {
      const made = await run.create(pod('one', { command: sh('sleep 8') }));
      await run.sees(made, {
        phase: 'Running',
        conditions: { Ready: 'True' },
        containers: {
          main: { state: 'running', ready: true, restarts: 1, last: 'terminated Completed 0' },
        },
      });
    },
    'a container that fails again and again is in CrashLoopBackOff, and tried again later': async run => {
      const made = await run.create(pod('one', { command: sh('exit 7') }));
      const loop = { state: 'waiting CrashLoopBackOff', last: 'terminated Error 7', ready: false };
      const once = await run.sees(made, {
        phase: 'Running',
        conditions: { ...notReady, Initialized: 'True', PodReadyToStartContainers: 'True' },
        containers: { main: loop },
      });
      await run.event(made, 'BackOff');
      const { restarts } = (podView(once)['containers'] as { main: { restarts: number } }).main;
      const later = { ...loop, restarts: expect.toSatisfy((count: number) => count > restarts) };
      const twice = await run.sees(made, { phase: 'Running', containers: { main: later } });
      const lastRun = (of: StoredObject) => statusOf(of).containerStatuses?.[0]?.lastState?.terminated;
      const wait = Date.parse(lastRun(twice)?.startedAt ?? '') - Date.parse(lastRun(once)?.finishedAt ?? '');
      expect(wait, 'the first wait is 10 s').toBeGreaterThanOrEqual(9_000);
    },
    'a command that is not there is a StartError with 128': async run => {
      const made = await run.create(pod('one', { command: ['/no/such/program'] }, never));
      await run.sees(made, {
        phase: 'Failed',
        conditions: ended('PodFailed'),
        containers: main('terminated StartError 128'),
      });
      await run.event(made, 'Failed');
    },
    'a command that is not there, restarted, waits with RunContainerError or CrashLoopBackOff': async run => {
      const made = await run.create(pod('one', { command: ['no-such-program'] }));
      await run.sees(made, {
        phase: 'Running',
        conditions: notReady,
        containers: {
          main: { state: 'waiting CrashLoopBackOff', last: 'terminated StartError 128', ready: false },
        },
      });
    },
    'an image that is not there and may not be pulled: ErrImageNeverPull': async run => {
      const made = await run.create(
        pod('one', { image: 'afloat.test/none:1', imagePullPolicy: 'Never', command: runForever }),
      );
      await run.sees(made, {
        phase: 'Pending',
        conditions: notReady,
        containers: main('waiting ErrImageNeverPull'),
      });
      await run.event(made, 'ErrImageNeverPull');
    },
    'args follow the command, $(NAME) is filled in, and the working folder is where it starts': async run => {
      const spec = podSpec(
        {
          command: ['sh', '-c', 'echo "$0 $1 $(pwd)"'],
          args: ['$(GREETING)', '$$(GREETING) $(NONE)'],
          env: [{ name: 'GREETING', value: 'hello' }],
          workingDir: '/tmp',
        },
        never,
      );
      const made = await run.create({ ...pod('one', {}), spec });
      await run.sees(made, { phase: 'Succeeded' });
      expect(await run.logs('one')).toBe('hello $(GREETING) $(NONE) /tmp\n');
    },
  },
};
