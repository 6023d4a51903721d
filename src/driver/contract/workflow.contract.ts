import { expect } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import type { ClusterObject } from '../../cluster/cluster.ts';
import { type DriverCase, type DriverCases, ours } from './driver-case.contract.ts';

/** As much of Argo's own as these cases need: the status is written as the workflow-controller would write it. */
const definition: ClusterObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'workflows.argoproj.io', labels: ours },
  spec: {
    group: 'argoproj.io',
    scope: 'Namespaced',
    names: { kind: 'Workflow', plural: 'workflows', singular: 'workflow', listKind: 'WorkflowList' },
    versions: [
      {
        name: 'v1alpha1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

/** Writes the status as a controller would: the kind has no status of its own address. */
async function say(run: DriverCase, object: ClusterObject, status: JsonObject): Promise<void> {
  const { apiVersion, kind, metadata } = object;
  const ref = { apiVersion, kind, name: metadata.name ?? '', namespace: run.namespace };
  await run.cluster.patch(ref, { type: 'merge', value: { status } });
}

export const workflowCases: DriverCases = {
  'an Argo Workflow is judged by its phase, its steps and its Pods, is never begun twice, and goes':
    async run => {
      // One for all: whoever brings Argo along has it already, and it is not ours to take away.
      await run.becomes(definition, 'done');
      const workflow = (name: string) =>
        run.object('Workflow', name, {
          apiVersion: 'argoproj.io/v1alpha1',
          spec: { entrypoint: 'main', templates: [{ name: 'main', suspend: {} }] },
        });
      const one = workflow('one');
      await run.becomes(one, 'progressing', 'NotObserved');
      const step = (type: string, phase: string, message = '') => ({
        'one-1': { displayName: 'main', type, phase, message, templateName: 'main' },
      });
      await say(run, one, { phase: 'Running', nodes: step('Suspend', 'Running') });
      await run.becomes(one, 'progressing', 'Suspended');
      await say(run, one, { phase: 'Running', nodes: step('Pod', 'Pending', 'ImagePullBackOff: no image') });
      await run.becomes(one, 'stuck', 'ImagePullBackOff');
      await say(run, one, { phase: 'Succeeded', nodes: step('Pod', 'Succeeded') });
      const done = await run.becomes(one, 'done', 'Succeeded');
      expect(done.message).toContain('Workflow one');
      const other = workflow('other');
      await run.becomes(other, 'progressing');
      await say(run, other, {
        phase: 'Failed',
        message: 'main failed',
        nodes: step('Pod', 'Failed', 'exit code 3'),
      });
      const failed = await run.becomes(other, 'failed', 'Failed');
      expect(failed.message).toContain('exit code 3');
      await run.removed(one);
      await run.removed(other);
    },
};
