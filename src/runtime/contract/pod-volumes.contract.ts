import { expect } from 'vitest';
import { configMap, container, podWithVolume, secret, sh } from './manifests.contract.ts';
import type { RuntimeTopic } from './run-topics.contract.ts';

const never = { restartPolicy: 'Never' };

export const podVolumeCases: RuntimeTopic = {
  topic: 'volumes',
  cases: {
    'the downward API in a volume, and changed labels reach it': async run => {
      const items = [
        { path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } },
        { path: 'name', fieldRef: { fieldPath: 'metadata.name' } },
      ];
      const made = await run.create(
        podWithVolume(
          { downwardAPI: { items } },
          { command: sh('cat /v/name; echo', 'until grep moved /v/labels; do sleep 0.5; done') },
          never,
        ),
      );
      await run.sees(made, { phase: 'Running' });
      await run.change(made, { metadata: { labels: { is: 'moved' } } });
      await run.sees(made, { phase: 'Succeeded' }, 120);
      expect(await run.logs('one')).toBe('one\nis="moved"\n');
    },
    'Secrets and ConfigMaps as files: items, modes, and one folder of several': async run => {
      await run.create(secret('password', { word: 'geheim' }));
      await run.create(configMap('settings', { a: '1', b: '2' }));
      const sources = [
        { secret: { name: 'password', items: [{ key: 'word', path: 'deep/word', mode: 0o400 }] } },
        { configMap: { name: 'settings', items: [{ key: 'a', path: 'a.conf' }] } },
      ];
      const script = sh('cd /v; cat deep/word a.conf; echo; ls', 'stat -L -c %a deep/word a.conf');
      const made = await run.create(podWithVolume({ projected: { sources } }, { command: script }, never));
      await run.sees(made, { phase: 'Succeeded' });
      expect(await run.logs('one')).toBe('geheim1\na.conf\ndeep\n400\n644\n');
    },
    'an emptyDir is shared by the containers of a Pod and outlives a restart': async run => {
      const made = await run.create(
        podWithVolume(
          { emptyDir: {} },
          {},
          {
            restartPolicy: 'OnFailure',
            containers: [
              container({
                command: sh('test -e /v/first && exit 0', 'touch /v/first; exit 1'),
                volumeMounts: [{ name: 'v', mountPath: '/v' }],
              }),
              container({
                name: 'reader',
                command: sh('until test -e /w/first; do sleep 0.2; done; echo found'),
                volumeMounts: [{ name: 'v', mountPath: '/w' }],
              }),
            ],
          },
        ),
      );
      await run.sees(made, { phase: 'Succeeded', containers: { main: { restarts: 1 } } });
      expect(await run.logs('one', { container: 'reader' })).toBe('found\n');
    },
    'a hostPath is a folder of the machine, and stays': async run => {
      const path = `${run.world.hostFolder}/${run.namespace}`;
      const volume = { hostPath: { path, type: 'DirectoryOrCreate' } };
      const writer = await run.create(podWithVolume(volume, { command: sh('echo kept >/v/file') }, never));
      await run.sees(writer, { phase: 'Succeeded' });
      const reader = podWithVolume(volume, { command: sh('cat /v/file') }, never);
      await run.create({ ...reader, metadata: { name: 'reader' } });
      await run.sees({ ...reader, metadata: { name: 'reader' } }, { phase: 'Succeeded' });
      expect(await run.logs('reader')).toBe('kept\n');
    },
    'a read-only mount cannot be written': async run => {
      const made = await run.create(
        podWithVolume(
          { emptyDir: {} },
          {
            command: sh('touch /v/file'),
            volumeMounts: [{ name: 'v', mountPath: '/v', readOnly: true }],
          },
          never,
        ),
      );
      await run.sees(made, { phase: 'Failed', containers: { main: { state: 'terminated Error 1' } } });
    },
    'a changed ConfigMap reaches its files, all at once, and not the environment or a subPath': async run => {
      const settings = await run.create(configMap('settings', { a: 'old', b: 'old' }));
      const made = await run.create(
        podWithVolume(
          { configMap: { name: 'settings' } },
          {
            // Of a file and its neighbour at one moment: both are links into a folder that is replaced as a whole.
            command: sh(
              'while sleep 1; do',
              '  at=$(readlink -f /v/a)',
              '  echo "$(cat $at) $(cat ${at%a}b) $A $(cat /single)"',
              'done',
            ),
            env: [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'settings', key: 'a' } } }],
            volumeMounts: [
              { name: 'v', mountPath: '/v' },
              { name: 'v', mountPath: '/single', subPath: 'a' },
            ],
          },
        ),
      );
      await run.sees(made, { phase: 'Running' });
      await run.eventually(
        'the old values',
        () => run.logs('one'),
        text => text.includes('old old old old'),
      );
      await run.change(settings, { data: { a: 'new', b: 'new' } });
      const text = await run.eventually(
        'the new values',
        () => run.logs('one'),
        log => log.includes('new new old old'),
        120, // real kubelets look every minute or so
      );
      expect(text).not.toContain('old new');
    },
  },
};
