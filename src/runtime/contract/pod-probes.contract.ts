import { expect } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { eachSecond, pod, rest, runForever, service, sh, webServer } from './manifests.contract.ts';
import type { RuntimeTopic } from './run-topics.contract.ts';
import { type RuntimeCase, types } from './runtime-case.contract.ts';
import { statusOf } from './views.contract.ts';

const ready = { Ready: 'True', ContainersReady: 'True' };
const unready = { Ready: 'False ContainersNotReady', ContainersReady: 'False ContainersNotReady' };

interface Slice {
  readonly endpoints?: readonly { readonly conditions: JsonObject }[] | null;
}

/** Waits until the slices of the Service hold one endpoint with these conditions. */
function endpointIs(run: RuntimeCase, conditions: JsonObject): Promise<unknown> {
  return run.seesAll(types.EndpointSlice, `an endpoint ${JSON.stringify(conditions)}`, slices => {
    const endpoints = slices.flatMap(slice => (slice as unknown as Slice).endpoints ?? []);
    const [only] = endpoints;
    return endpoints.length === 1 && JSON.stringify(only?.conditions) === JSON.stringify(conditions);
  });
}

export const podProbeCases: RuntimeTopic = {
  topic: 'probes',
  cases: {
    'readiness by HTTP: endpoints leave and come back with it, and nothing is restarted': async run => {
      await run.create(service('web'));
      const probe = eachSecond({ httpGet: { path: '/ready', port: 8080 } });
      const made = await run.create(pod('web', { command: webServer, readinessProbe: probe }));
      const main = { state: 'running', started: true, restarts: 0, last: 'none' };
      const up = await run.sees(made, { conditions: ready, containers: { main: { ...main, ready: true } } });
      await endpointIs(run, { ready: true, serving: true, terminating: false });
      const address = `http://${String(statusOf(up)['podIP'])}:8080`;
      expect(await run.world.fetch(`${address}/cgi-bin/unready`)).toBe('done');
      await run.sees(made, {
        phase: 'Running',
        conditions: { ...unready, Initialized: 'True' },
        containers: { main: { ...main, ready: false } },
      });
      await endpointIs(run, { ready: false, serving: false, terminating: false });
      await run.event(made, 'Unhealthy');
      await run.world.fetch(`${address}/cgi-bin/ready`);
      await run.sees(made, { conditions: ready, containers: { main: { ...main, ready: true } } });
      await endpointIs(run, { ready: true, serving: true, terminating: false });
    },
    'readiness by TCP: only when somebody listens': async run => {
      const made = await run.create(
        pod('one', {
          command: sh('sleep 10', 'exec httpd -f -p 8080 -h /tmp'),
          readinessProbe: eachSecond({ tcpSocket: { port: 8080 } }),
        }),
      );
      await run.sees(made, { phase: 'Running', conditions: unready });
      await run.sees(made, { phase: 'Running', conditions: ready, containers: { main: { restarts: 0 } } });
    },
    'readiness by a program: its exit code': async run => {
      const made = await run.create(
        pod('one', {
          command: sh('sleep 10; touch /tmp/ready', rest),
          readinessProbe: eachSecond({ exec: { command: ['test', '-e', '/tmp/ready'] } }),
        }),
      );
      await run.sees(made, { phase: 'Running', conditions: unready });
      await run.sees(made, { phase: 'Running', conditions: ready });
    },
    'readiness waits for as many successes as it is told': async run => {
      // So many that a busy kubelet, too, tells in between that it runs: it may leave out what lasted for a moment.
      const probe = eachSecond({ exec: { command: ['true'] }, successThreshold: 10 });
      const made = await run.create(pod('one', { command: runForever, readinessProbe: probe }));
      await run.sees(made, { phase: 'Running', conditions: unready });
      const up = await run.sees(made, { phase: 'Running', conditions: ready });
      const [status] = statusOf(up).containerStatuses ?? [];
      const { startedAt } = status?.state?.running ?? {};
      expect(Date.now() - Date.parse(String(startedAt))).toBeGreaterThan(8900);
    },
    'liveness restarts a container that no longer answers': async run => {
      const made = await run.create(
        pod('one', {
          command: sh('trap "exit 0" TERM', 'touch /tmp/alive; sleep 3; rm /tmp/alive', rest),
          livenessProbe: eachSecond({ exec: { command: ['test', '-e', '/tmp/alive'] }, failureThreshold: 2 }),
        }),
      );
      await run.sees(made, { phase: 'Running', containers: { main: { state: 'running', restarts: 0 } } });
      await run.sees(made, {
        phase: 'Running',
        containers: { main: { state: 'running', restarts: 1, last: 'terminated Completed 0' } },
      });
      await run.event(made, 'Unhealthy');
      await run.event(made, 'Killing');
    },
    'liveness by HTTP: a page that is not there is a failure, a redirect is not': async run => {
      const probe = (path: string) => eachSecond({ httpGet: { path, port: 8080 } });
      const made = await run.create(
        pod('one', { command: webServer, livenessProbe: { ...probe('/missing'), initialDelaySeconds: 1 } }),
      );
      const fine = await run.create(pod('fine', { command: webServer, livenessProbe: probe('/') }));
      // The server ends by the signal: it does not handle it.
      await run.sees(made, { containers: { main: { restarts: 1 } } });
      await run.sees(fine, { phase: 'Running', containers: { main: { restarts: 0, ready: true } } });
    },
    'a startup probe keeps the others waiting until it has succeeded': async run => {
      const made = await run.create(
        pod('one', {
          command: sh('sleep 10; touch /tmp/started', rest),
          startupProbe: eachSecond({
            exec: { command: ['test', '-e', '/tmp/started'] },
            failureThreshold: 60,
          }),
          livenessProbe: eachSecond({ exec: { command: ['test', '-e', '/tmp/started'] } }),
        }),
      );
      await run.sees(made, {
        phase: 'Running',
        conditions: unready,
        containers: { main: { state: 'running', started: false, ready: false } },
      });
      await run.sees(made, {
        phase: 'Running',
        conditions: ready,
        containers: { main: { state: 'running', started: true, ready: true, restarts: 0 } },
      });
    },
    'a startup probe that never succeeds restarts the container': async run => {
      const made = await run.create(
        pod('one', {
          command: runForever,
          startupProbe: eachSecond({ exec: { command: ['false'] }, failureThreshold: 2 }),
        }),
      );
      await run.sees(made, {
        conditions: unready,
        containers: { main: { started: false, ready: false, restarts: 1, last: 'terminated Completed 0' } },
      });
      await run.event(made, 'Unhealthy');
    },
    'a probe that takes longer than its timeout has failed': async run => {
      const probe = eachSecond({ exec: { command: ['sleep', '20'] }, timeoutSeconds: 1 });
      const made = await run.create(pod('one', { command: runForever, livenessProbe: probe }));
      await run.sees(made, { containers: { main: { restarts: 1 } } });
    },
  },
};
