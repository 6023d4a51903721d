import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import manifest from '../../../package.json' with { type: 'json' };
import { findHelm, missingForHelm } from '../../../scripts/kubernetes/build/find-programs.ts';
import type { ClusterObject } from '../../cluster/cluster.ts';
import { eventually } from '../../cluster/contract/case-world.contract.ts';
import { ShippedCluster } from '../../testing/shipped-cluster.ts';
import { operatorObjects } from './install-objects.ts';

const run = promisify(execFile);
const { programs } = inject('kubernetes');
const chart = join(import.meta.dirname, '..', '..', '..', 'deploy', 'chart');
const missing = programs ? await missingForHelm() : 'no control plane of our own';
const place = ({ kind, metadata }: ClusterObject) => `${kind} ${metadata.namespace ?? '-'} ${metadata.name}`;

interface Workload {
  readonly strategy?: unknown;
  readonly template: {
    readonly spec: {
      readonly containers: { image: string; args: string[]; volumeMounts: object[] }[];
      readonly volumes: object[];
    };
  };
}
const certificate = { apiVersion: 'cert-manager.io/v1', kind: 'Certificate', resource: 'certificates' };
const routers = {
  haproxy: {
    socket: '/run/afloat-haproxy/master.sock',
    folder: '/run/afloat-haproxy/routes',
    address: '192.0.2.10',
    previewAddresses: ['192.0.2.11', '192.0.2.12'],
  },
};
const remoteRouters = { haproxy: { ...routers.haproxy, socket: '192.0.2.10:9999' } };
const specOf = (object: ClusterObject | undefined) => object?.['spec'] as Workload | undefined;
const volumesOf = (object: ClusterObject | undefined) => specOf(object)?.template.spec.volumes;
const containerOf = (object: ClusterObject | undefined) => specOf(object)?.template.spec.containers[0];

