import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { findArgo, missingForArgo } from '../../scripts/kubernetes/build/find-programs.ts';
import { startWatched, type WatchedProcess } from '../../scripts/kubernetes/process/watched-process.ts';
import { managedBy, managedByLabel, phaseLabel } from '../api/labels.ts';
import type { JsonObject } from '../base/json.ts';
import type { ClusterObject, StoredObject } from '../cluster/cluster.ts';
import { findAccess } from '../cluster/kubernetes/access/find-access.ts';
import { KubernetesCluster } from '../cluster/kubernetes/kubernetes-cluster.ts';
import type { DriverReport } from './driver.ts';
import { observeWorkflow } from './observe/observe-workflow.ts';
import { openDrivers } from './open-drivers.ts';

const missing = await missingForArgo();
if (missing !== undefined && process.env['CI'] === undefined)
  process.stdout.write(`the controller of Argo Workflows is not here, its tests are skipped: ${missing}\n`);

const { kubeconfig } = inject('kubernetes');
const cluster = KubernetesCluster.to(await findAccess({ kubeconfig }));
const drivers = openDrivers({ cluster, logs: { tail: async () => undefined } });
const at = '2026-01-01T00:00:00Z';
const labels = { [managedByLabel]: managedBy, [phaseLabel]: 'install-1' };

/** The kinds that the controller follows; as open as its own minimal definitions. */
const kinds = [
  ...['Workflow', 'WorkflowTemplate', 'CronWorkflow', 'WorkflowTaskSet', 'WorkflowTaskResult'],
  ...['WorkflowArtifactGCTask', 'WorkflowEventBinding', 'ClusterWorkflowTemplate'],
];

