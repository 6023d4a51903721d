import { expect } from 'vitest';
import { runForever, template, workload } from './manifests.contract.ts';
import type { RuntimeTopic } from './run-topics.contract.ts';
import { types } from './runtime-case.contract.ts';
import { statusOf } from './views.contract.ts';

const forever = { command: runForever };

export const replicaCases: RuntimeTopic = {
  topic: 'ReplicaSets and DaemonSets',
  cases: {
    'a ReplicaSet replaces a Pod that is deleted': async run => {
      const made = await run.create(workload('ReplicaSet', 'web', forever, { replicas: 2 }));
      const up = {
        isCurrent: true,
        replicas: 2,
        readyReplicas: 2,
        availableReplicas: 2,
        fullyLabeledReplicas: 2,
      };
      await run.sees(made, up);
      const [first, second] = await run.now(types.Pod);
      if (!first) throw new Error('no Pod');
      await run.remove(first);
      await run.gone(first);
      await run.seesAll(types.Pod, 'two that run', pods => {
        return pods.length === 2 && pods.every(pod => statusOf(pod).phase === 'Running');
      });
      const names = (await run.now(types.Pod)).map(pod => pod.metadata.name);
      expect(names).toContain(second?.metadata.name);
      expect(names).not.toContain(first.metadata.name);
      await run.event(made, 'SuccessfulCreate');
    },
    'a ReplicaSet replaces a Pod that has failed, and one that loses its label': async run => {
      const made = await run.create(workload('ReplicaSet', 'web', forever, { replicas: 1 }));
      await run.sees(made, { readyReplicas: 1 });
      const [first] = await run.now(types.Pod);
      if (!first) throw new Error('no Pod');
      await run.change(first, { metadata: { labels: { app: 'other' } } });
      await run.seesAll(types.Pod, 'another Pod', pods => {
        return pods.length === 2 && pods.every(pod => statusOf(pod).phase === 'Running');
      });
      const orphan = (await run.now(types.Pod)).find(pod => pod.metadata.name === first.metadata.name);
      expect(orphan?.metadata.ownerReferences).toBeUndefined();
    },
    'a DaemonSet runs one Pod on the node, and updates it in place': async run => {
      const made = await run.create(workload('DaemonSet', 'agent', forever));
      const up = {
        isCurrent: true,
        desiredNumberScheduled: 1,
        currentNumberScheduled: 1,
        updatedNumberScheduled: 1,
        numberReady: 1,
        numberAvailable: 1,
        numberUnavailable: 0,
        numberMisscheduled: 0,
      };
      await run.sees(made, up);
      const [first] = await run.now(types.Pod);
      expect(first?.metadata.name).toMatch(/^agent-[a-z0-9]{5}$/);
      const changed = template('agent', { ...forever, env: [{ name: 'VERSION', value: 'new' }] });
      await run.change(made, { spec: { template: changed } });
      await run.sees(made, up);
      await run.seesAll(types.Pod, 'another Pod', pods => {
        return pods.length === 1 && pods[0]?.metadata.name !== first?.metadata.name;
      });
    },
  },
};
