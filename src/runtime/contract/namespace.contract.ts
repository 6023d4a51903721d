import { expect } from 'vitest';
import { ClusterError } from '../../cluster/cluster-error.ts';
import { pod, rest, runForever, service, sh, workload } from './manifests.contract.ts';
import type { RuntimeTopic } from './run-topics.contract.ts';
import { types } from './runtime-case.contract.ts';
import { statusOf } from './views.contract.ts';

export const namespaceCases: RuntimeTopic = {
  topic: 'the end of a namespace',
  cases: {
    'everything in it is ended, with the time that Pods are given, and then it is gone': async run => {
      const polite = sh('trap "sleep 2; exit 0" TERM', rest);
      const one = await run.create(pod('polite', { command: polite }, { terminationGracePeriodSeconds: 60 }));
      const made = await run.create(workload('Deployment', 'web', { command: runForever }, { replicas: 2 }));
      await run.create(service('web'));
      await run.isUp(one);
      await run.sees(made, { availableReplicas: 2 });
      await run.cluster.delete({ ...types.Namespace, name: run.namespace });
      const last = await run.gone({ ...types.Pod, name: 'polite' });
      expect(statusOf(last).phase).toBe('Succeeded');
      await run.seesAll(types.Pod, 'no Pod is left', pods => pods.length === 0);
      await run.eventually(
        'the namespace is gone',
        () =>
          run.cluster.get({ ...types.Namespace, name: run.namespace }).then(
            () => 'there',
            error => (error instanceof ClusterError ? error.reason : String(error)),
          ),
        reason => reason === 'NotFound',
      );
    },
  },
};
