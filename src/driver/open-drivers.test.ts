import { describe, expect, test } from 'vitest';
import { managedBy, managedByLabel, phaseLabel } from '../api/labels.ts';
import type { JsonObject } from '../base/json.ts';
import type { Cluster, ClusterObject } from '../cluster/cluster.ts';
import { ClusterError } from '../cluster/cluster-error.ts';
import { StoreFolder } from '../cluster/embedded/store-folder.contract.ts';
import type { PodLogs } from './driver.ts';
import { openDrivers } from './open-drivers.ts';

const labels = { [managedByLabel]: managedBy, [phaseLabel]: 'install-1' };
const metadata = { name: 'one', namespace: 'default', labels };
const noLogs: PodLogs = { tail: async () => undefined };

const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'x' }] } };
const job: ClusterObject = { apiVersion: 'batch/v1', kind: 'Job', metadata, spec: { template } };

/** Writes a status as whoever runs the object would. */
async function say(cluster: Cluster, { apiVersion, kind }: ClusterObject, name: string, status: JsonObject) {
  const ref = { apiVersion, kind, name, namespace: 'default' };
  await cluster.patch(ref, { type: 'merge', value: { status } }, { subresource: 'status' });
}

async function note(cluster: Cluster, about: ClusterObject, reason: string, message: string): Promise<void> {
  const { apiVersion, kind } = about;
  const live = await cluster.get({ apiVersion, kind, name: 'one', namespace: 'default' });
  await cluster.create({
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { generateName: 'one-', namespace: 'default' },
    involvedObject: { apiVersion, kind, name: 'one', namespace: 'default', uid: live.metadata.uid },
    reason,
    message,
    type: 'Warning',
    lastTimestamp: new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
  });
}

/** A Job that failed, with the Pod that did. */
async function failJob(cluster: Cluster): Promise<void> {
  const live = await cluster.create(job);
  const owner = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    name: 'one',
    uid: live.metadata.uid,
    controller: true,
  };
  const pod: ClusterObject = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'one-x',
      namespace: 'default',
      labels: { 'job-name': 'one' },
      ownerReferences: [owner],
    },
    spec: template.spec,
  };
  await cluster.create(pod);
  const terminated = { exitCode: 1, reason: 'Error' };
  await say(cluster, pod, 'one-x', {
    phase: 'Failed',
    containerStatuses: [
      { name: 'main', ready: false, restartCount: 0, image: 'x', imageID: '', state: { terminated } },
    ],
  });
  const conditions = ['FailureTarget', 'Failed'].map(type => ({
    type,
    status: 'True',
    reason: 'BackoffLimitExceeded',
  }));
  await say(cluster, job, 'one', { failed: 1, startTime: '2026-01-01T00:00:00Z', conditions });
}

describe('a Job', () => {
  test('that failed says so also when its log cannot be read', async () => {
    await using folder = new StoreFolder();
    const cluster = await folder.open();
    await failJob(cluster);
    const tail = async () => {
      throw new ClusterError('Unreachable', 'the node does not answer');
    };
    const report = await openDrivers({ cluster, logs: { tail } }).for(job).observe(job);
    expect(report).toMatchObject({ state: 'failed', reason: 'BackoffLimitExceeded' });
    expect(report).not.toHaveProperty('log');
    expect(report).not.toHaveProperty('culprit');
  });
  test('that failed has the end of the log of the container that did', async () => {
    await using folder = new StoreFolder();
    const cluster = await folder.open();
    await failJob(cluster);
    const tail: PodLogs['tail'] = async ({ namespace, pod, container }, lines) =>
      `${lines} lines of ${namespace}/${pod}/${container}`;
    const report = await openDrivers({ cluster, logs: { tail } }).for(job).observe(job);
    expect(report.log).toBe('20 lines of default/one-x/main');
  });
  test('whose Pods are refused is stuck', async () => {
    await using folder = new StoreFolder();
    const cluster = await folder.open();
    const driver = openDrivers({ cluster, logs: noLogs }).for(job);
    await driver.apply(job);
    expect(await driver.observe(job)).toMatchObject({ state: 'progressing' });
    await note(
      cluster,
      job,
      'FailedCreate',
      'Error creating: pods "one-abcde" is forbidden: exceeded quota: q',
    );
    expect(await driver.observe(job)).toMatchObject({ state: 'stuck', reason: 'FailedCreate' });
  });
  test('of the same name that is still being deleted is waited for', async () => {
    await using folder = new StoreFolder();
    const cluster = await folder.open();
    await cluster.create({ ...job, metadata: { ...metadata, finalizers: ['afloat.test/keep'] } });
    const driver = openDrivers({ cluster, logs: noLogs }).for(job);
    expect(await driver.remove(job)).toBe('going');
    expect(await driver.remove(job)).toBe('going');
    expect(await driver.observe(job)).toMatchObject({ state: 'progressing', reason: 'Terminating' });
    await expect(driver.apply(job)).rejects.toEqual(expect.objectContaining({ reason: 'Conflict' }));
  });
});

