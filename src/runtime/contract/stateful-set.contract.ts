import { expect } from 'vitest';
import {
  eachSecond,
  neverReady,
  rest,
  runForever,
  service,
  sh,
  template,
  webServer,
  workload,
} from './manifests.contract.ts';
import type { RuntimeTopic } from './run-topics.contract.ts';
import { type RuntimeCase, types } from './runtime-case.contract.ts';
import { podView, statusOf } from './views.contract.ts';

const forever = { command: runForever };

function settled(replicas: number): object {
  return { isCurrent: true, replicas, readyReplicas: replicas, availableReplicas: replicas };
}

/** What became of its Pods, in order: `+db-0` made, `db-0 ready`, `-db-0` gone. */
function steps(run: RuntimeCase, from = 0): string[] {
  const lines: string[] = [];
  const ready = new Set<string>();
  const there = new Set(
    run
      .seen(types.Pod)
      .all.slice(0, from)
      .map(seen => seen.object.metadata.name),
  );
  for (const { object, gone } of run.seen(types.Pod).all.slice(from)) {
    const { name } = object.metadata;
    const { Ready } = podView(object)['conditions'] as { Ready?: string };
    if (gone) {
      lines.push(`-${name}`);
      there.delete(name);
      ready.delete(name);
      continue;
    }
    if (!there.has(name)) lines.push(`+${name}`);
    there.add(name);
    if (Ready === 'True' && !ready.has(name) && from === 0) lines.push(`${name} ready`);
    if (Ready === 'True') ready.add(name);
  }
  return lines;
}

