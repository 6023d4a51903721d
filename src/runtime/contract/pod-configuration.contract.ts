import { expect } from 'vitest';
import { configMap, pod, podWithVolume, secret, sh } from './manifests.contract.ts';
import type { RuntimeTopic } from './run-topics.contract.ts';

const never = { restartPolicy: 'Never' };

export const podConfigurationCases: RuntimeTopic = {
  topic: 'what Pods are given',
  cases: {
    'a missing ConfigMap in env: CreateContainerConfigError, until it is there': async run => {
      const env = [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'settings', key: 'a' } } }];
      const made = await run.create(pod('one', { command: sh('echo $A'), env }, never));
      await run.sees(made, {
        phase: 'Pending',
        conditions: { Initialized: 'True', Ready: 'False ContainersNotReady' },
        containers: { main: { state: 'waiting CreateContainerConfigError', ready: false, restarts: 0 } },
      });
      await run.event(made, 'Failed');
      await run.create(configMap('settings', { a: 'here' }));
      await run.sees(made, { phase: 'Succeeded' });
      expect(await run.logs('one')).toBe('here\n');
    },
    'a missing ConfigMap in a volume: ContainerCreating, until it is there': async run => {
      const made = await run.create(
        podWithVolume({ configMap: { name: 'settings' } }, { command: sh('cat /v/a') }, never),
      );
      await run.event(made, 'FailedMount');
      await run.sees(made, {
        phase: 'Pending',
        conditions: { Initialized: 'True', PodReadyToStartContainers: 'False' },
        containers: { main: { state: 'waiting ContainerCreating', ready: false, restarts: 0 } },
      });
      await run.create(configMap('settings', { a: 'here' }));
      await run.sees(made, { phase: 'Succeeded' }, 150); // a kubelet waits ever longer between two tries
      expect(await run.logs('one')).toBe('here');
    },
    'an optional ConfigMap need not be there': async run => {
      const made = await run.create(
        podWithVolume(
          { configMap: { name: 'settings', optional: true } },
          {
            command: sh('echo "$A-$(ls /v | wc -l)"'),
            env: [
              { name: 'A', valueFrom: { configMapKeyRef: { name: 'settings', key: 'a', optional: true } } },
            ],
            envFrom: [{ configMapRef: { name: 'settings', optional: true } }],
          },
          never,
        ),
      );
      await run.sees(made, { phase: 'Succeeded' });
      expect(await run.logs('one')).toBe('-0\n');
    },
    'env, envFrom with a prefix, and env wins': async run => {
      await run.create(configMap('settings', { a: '1', b: '2' }));
      await run.create(secret('password', { word: 'geheim' }));
      const made = await run.create(
        pod(
          'one',
          {
            command: sh('echo "$a $b $X_word $WORD"'),
            envFrom: [
              { configMapRef: { name: 'settings' } },
              { prefix: 'X_', secretRef: { name: 'password' } },
            ],
            env: [
              { name: 'b', value: 'mine' },
              { name: 'WORD', valueFrom: { secretKeyRef: { name: 'password', key: 'word' } } },
            ],
          },
          never,
        ),
      );
      await run.sees(made, { phase: 'Succeeded' });
      expect(await run.logs('one')).toBe('1 mine geheim geheim\n');
    },
    'the downward API in env': async run => {
      const field = (name: string, fieldPath: string) => ({ name, valueFrom: { fieldRef: { fieldPath } } });
      const made = await run.create(
        pod(
          'one',
          {
            command: sh('echo "$NAME $SPACE $APP"; echo "$IP"; echo "$UID_OF_POD"; test -n "$NODE"'),
            env: [
              field('NAME', 'metadata.name'),
              field('SPACE', 'metadata.namespace'),
              field('APP', "metadata.labels['app']"),
              field('IP', 'status.podIP'),
              field('UID_OF_POD', 'metadata.uid'),
              field('NODE', 'spec.nodeName'),
            ],
          },
          never,
        ),
      );
      const done = await run.sees(made, { phase: 'Succeeded' });
      const { podIP } = done['status'] as { podIP: string };
      expect(await run.logs('one')).toBe(`one ${run.namespace} one\n${podIP}\n${made.metadata.uid}\n`);
    },
    'a Pod knows its name: hostname and hosts file': async run => {
      const made = await run.create(
        pod(
          'one',
          { command: sh('hostname; grep -w "$(hostname)" /etc/hosts', 'grep 192.0.2.1 /etc/hosts') },
          {
            ...never,
            hostname: 'called',
            hostAliases: [{ ip: '192.0.2.1', hostnames: ['added'] }],
          },
        ),
      );
      const done = await run.sees(made, { phase: 'Succeeded' });
      const { podIP } = done['status'] as { podIP: string };
      expect(await run.logs('one')).toBe(`called\n${podIP}\tcalled\n192.0.2.1\tadded\n`);
    },
    'logs of this run and of the one before': async run => {
      const script = sh(
        'trap "exit 0" TERM',
        'echo out; echo err >&2',
        'test -e /v/first && exec sleep 1000',
        'touch /v/first; echo first; exit 1',
      );
      const made = await run.create(podWithVolume({ emptyDir: {} }, { command: script }));
      await run.sees(made, { containers: { main: { state: 'running', restarts: 1 } } });
      const lines = (text: string) => text.trim().split('\n').sort();
      const now = await run.eventually(
        'both lines',
        () => run.logs('one'),
        log => lines(log).length === 2,
      );
      expect(lines(now)).toEqual(['err', 'out']);
      expect(lines(await run.logs('one', { previous: true }))).toEqual(['err', 'first', 'out']);
    },
  },
};