test('a claim whose class waits for a Pod is done; one that nobody serves is stuck', async () => {
  await using folder = new StoreFolder();
  const cluster = await folder.open();
  const claim: ClusterObject = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata,
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  };
  const driver = openDrivers({ cluster, logs: noLogs }).for(claim);
  await driver.apply(claim);
  expect(await driver.observe(claim)).toMatchObject({ state: 'progressing' });
  await note(cluster, claim, 'FailedBinding', 'no storage class is set');
  expect(await driver.observe(claim)).toMatchObject({ state: 'stuck', reason: 'FailedBinding' });
  await note(cluster, claim, 'WaitForFirstConsumer', 'waiting for first consumer');
  expect(await driver.observe(claim)).toMatchObject({ state: 'done', reason: 'WaitForFirstConsumer' });
});

test('a StatefulSet whose fixed fields change is refused with their names', async () => {
  await using folder = new StoreFolder();
  const cluster = await folder.open();
  const set = (serviceName: string): ClusterObject => ({
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata,
    spec: {
      serviceName,
      selector: { matchLabels: { app: 'one' } },
      template: {
        metadata: { labels: { app: 'one' } },
        spec: { containers: [{ name: 'main', image: 'x' }] },
      },
    },
  });
  const driver = openDrivers({ cluster, logs: noLogs }).for(set('a'));
  await driver.apply(set('a'));
  const refusal = { code: 'ImmutableField', message: expect.stringContaining('StatefulSet default/one') };
  await expect(driver.apply(set('b'))).rejects.toEqual(expect.objectContaining(refusal));
});

describe('the table of drivers', () => {
  const definition: ClusterObject = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'workflows.argoproj.io', labels },
    spec: {
      group: 'argoproj.io',
      scope: 'Namespaced',
      names: { kind: 'Workflow', plural: 'workflows', singular: 'workflow', listKind: 'WorkflowList' },
      versions: [
        {
          name: 'v1alpha1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          },
        },
      ],
    },
  };

  test('knows how an Argo Workflow ends', async () => {
    await using folder = new StoreFolder();
    const cluster = await folder.open();
    const drivers = openDrivers({ cluster, logs: noLogs });
    await drivers.for(definition).apply(definition);
    await expect
      .poll(async () => (await drivers.for(definition).observe(definition)).state, { timeout: 20_000 })
      .toBe('done');
    const flow: ClusterObject = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Workflow', metadata, spec: {} };
    await drivers.for(flow).apply(flow);
    const ref = { apiVersion: flow.apiVersion, kind: 'Workflow', name: 'one', namespace: 'default' };
    const states: string[] = [];
    for (const phase of ['Running', 'Succeeded', 'Failed', 'Error']) {
      await cluster.patch(ref, { type: 'merge', value: { status: { phase } } });
      states.push((await drivers.for(flow).observe(flow)).state);
    }
    expect(states).toEqual(['progressing', 'done', 'failed', 'failed']);
  });
  test('goes by the group too: a Job of somebody else is no Job of batch', () => {
    const drivers = openDrivers({ cluster: {} as Cluster, logs: noLogs });
    const plain = drivers.for({ apiVersion: 'v1', kind: 'ConfigMap' });
    expect(drivers.for({ apiVersion: 'example.com/v1', kind: 'Job' })).toBe(plain);
    expect(drivers.for({ apiVersion: 'batch/v1', kind: 'Job' })).not.toBe(plain);
    expect(drivers.for({ apiVersion: 'apps/v1', kind: 'Deployment' })).not.toBe(plain);
  });
});
