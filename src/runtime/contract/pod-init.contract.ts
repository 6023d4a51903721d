import { expect } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { container, pod, rest, runForever, sh } from './manifests.contract.ts';
import type { RuntimeTopic } from './run-topics.contract.ts';

/** An init container that writes its name into the shared folder. */
function step(name: string, more: JsonObject = {}): JsonObject {
  return container({
    name,
    command: sh(`echo ${name} >>/v/steps`),
    volumeMounts: [{ name: 'v', mountPath: '/v' }],
    ...more,
  });
}

const shared = { volumes: [{ name: 'v', emptyDir: {} }] };
const mounted = { volumeMounts: [{ name: 'v', mountPath: '/v' }] };

export const podInitCases: RuntimeTopic = {
  topic: 'init containers',
  cases: {
    'they run one after the other, before all others': async run => {
      const made = await run.create(
        pod(
          'one',
          { command: sh('cat /v/steps'), ...mounted },
          {
            ...shared,
            restartPolicy: 'Never',
            initContainers: [
              step('first', { command: sh('sleep 8; echo first >>/v/steps') }),
              step('second'),
            ],
          },
        ),
      );
      await run.sees(made, {
        phase: 'Pending',
        conditions: {
          Initialized: 'False ContainersNotInitialized',
          Ready: 'False ContainersNotReady',
          ContainersReady: 'False ContainersNotReady',
        },
        init: { first: { state: 'running' }, second: { state: 'waiting PodInitializing' } },
        containers: { main: { state: 'waiting PodInitializing', ready: false, started: false } },
      });
      const ended = { state: 'terminated Completed 0', ready: true, started: false, restarts: 0 };
      await run.sees(made, { phase: 'Succeeded', init: { first: ended, second: ended } });
      expect(await run.logs('one')).toBe('first\nsecond\n');
    },
    'one that fails, never restarted, fails the Pod': async run => {
      const made = await run.create(
        pod(
          'one',
          { command: runForever },
          {
            ...shared,
            restartPolicy: 'Never',
            initContainers: [step('bad', { command: sh('exit 6') }), step('next')],
          },
        ),
      );
      await run.sees(made, {
        phase: 'Failed',
        conditions: {
          Initialized: 'False ContainersNotInitialized',
          Ready: 'False PodFailed',
          ContainersReady: 'False PodFailed',
        },
        init: {
          bad: { state: 'terminated Error 6', ready: false, restarts: 0 },
          next: { state: 'waiting PodInitializing' },
        },
        containers: { main: { state: 'waiting PodInitializing' } },
      });
    },
    'one that fails is tried again, ever later': async run => {
      const made = await run.create(
        pod(
          'one',
          { command: runForever },
          {
            ...shared,
            initContainers: [step('bad', { command: sh('exit 6') })],
          },
        ),
      );
      await run.sees(made, {
        phase: 'Pending',
        conditions: { Initialized: 'False ContainersNotInitialized', Ready: 'False ContainersNotReady' },
        init: { bad: { state: 'waiting CrashLoopBackOff', last: 'terminated Error 6', ready: false } },
        containers: { main: { state: 'waiting PodInitializing' } },
      });
      await run.event(made, 'BackOff');
    },
    'one that fails once, and then not: the Pod runs': async run => {
      const script = sh('test -e /v/tried && exit 0', 'touch /v/tried; exit 1');
      const made = await run.create(
        pod(
          'one',
          { command: runForever },
          { ...shared, initContainers: [step('bad', { command: script })] },
        ),
      );
      await run.sees(made, {
        phase: 'Running',
        conditions: { Initialized: 'True', Ready: 'True' },
        init: { bad: { state: 'terminated Completed 0', ready: true, restarts: 1 } },
        containers: { main: { state: 'running', ready: true } },
      });
    },
    'one that is restarted always runs beside the others, and does not keep the Pod from its end':
      async run => {
        const made = await run.create(
          pod(
            'one',
            { command: sh('until test -e /v/steps; do sleep 0.1; done; sleep 10'), ...mounted },
            {
              ...shared,
              restartPolicy: 'Never',
              initContainers: [
                step('beside', {
                  restartPolicy: 'Always',
                  command: sh('trap "exit 0" TERM', 'echo up >/v/steps', rest),
                }),
              ],
            },
          ),
        );
        await run.sees(made, {
          phase: 'Running',
          conditions: { Initialized: 'True' },
          init: { beside: { state: 'running', ready: true, started: true } },
          containers: { main: { state: 'running' } },
        });
        await run.sees(made, {
          phase: 'Succeeded',
          containers: { main: { state: 'terminated Completed 0' } },
          init: { beside: { state: 'terminated Completed 0' } },
        });
      },
  },
};