export const statefulSetCases: RuntimeTopic = {
  topic: 'StatefulSets',
  cases: {
    'its Pods start one after the other, each when the one before is ready': async run => {
      const probe = eachSecond({ exec: { command: ['true'] }, initialDelaySeconds: 1 });
      const made = await run.create(
        workload(
          'StatefulSet',
          'db',
          { ...forever, readinessProbe: probe },
          { replicas: 3, serviceName: 'db' },
        ),
      );
      const up = await run.sees(made, { ...settled(3), currentReplicas: 3, updatedReplicas: 3 });
      expect(steps(run)).toEqual(['+db-0', 'db-0 ready', '+db-1', 'db-1 ready', '+db-2', 'db-2 ready']);
      const status = statusOf(up);
      expect(status['currentRevision']).toBe(status['updateRevision']);
      for (const [index, pod] of (await run.now(types.Pod)).entries()) {
        expect(pod.metadata.labels).toEqual({
          app: 'db',
          'apps.kubernetes.io/pod-index': String(index),
          'controller-revision-hash': status['currentRevision'],
          'statefulset.kubernetes.io/pod-name': `db-${index}`,
        });
        expect(pod['spec']).toMatchObject({ hostname: `db-${index}`, subdomain: 'db' });
      }
    },
    'scaled down, its Pods go from the top, one after the other': async run => {
      const made = await run.create(
        workload('StatefulSet', 'db', forever, { replicas: 3, serviceName: 'db' }),
      );
      await run.sees(made, settled(3));
      const from = run.seen(types.Pod).all.length;
      await run.change(made, { spec: { replicas: 1 } });
      await run.sees(made, settled(1));
      await run.seesAll(types.Pod, 'one Pod', pods => pods.length === 1);
      expect(steps(run, from)).toEqual(['-db-2', '-db-1']);
    },
    'a new template is rolled out from the top, one after the other, under the same names': async run => {
      const made = await run.create(
        workload('StatefulSet', 'db', forever, { replicas: 2, serviceName: 'db' }),
      );
      const before = await run.sees(made, settled(2));
      const from = run.seen(types.Pod).all.length;
      const changed = template('db', { ...forever, env: [{ name: 'VERSION', value: 'new' }] });
      await run.change(made, { spec: { template: changed } });
      const done = await run.sees(made, { ...settled(2), updatedReplicas: 2, currentReplicas: 2 });
      expect(steps(run, from)).toEqual(['-db-1', '+db-1', '-db-0', '+db-0']);
      expect(statusOf(done)['currentRevision']).toBe(statusOf(done)['updateRevision']);
      expect(statusOf(done)['currentRevision']).not.toBe(statusOf(before)['currentRevision']);
    },
    'an update that does not become ready stops there, and is mended by hand': async run => {
      const made = await run.create(
        workload('StatefulSet', 'db', forever, { replicas: 2, serviceName: 'db' }),
      );
      await run.sees(made, settled(2));
      await run.change(made, { spec: { template: template('db', neverReady) } });
      await run.sees(
        { ...types.Pod, name: 'db-1' },
        { phase: 'Running', conditions: { Ready: 'False ContainersNotReady' } },
      );
      await run.sees(made, { isCurrent: true, readyReplicas: 1, updatedReplicas: 1, currentReplicas: 1 });
      await run.change(made, { spec: { template: template('db', forever) } });
      await run.sees(made, { isCurrent: true, readyReplicas: 1, updatedReplicas: 1 }); // db-0, which never was another
      // A known trait of StatefulSets: a Pod that never was ready is not replaced by itself.
      await run.remove({ ...types.Pod, name: 'db-1' });
      await run.sees(made, { ...settled(2), updatedReplicas: 2 });
    },
    'a deleted Pod comes back under its name': async run => {
      const made = await run.create(
        workload('StatefulSet', 'db', forever, { replicas: 1, serviceName: 'db' }),
      );
      await run.sees(made, settled(1));
      const [first] = await run.now(types.Pod);
      if (!first) throw new Error('no Pod');
      await run.remove(first);
      await run.seesAll(types.Pod, 'another db-0 runs', ([pod]) => {
        return pod && pod.metadata.uid !== first.metadata.uid && statusOf(pod).phase === 'Running';
      });
    },
    'Parallel: all at once, and all away at once': async run => {
      const more = { replicas: 3, serviceName: 'db', podManagementPolicy: 'Parallel' };
      const slow = {
        ...forever,
        readinessProbe: eachSecond({ exec: { command: ['true'] }, initialDelaySeconds: 2 }),
      };
      const made = await run.create(workload('StatefulSet', 'db', slow, more));
      await run.sees(made, settled(3));
      expect(steps(run).slice(0, 3).sort()).toEqual(['+db-0', '+db-1', '+db-2']);
    },
    'its volumes stay when it is scaled to nothing and back': async run => {
      const storageClass = run.namespace;
      await run.world.offerVolumes(storageClass, 2);
      const command = sh('trap "exit 0" TERM', 'hostname >>/v/runs; cat /v/runs', rest);
      const claim = {
        metadata: { name: 'data' },
        spec: {
          accessModes: ['ReadWriteOnce'],
          storageClassName: storageClass,
          resources: { requests: { storage: '1Mi' } },
        },
      };
      const made = await run.create(
        workload(
          'StatefulSet',
          'db',
          { command, volumeMounts: [{ name: 'data', mountPath: '/v' }] },
          {
            replicas: 2,
            serviceName: 'db',
            volumeClaimTemplates: [claim],
          },
        ),
      );
      await run.sees(made, settled(2));
      await run.sees({ ...types.PersistentVolumeClaim, name: 'data-db-1' }, { phase: 'Bound' });
      await run.change(made, { spec: { replicas: 0 } });
      await run.seesAll(types.Pod, 'no Pod is left', pods => pods.length === 0);
      await run.change(made, { spec: { replicas: 2 } });
      await run.sees(made, settled(2));
      const log = await run.eventually(
        'its log',
        () => run.logs('db-1'),
        text => text.includes('up'),
      );
      expect(log).toBe('db-1\ndb-1\nup\n');
      const claims = (await run.now(types.PersistentVolumeClaim)).map(one => one.metadata.name);
      expect(claims.sort()).toEqual(['data-db-0', 'data-db-1']);
    },
    'each Pod has a name of its own behind a headless Service': async run => {
      await run.create(service('db', { clusterIP: 'None', ports: [{ port: 8080 }] }));
      const made = await run.create(
        workload('StatefulSet', 'db', { command: webServer }, { replicas: 2, serviceName: 'db' }),
      );
      await run.sees(made, settled(2));
      for (const name of ['db-0', 'db-1']) {
        const url = `http://${name}.db.${run.namespace}.svc.cluster.local:8080/`;
        await run.eventually(
          url,
          () => run.world.fetch(url),
          body => body === `${name}\n`,
        );
      }
    },
  },
};
