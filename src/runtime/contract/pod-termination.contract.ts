import { expect } from 'vitest';
import type { StoredObject } from '../../cluster/cluster.ts';
import { container, pod, rest, runForever, sh } from './manifests.contract.ts';
import type { RuntimeTopic } from './run-topics.contract.ts';
import { type RuntimeCase, types } from './runtime-case.contract.ts';
import { statusOf, type View, viewOf } from './views.contract.ts';

/**
 * Deletes a Pod that runs and waits for its end: how many seconds after the request its first container ended, by the clock of the
 * world, and the last state that the Pod was seen in.
 */
async function deleted(run: RuntimeCase, made: StoredObject): Promise<{ seconds: number; last: View }> {
  const marked = await run.remove(made);
  const { deletionTimestamp = '', deletionGracePeriodSeconds = 0 } = marked.metadata;
  const last = await run.gone(made);
  const [status] = statusOf(last).containerStatuses ?? [];
  const finished = Date.parse(String(status?.state?.terminated?.finishedAt));
  const seconds = (finished - Date.parse(deletionTimestamp)) / 1000 + deletionGracePeriodSeconds;
  return { seconds, last: viewOf(last) };
}

export const podTerminationCases: RuntimeTopic = {
  topic: 'how Pods are ended',
  cases: {
    'a Pod that honours SIGTERM ends at once, with its exit code': async run => {
      const command = sh('trap "exit 5" TERM', rest);
      const made = await run.create(pod('one', { command }, { terminationGracePeriodSeconds: 60 }));
      await run.isUp(made);
      const { seconds, last } = await deleted(run, made);
      expect(seconds, 'long before the grace period ends').toBeLessThan(30);
      expect(last).toMatchObject({ phase: 'Failed', containers: { main: { state: 'terminated Error 5' } } });
      await run.event(made, 'Killing');
    },
    'a Pod that honours SIGTERM and ends well has succeeded, whatever its restart policy': async run => {
      const made = await run.create(
        pod('one', { command: runForever }, { terminationGracePeriodSeconds: 60, restartPolicy: 'Always' }),
      );
      await run.isUp(made);
      const { last } = await deleted(run, made);
      expect(last).toMatchObject({ phase: 'Succeeded', containers: { main: { restarts: 0 } } });
    },
    'a Pod that ignores SIGTERM is killed at the end of its grace period, with 137': async run => {
      const command = sh('trap "" TERM', rest);
      const made = await run.create(pod('one', { command }, { terminationGracePeriodSeconds: 4 }));
      await run.isUp(made);
      const { seconds, last } = await deleted(run, made);
      expect(seconds).toBeGreaterThanOrEqual(3);
      expect(seconds).toBeLessThan(30);
      expect(last).toMatchObject({
        phase: 'Failed',
        containers: { main: { state: 'terminated Error 137' } },
      });
    },
    'preStop runs before SIGTERM, within the grace period': async run => {
      const note = 'echo told to end >>/tmp/steps; cat /tmp/steps >/dev/termination-log';
      const command = sh(`trap "${note}; exit 0" TERM`, rest);
      const hook = sh('echo preStop >>/tmp/steps; sleep 2; echo preStop done >>/tmp/steps');
      const lifecycle = { preStop: { exec: { command: hook } } };
      const made = await run.create(
        pod('one', { command, lifecycle }, { terminationGracePeriodSeconds: 60 }),
      );
      await run.isUp(made);
      await run.remove(made);
      const [status] = statusOf(await run.gone(made)).containerStatuses ?? [];
      expect(status?.state?.terminated?.message).toBe('preStop\npreStop done\ntold to end\n');
    },
    'preStop may just sleep': async run => {
      const made = await run.create(
        pod(
          'one',
          { command: runForever, lifecycle: { preStop: { sleep: { seconds: 3 } } } },
          {
            terminationGracePeriodSeconds: 20,
          },
        ),
      );
      await run.isUp(made);
      const { seconds } = await deleted(run, made);
      expect(seconds).toBeGreaterThanOrEqual(2);
    },
    'a hook that uses up the grace period leaves two seconds for the end': async run => {
      const made = await run.create(
        pod(
          'one',
          {
            command: sh('trap "" TERM', rest),
            lifecycle: { preStop: { exec: { command: sh('sleep 60') } } },
          },
          {
            terminationGracePeriodSeconds: 2,
          },
        ),
      );
      await run.isUp(made);
      const { seconds } = await deleted(run, made);
      expect(seconds).toBeGreaterThanOrEqual(3);
      expect(seconds).toBeLessThan(30);
    },
    'postStart runs beside the container, and one that fails ends it': async run => {
      const hook = { postStart: { exec: { command: sh('touch /tmp/hooked') } } };
      const waits = sh('until test -e /tmp/hooked; do sleep 0.1; done');
      const made = await run.create(
        pod('one', { command: waits, lifecycle: hook }, { restartPolicy: 'Never' }),
      );
      await run.sees(made, { phase: 'Succeeded' });
      const bad = { postStart: { exec: { command: ['false'] } } };
      const other = await run.create(
        pod('other', { command: runForever, lifecycle: bad }, { restartPolicy: 'Never' }),
      );
      await run.sees(other, { containers: { main: { state: expect.stringMatching(/^terminated/) } } });
      await run.event(other, 'FailedPostStartHook');
    },
    'a Pod that is being deleted is not ready, and serving until it has ended': async run => {
      const command = sh('trap "sleep 3; exit 0" TERM', rest);
      const made = await run.create(
        pod(
          'one',
          { command, readinessProbe: { exec: { command: ['true'] }, periodSeconds: 1 } },
          {
            terminationGracePeriodSeconds: 20,
          },
        ),
      );
      await run.create({
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'one' },
        spec: { selector: { app: 'one' }, ports: [{ port: 80 }] },
      });
      await run.sees(made, { conditions: { Ready: 'True' } });
      await run.remove(made);
      await run.seesAll(types.EndpointSlice, 'an endpoint that terminates and serves', slices => {
        const text = JSON.stringify(slices.flatMap(slice => slice['endpoints'] ?? []));
        return text.includes('"conditions":{"ready":false,"serving":true,"terminating":true}');
      });
      await run.gone(made);
      await run.seesAll(types.EndpointSlice, 'no endpoint', slices =>
        slices.every(slice => ((slice['endpoints'] as unknown[] | null) ?? []).length === 0),
      );
    },
    'deleting a Pod ends all its processes': async run => {
      const path = `${run.world.hostFolder}/${run.namespace}`;
      const command = sh(
        '(trap "" TERM; while :; do date +%s%N >/v/beat; sleep 0.1; done) &',
        'echo up; exec sleep 1000',
      );
      const made = await run.create(
        pod(
          'one',
          { command, volumeMounts: [{ name: 'v', mountPath: '/v' }] },
          {
            volumes: [{ name: 'v', hostPath: { path, type: 'DirectoryOrCreate' } }],
          },
        ),
      );
      await run.isUp(made);
      await deleted(run, made);
      const look = sh('a=$(cat /v/beat); sleep 1; test "$a" = "$(cat /v/beat)"');
      const after = await run.create(
        pod(
          'after',
          { command: look, volumeMounts: [{ name: 'v', mountPath: '/v' }] },
          {
            restartPolicy: 'Never',
            volumes: [{ name: 'v', hostPath: { path } }],
          },
        ),
      );
      await run.sees(after, { phase: 'Succeeded' });
    },
    'two containers are told to end at the same time': async run => {
      const slow = sh('trap "sleep 6; exit 0" TERM', rest);
      const made = await run.create(
        pod(
          'one',
          {},
          {
            terminationGracePeriodSeconds: 60,
            containers: [container({ command: slow }), container({ name: 'other', command: slow })],
          },
        ),
      );
      await run.isUp(made);
      await run.eventually(
        'the other one is up too',
        () => run.logs('one', { container: 'other' }),
        log => log === 'up\n',
      );
      await run.remove(made);
      const [first, second] = statusOf(await run.gone(made)).containerStatuses ?? [];
      const ends = [first, second].map(one => Date.parse(String(one?.state?.terminated?.finishedAt)));
      expect(
        Math.abs((ends[0] ?? 0) - (ends[1] ?? 0)) / 1000,
        'one after the other would be six seconds',
      ).toBeLessThan(5);
    },
  },
};
