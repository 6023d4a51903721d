import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { kinds } from '../api/kinds.ts';
import { leaseName } from '../app/operator/lease-name.ts';
import { plainPaint } from '../base/paint.ts';
import type { StoredObject } from '../cluster/cluster.ts';
import { eventually } from '../cluster/contract/case-world.contract.ts';
import { ShippedCluster } from '../testing/shipped-cluster.ts';
import { runProgram } from './program.ts';

const { programs } = inject('kubernetes');
const apiVersion = 'openstacklcm.airshipit.org/v1alpha1';
const definition = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' };
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  namespace: 'afloat-system',
  name: 'afloat-operator',
};

describe.skipIf(!programs)(
  'afloat install and uninstall (not with AFLOAT_TEST_KUBECONFIG)',
  { timeout: 180_000 },
  () => {
    let shipped: ShippedCluster;

    /** The program as a pipeline calls it: nobody to ask. */
    const afloat = async (...words: readonly string[]) => {
      let out = '';
      const exit = await runProgram([...words, '--kubeconfig', shipped.plane.kubeconfig], {
        print: text => {
          out += text;
        },
        tell: text => {
          out += text;
        },
        paint: plainPaint,
        folder: process.cwd(),
        readStdin: async () => '',
      });
      return { exit, out };
    };
    const definitions = async () =>
      (await shipped.admin.list(definition)).items.filter(({ metadata }) =>
        metadata.name.endsWith('.openstacklcm.airshipit.org'),
      );
    const find = (ref: {
      apiVersion: string;
      kind: string;
      namespace?: string;
      name: string;
    }): Promise<StoredObject | undefined> => shipped.admin.get(ref).catch(() => undefined);

    beforeAll(async () => {
      if (programs) shipped = await ShippedCluster.start(programs);
    });
    afterAll(() => shipped?.stop());

    test('prints what it would apply and touches nothing', async () => {
      const { exit, out } = await afloat('install', '--dry-run', '--image', 'r/afloat:1');
      expect(exit).toBe('ok');
      expect(out).toContain('image: r/afloat:1');
      expect(await definitions()).toEqual([]);
    });

    test('puts definitions and operator into a cluster, and again changes nothing', async () => {
      expect((await afloat('install', '--image', 'r/afloat:1', '--cloud', 'openstack')).exit).toBe('ok');
      expect(await definitions()).toHaveLength(kinds.length);
      const before = await shipped.admin.get(deployment);
      expect((await afloat('install', '--image', 'r/afloat:1', '--cloud', 'openstack')).exit).toBe('ok');
      expect((await shipped.admin.get(deployment)).metadata.generation).toBe(before.metadata.generation);
      expect((await afloat('install', '--image', 'r/afloat:2', '--cloud', 'openstack')).exit).toBe('ok');
      const after = await shipped.admin.get(deployment);
      expect(JSON.stringify(after['spec'])).toContain('r/afloat:2');
    });

    test('brings the definitions alone, with nothing beside them', async () => {
      const [plural] = kinds.map(kind => `${kind.plural}.openstacklcm.airshipit.org`);
      const ref = { ...definition, name: plural ?? '' };
      await shipped.admin.delete(ref);
      await eventually('it is gone', async () => (await find(ref)) === undefined);
      const { exit, out } = await afloat('install', '--crds-only');
      expect([exit, out]).toEqual(['ok', expect.stringContaining(`applied ${kinds.length} definitions`)]);
      expect(await definitions()).toHaveLength(kinds.length);
      const printed = await afloat('install', '--crds-only', '--dry-run');
      expect(new Set(printed.out.match(/^kind: .*$/gm))).toEqual(new Set(['kind: CustomResourceDefinition']));
    });

    test('mounts the packages of a claim, and lets records have the kinds that are named', async () => {
      const certificates = 'cert-manager.io/v1/Certificate';
      const words = ['--package-root-claim', 'packages', '--argo-workflows', '--custom-kind', certificates];
      const account = 'system:serviceaccount:openstack:afloat-services';
      const operator = 'system:serviceaccount:afloat-system:afloat-operator';
      expect(await shipped.can(account, 'create', 'argoproj.io/workflows', 'openstack')).toBe(false);
      expect(await shipped.can(operator, 'watch', 'argoproj.io/workflows')).toBe(false);
      const install = await afloat('install', '--image', 'r/afloat:2', '--cloud', 'openstack', ...words);
      expect(install.exit).toBe('ok');
      await eventually('the rights are known', () =>
        shipped.can(account, 'create', 'argoproj.io/workflows', 'openstack'),
      );
      for (const resource of ['argoproj.io/workflows', 'cert-manager.io/certificates']) {
        expect([resource, await shipped.can(account, 'patch', resource, 'openstack')]).toEqual([
          resource,
          true,
        ]);
        expect([resource, await shipped.can(account, 'patch', resource, 'default')]).toEqual([
          resource,
          false,
        ]);
        expect([resource, await shipped.can(operator, 'watch', resource)]).toEqual([resource, true]);
        expect([resource, await shipped.can(operator, 'create', resource, 'openstack')]).toEqual([
          resource,
          false,
        ]);
      }
      const { spec } = (await shipped.admin.get(deployment)) as unknown as {
        spec: {
          template: { spec: { volumes: object[]; containers: { args: string[]; volumeMounts: object[] }[] } };
        };
      };
      const [container] = spec.template.spec.containers;
      expect(container?.args).toEqual(
        expect.arrayContaining([
          '--package-root=/packages',
          '--follow=argoproj.io/v1alpha1/Workflow',
          `--follow=${certificates}`,
        ]),
      );
      expect(spec.template.spec.volumes).toContainEqual({
        name: 'packages',
        persistentVolumeClaim: { claimName: 'packages', readOnly: true },
      });
      expect(container?.volumeMounts).toContainEqual({
        name: 'packages',
        mountPath: '/packages',
        readOnly: true,
      });
    });

    test('tells the operator of an HAProxy, and refuses an nginx, which no Pod can tell anything', async () => {
      const file = join(await mkdtemp(join(tmpdir(), 'afloat-routers-')), 'routers.yaml');
      const addresses = 'address: 192.0.2.10, previewAddresses: [192.0.2.11]';
      const where = ['install', '--image', 'r/afloat:2', '--cloud', 'openstack', '--routers', file];
      await writeFile(file, `haproxy: { socket: /run/h/master.sock, folder: /run/h/routes, ${addresses} }`);
      expect((await afloat(...where)).exit).toBe('ok');
      expect(JSON.stringify((await shipped.admin.get(deployment))['spec'])).toContain('--routers=/routers/');
      const config = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'afloat-system' };
      const { data } = (await shipped.admin.get({
        ...config,
        name: 'afloat-operator-routers',
      })) as unknown as { data: Record<string, string> };
      expect(JSON.parse(data['routers.yaml'] ?? '')).toMatchObject({ haproxy: { folder: '/run/h/routes' } });
      await writeFile(file, `nginx: { command: [nginx], pidFile: /run/n.pid, folder: /n, ${addresses} }`);
      expect((await afloat(...where)).exit).not.toBe('ok');
      await rm(dirname(file), { recursive: true });
    });

    test('refuses what is no kind', async () => {
      const { exit } = await afloat('install', '--custom-kind', 'Certificate');
      expect(exit).toBe('usage');
    });

    test('leaves a namespace that was there before as it is', async () => {
      const metadata = { name: 'shared', labels: { owner: 'somebody' } };
      await shipped.admin.create({ apiVersion: 'v1', kind: 'Namespace', metadata });
      expect((await afloat('install', '--image', 'r/afloat:1', '-n', 'shared')).exit).toBe('ok');
      const { metadata: after } = await shipped.admin.get({
        apiVersion: 'v1',
        kind: 'Namespace',
        name: 'shared',
      });
      expect(after.labels).toEqual({ 'kubernetes.io/metadata.name': 'shared', owner: 'somebody' });
      await shipped.admin.delete({ ...deployment, namespace: 'shared' });
    });

    test('is not taken out where nobody can be asked, unless that is said', async () => {
      const { exit, out } = await afloat('uninstall');
      expect([exit, out]).toEqual(['usage', expect.stringContaining('--yes')]);
      expect(await find(deployment)).toBeDefined();
    });

    test('taken out, leaves definitions, records, and what does not belong to it', async () => {
      await eventually('records are taken', async () => {
        const record = await shipped.firstRecord('openstack', { approval: 'manual' });
        return shipped.admin.create(record).then(
          () => true,
          () => false,
        );
      });
      expect((await afloat('uninstall', '--yes')).exit).toBe('ok');
      expect(await find(deployment)).toBeUndefined();
      expect(
        await find({
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'ClusterRole',
          name: 'afloat-operator',
        }),
      ).toBeUndefined();
      expect(await find({ apiVersion: 'v1', kind: 'Namespace', name: 'afloat-system' })).toBeDefined();
      expect(await definitions()).toHaveLength(kinds.length);
      expect(
        await find({ apiVersion, kind: 'OpenstackDeployment', namespace: 'openstack', name: 'first' }),
      ).toBeDefined();
    });

    test('with --crds lists what will be forgotten, takes off our finalizers, and leaves what serves', async () => {
      expect((await afloat('install', '--image', 'r/afloat:1', '--cloud', 'openstack')).exit).toBe('ok');
      const ref = { apiVersion, kind: 'OpenstackDeployment', namespace: 'openstack', name: 'first' };
      const finalizers = ['openstacklcm.airshipit.org/kept'];
      await shipped.admin.patch(ref, { type: 'merge', value: { metadata: { finalizers } } });
      const serving = { apiVersion: 'v1', kind: 'Service', namespace: 'openstack', name: 'keystone' };
      await shipped.admin.create({
        ...{
          apiVersion: 'v1',
          kind: 'Service',
          metadata: {
            name: 'keystone',
            namespace: 'openstack',
            labels: { 'app.kubernetes.io/managed-by': 'afloat' },
          },
        },
        spec: { ports: [{ port: 5000 }] },
      });
      // What operators of one namespace and of the whole cluster left there.
      const kept = [
        ...['default', 'openstack'].map(namespace => ({ namespace, name: 'afloat-manager' })),
        ...['afloat-system', 'openstack'].map(namespace => ({ namespace, name: leaseName })),
      ].map(metadata =>
        metadata.name === 'afloat-manager'
          ? {
              ...{ apiVersion: 'v1', kind: 'ConfigMap', data: { epoch: '3' } },
              metadata: { ...metadata, labels: { 'app.kubernetes.io/managed-by': 'afloat' } },
            }
          : { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec: {} },
      );
      for (const object of kept) await shipped.admin.create(object);
      const asked = await afloat('uninstall', '--crds');
      expect(asked.exit).toBe('usage');
      expect(asked.out).toContain('openstack: 1 OpenstackDeployment');
      expect(await find(ref)).toBeDefined();
      const done = await afloat('uninstall', '--crds', '--yes');
      expect([done.exit, done.out]).toEqual(['ok', expect.stringContaining('removed')]);
      await eventually('the definitions are gone', async () => (await definitions()).length === 0);
      for (const { apiVersion: of, kind, metadata } of kept)
        expect([kind, metadata.namespace, await find({ apiVersion: of, kind, ...metadata })]).toEqual([
          ...[kind, metadata.namespace, undefined],
        ]);
      expect(await find(serving)).toBeDefined();
      const { items } = await shipped.admin.list(
        { apiVersion: 'v1', kind: 'Secret' },
        { namespace: 'openstack' },
      );
      expect(items.some(({ metadata }) => metadata.name.startsWith('afloat-package'))).toBe(true);
    });
  },
);