describe.skipIf(missing !== undefined)('the Helm chart', { timeout: 180_000 }, () => {
  let helm = '';
  let shipped: ShippedCluster;
  const call = async (...words: readonly string[]) => (await run(helm, [...words])).stdout;
  const template = async (...words: readonly string[]) => {
    const text = await call(
      'template',
      'afloat',
      chart,
      '-n',
      'afloat-system',
      '--kube-version',
      '1.36.0',
      ...words,
    );
    return parseAllDocuments(text).flatMap(document =>
      document.toJS() ? [document.toJS() as ClusterObject] : [],
    );
  };

  beforeAll(async () => {
    helm = await findHelm(() => {});
    if (programs) shipped = await ShippedCluster.start(programs);
  });
  afterAll(() => shipped?.stop());

  test('is without fault', async () => {
    expect(await call('lint', '--strict', chart)).toContain('0 chart(s) failed');
  });

  test.each<[string, readonly string[], Parameters<typeof operatorObjects>[0]]>([
    ['as it comes', [], { image: `afloat:${manifest.version}` }],
    [
      'with clouds',
      [
        '--set',
        'clouds={openstack,other}',
        '--set',
        'image.repository=r/afloat',
        '--set',
        'image.tag=two',
        '--set',
        'replicas=1',
      ],
      { image: 'r/afloat:two', clouds: ['openstack', 'other'], replicas: 1 },
    ],
    [
      'everywhere',
      ['--set', 'allNamespaces=true'],
      { image: `afloat:${manifest.version}`, everywhere: true },
    ],
    [
      'in one namespace',
      ['--set', 'watchNamespace=only'],
      { image: `afloat:${manifest.version}`, watch: 'only' },
    ],
    [
      'with Argo Workflows and a kind of somebody else',
      [
        '--set',
        'clouds={openstack,other}',
        '--set',
        'argoWorkflows=true',
        '--set-json',
        `customKinds=${JSON.stringify([certificate])}`,
        '--set-json',
        'packageRoot={"persistentVolumeClaim":{"claimName":"packages","readOnly":true}}',
      ],
      {
        image: `afloat:${manifest.version}`,
        clouds: ['openstack', 'other'],
        argoWorkflows: true,
        customKinds: [certificate],
        packageRootClaim: 'packages',
      },
    ],
    [
      'with the same in one namespace',
      [
        '--set',
        'watchNamespace=only',
        '--set',
        'argoWorkflows=true',
        '--set-json',
        `customKinds=${JSON.stringify([certificate])}`,
      ],
      {
        image: `afloat:${manifest.version}`,
        watch: 'only',
        argoWorkflows: true,
        customKinds: [certificate],
      },
    ],
    [
      'with an HAProxy',
      ['--set-json', `routers=${JSON.stringify(routers)}`],
      { image: `afloat:${manifest.version}`, routers },
    ],
    [
      'with an HAProxy on another machine',
      ['--set-json', `routers=${JSON.stringify(remoteRouters)}`],
      { image: `afloat:${manifest.version}`, routers: remoteRouters },
    ],
  ])('gives what `afloat install` applies, %s', async (_, words, request) => {
    const given = await template(...words);
    const wanted = operatorObjects(request).filter(({ kind }) => kind !== 'Namespace');
    const byPlace = (objects: readonly ClusterObject[]) =>
      new Map(objects.map(object => [place(object), object]));
    const [left, right] = [byPlace(given), byPlace(wanted)];
    expect([...left.keys()].sort()).toEqual([...right.keys()].sort());
    for (const [key, object] of right)
      if (object.kind !== 'Deployment') expect([key, left.get(key)]).toEqual([key, object]);
    const key = 'Deployment afloat-system afloat-operator';
    const [mine, theirs] = [containerOf(left.get(key)), containerOf(right.get(key))];
    expect(mine?.image).toBe(theirs?.image);
    expect(mine?.args).toEqual(expect.arrayContaining(theirs?.args ?? []));
    expect(mine?.volumeMounts).toEqual(theirs?.volumeMounts);
    expect(volumesOf(left.get(key))).toEqual(volumesOf(right.get(key)));
  });

  test('refuses values that mean nothing', async () => {
    for (const words of [
      ['--set', 'replicas=0'],
      ['--set', 'cloudz={a}'],
      ['--set', 'clouds={A_B}'],
      ['--set', 'image.pullPolicy=Sometimes'],
      ['--set', 'leaderElect=false'], // two that do not wait for each other
      ['--set', 'extraArgs={--leader-elect=false}'],
      ['--set-json', 'customKinds=[{"kind":"Certificate"}]'],
      ['--set-json', 'routers={"haproxy":{"socket":"/run/a.sock"}}'],
      ['--set-json', 'routers={"nginx":{}}'],
    ])
      await expect(template(...words)).rejects.toThrow(/values don't meet the specifications/);
  });

  test('runs one without election, after the one of before has ended', async () => {
    const objects = await template('--set', 'leaderElect=false', '--set', 'replicas=1');
    const deployment = objects.find(({ kind }) => kind === 'Deployment');
    expect(containerOf(deployment)?.args).toContain('--leader-elect=false');
    expect(specOf(deployment)?.strategy).toEqual({ type: 'Recreate' });
  });

  test('mounts what else is named', async () => {
    const objects = await template(
      ...['--set-json', 'extraVolumes=[{"name":"keys","secret":{"secretName":"keys"}}]'],
      ...['--set-json', 'extraVolumeMounts=[{"name":"keys","mountPath":"/keys"}]'],
    );
    const deployment = objects.find(({ kind }) => kind === 'Deployment');
    expect(volumesOf(deployment)).toEqual([
      { name: 'tmp', emptyDir: {} },
      { name: 'keys', secret: { secretName: 'keys' } },
    ]);
    expect(containerOf(deployment)?.volumeMounts).toEqual([
      { name: 'tmp', mountPath: '/tmp' },
      { name: 'keys', mountPath: '/keys' },
    ]);
  });

  test('installs into a cluster, and its removal leaves definitions and records', async () => {
    const { kubeconfig } = shipped.plane;
    await shipped.admin.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'openstack' } });
    const where = ['--kubeconfig', kubeconfig, '-n', 'afloat-system'];
    await call('install', 'afloat', chart, ...where, '--create-namespace', '--set', 'clouds={openstack}');
    const user = 'system:serviceaccount:afloat-system:afloat-operator';
    expect(await shipped.can(user, 'get', 'secrets', 'openstack')).toBe(true);
    const record = await shipped.firstRecord('openstack', { approval: 'manual' });
    await eventually('our kinds are served', () =>
      shipped.admin.create(record).then(
        () => true,
        (error: { reason: string }) => error.reason === 'AlreadyExists',
      ),
    );
    await call('upgrade', 'afloat', chart, ...where, '--reuse-values', '--set', 'replicas=1');
    await call('uninstall', 'afloat', ...where);
    expect(await shipped.can(user, 'get', 'secrets', 'openstack')).toBe(false);
    const type = { apiVersion: record.apiVersion, kind: record.kind };
    const { items } = await shipped.admin.list(type, { namespace: 'openstack' });
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['first']);
  });
});