function definition(kind: string): ClusterObject {
  const plural = `${kind.toLowerCase()}s`;
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const hasStatus = kind === 'WorkflowTaskSet' || kind === 'WorkflowArtifactGCTask';
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.argoproj.io`, labels },
    spec: {
      group: 'argoproj.io',
      scope: kind.startsWith('Cluster') ? 'Cluster' : 'Namespaced',
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [
        {
          ...{ name: 'v1alpha1', served: true, storage: true, schema },
          ...(hasStatus ? { subresources: { status: {} } } : {}),
        },
      ],
    },
  };
}

describe.skipIf(missing !== undefined && process.env['CI'] === undefined)(
  'Workflows of the real controller',
  () => {
    let folder: string;
    let namespace: string;
    let controller: WatchedProcess;

    beforeAll(async () => {
      const program = await findArgo(line => process.stdout.write(`${line}\n`));
      folder = mkdtempSync(join(tmpdir(), 'afloat-argo-'));
      for (const kind of kinds) {
        await drivers.for(definition(kind)).apply(definition(kind));
        await until(definition(kind), ({ state }) => state === 'done');
      }
      const namespaces = { apiVersion: 'v1', kind: 'Namespace' };
      namespace = (await cluster.create({ ...namespaces, metadata: { generateName: 'argo-' } })).metadata
        .name;
      const name = 'workflow-controller-configmap';
      await cluster.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data: {} });
      controller = await startWatched({
        ...{ name: 'workflow-controller', program, folder, logFile: join(folder, 'log') },
        arguments: [
          ...['--kubeconfig', kubeconfig, '--namespaced', '--namespace', namespace],
          ...['--executor-image', 'argoexec:none', '--loglevel', 'warn'],
        ],
        environment: { LEADER_ELECTION_DISABLE: 'true', POD_NAME: 'controller', ARGO_POD_GC: 'false' },
      });
    }, 1_500_000);
    afterAll(async () => {
      await controller?.kill();
      if (namespace) await cluster.delete({ apiVersion: 'v1', kind: 'Namespace', name: namespace });
      await cluster.close();
      rmSync(folder, { recursive: true, force: true });
    }, 60_000);

    const workflow = (name: string, spec: JsonObject): ClusterObject => ({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Workflow',
      metadata: { name, namespace, labels },
      spec: { entrypoint: 'main', ...spec },
    });

    /** The Pod that the controller made for a Workflow. */
    async function podOf(name: string): Promise<StoredObject> {
      const labelSelector = `workflows.argoproj.io/workflow=${name}`;
      const list = () => cluster.list({ apiVersion: 'v1', kind: 'Pod' }, { namespace, labelSelector });
      await expect.poll(async () => (await list()).items.length, { timeout: 60_000 }).toBe(1);
      return (await list()).items[0] ?? expect.unreachable();
    }

    async function say({ apiVersion, kind, metadata }: StoredObject, status: JsonObject): Promise<void> {
      const ref = { apiVersion, kind, name: metadata.name, namespace };
      await cluster.patch(ref, { type: 'merge', value: { status } }, { subresource: 'status' });
    }

    async function until(
      object: ClusterObject,
      isSo: (report: DriverReport) => boolean,
    ): Promise<DriverReport> {
      const end = performance.now() + 120_000;
      for (;;) {
        const report = await drivers.for(object).observe(object);
        if (isSo(report)) return report;
        if (performance.now() > end)
          expect.unreachable(
            `${object.kind} ${object.metadata.name}: ${JSON.stringify(report)}\n${await controller?.lastWords()}`,
          );
        await pause(200);
      }
    }

    test('one that waits for a person says so, and is done when somebody resumes it', async () => {
      const object = workflow('waits', {
        templates: [
          {
            name: 'main',
            steps: [[{ name: 'approve', template: 'gate' }], [{ name: 'rest', template: 'rest' }]],
          },
          { name: 'gate', suspend: {} },
          { name: 'rest', suspend: { duration: '1s' } },
        ],
      });
      await drivers.for(object).apply(object);
      const report = await until(object, ({ reason }) => reason === 'Suspended');
      expect(report).toMatchObject({ state: 'progressing', message: expect.stringContaining('approve') });
      // What `argo resume` does: the step is told that it has succeeded.
      const ref = { apiVersion: object.apiVersion, kind: 'Workflow', name: 'waits', namespace };
      const { status } = (await cluster.get(ref)) as unknown as {
        status: { nodes: Record<string, { type: string }> };
      };
      const [id = ''] = Object.entries(status.nodes).find(([, { type }]) => type === 'Suspend') ?? [];
      await cluster.patch(ref, {
        type: 'merge',
        value: { status: { nodes: { [id]: { phase: 'Succeeded', finishedAt: new Date().toISOString() } } } },
      });
      expect(await until(object, ({ state }) => state !== 'progressing')).toMatchObject({ state: 'done' });
      expect(await drivers.for(object).remove(object)).toBe('gone');
    }, 180_000);

    test('one that is suspended as a whole says so', async () => {
      const object = workflow('suspended', { suspend: true, templates: [{ name: 'main', suspend: {} }] });
      await drivers.for(object).apply(object);
      const report = await until(object, ({ reason }) => reason === 'Suspended');
      expect(report.state).toBe('progressing');
      await drivers.for(object).remove(object);
    }, 180_000);

    test('one that is not valid has failed, with what is wrong with it', async () => {
      const object = workflow('invalid', { templates: [{ name: 'other', suspend: {} }] });
      await drivers.for(object).apply(object);
      const report = await until(object, ({ state }) => state !== 'progressing');
      expect(report).toMatchObject({ state: 'failed', message: expect.stringMatching(/main/) });
      await drivers.for(object).remove(object);
    }, 180_000);

    test('one whose Pod has no image can never finish, by the word of the controller too; one whose Pod fails names the step', async () => {
      const object = workflow('pods', {
        templates: [
          { name: 'main', steps: [[{ name: 'sync', template: 'sync' }]] },
          { name: 'sync', container: { image: 'keystone:none', command: ['sync'] } },
        ],
      });
      await drivers.for(object).apply(object);
      const pod = await podOf('pods');
      // No kubelet is here: what it would say is written for it, and the controller reads it.
      await say(pod, {
        phase: 'Pending',
        containerStatuses: ['main', 'wait'].map(name => ({
          ...{ name, image: 'keystone:none', imageID: '', ready: false, restartCount: 0 },
          state: {
            waiting: { reason: 'ImagePullBackOff', message: 'Back-off pulling image "keystone:none"' },
          },
        })),
      });
      const stuck = await until(object, ({ state }) => state === 'stuck');
      expect(stuck.reason).toBe('ImagePullBackOff');
      const ref = { apiVersion: object.apiVersion, kind: 'Workflow', name: 'pods', namespace };
      await expect
        .poll(async () => observeWorkflow(await cluster.get(ref), []), { timeout: 60_000 })
        .toMatchObject({
          state: 'stuck',
          reason: 'ImagePullBackOff',
          message: expect.stringContaining('sync'),
        });
      const terminated = { exitCode: 3, reason: 'Error', startedAt: at, finishedAt: at };
      await say(pod, {
        phase: 'Failed',
        containerStatuses: ['main', 'wait'].map(name => ({
          ...{ name, image: 'keystone:none', imageID: 'x', ready: false, restartCount: 0 },
          state: { terminated },
        })),
      });
      const failed = await until(object, ({ state }) => state === 'failed');
      expect(failed.message).toMatch(/step sync/);
      await drivers.for(object).remove(object);
    }, 180_000);

    test('one that takes longer than it may has failed', async () => {
      const object = workflow('late', {
        activeDeadlineSeconds: 2,
        templates: [{ name: 'main', suspend: {} }],
      });
      await drivers.for(object).apply(object);
      const report = await until(object, ({ state }) => state === 'failed');
      expect(report.message).toMatch(/late/);
      await drivers.for(object).remove(object);
    }, 180_000);
  },
);
