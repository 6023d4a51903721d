import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Cluster } from '../../cluster/cluster.ts';
import { eventually } from '../../cluster/contract/case-world.contract.ts';
import { findAccess } from '../../cluster/kubernetes/access/find-access.ts';
import { KubernetesCluster } from '../../cluster/kubernetes/kubernetes-cluster.ts';
import { asAccount } from '../../controller/runtime/as-account.ts';
import { servicesName } from './deploy-names.ts';
import { serviceRules } from './rules.ts';

const rbac = 'rbac.authorization.k8s.io/v1';
let admin: KubernetesCluster;
let namespace = '';
let account: Cluster;

beforeAll(async () => {
  admin = KubernetesCluster.to(await findAccess({ kubeconfig: inject('kubernetes').kubeconfig }));
  const made = await admin.create({
    ...{ apiVersion: 'v1', kind: 'Namespace', metadata: { generateName: 'chart-roles-' } },
  });
  namespace = made.metadata.name;
  const name = servicesName;
  // The least of the ready-made roles.
  await admin.create({
    ...{ apiVersion: rbac, kind: 'Role', metadata: { name, namespace }, rules: serviceRules.controlplane },
  });
  await admin.create({
    ...{ apiVersion: rbac, kind: 'RoleBinding', metadata: { name, namespace } },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
    subjects: [{ kind: 'ServiceAccount', name, namespace }],
  });
  account = asAccount(admin, namespace, servicesName);
  // Roles and bindings come to the API server's eyes a moment after they were written.
  const harmless = { apiGroups: [''], resources: ['pods'], verbs: ['get'] };
  await eventually('the right to write Roles', async () => (await create('first', [harmless])) === 'made');
}, 120_000);
afterAll(async () => {
  await admin.delete({ apiVersion: 'v1', kind: 'Namespace', name: namespace });
  await admin.close();
}, 60_000);

async function create(name: string, rules: readonly object[]): Promise<string> {
  const role = { apiVersion: rbac, kind: 'Role', metadata: { name, namespace }, rules };
  return account.create(role as never).then(
    () => 'made',
    (error: { reason?: string }) => error.reason ?? String(error),
  );
}

test.each([
  [
    'what pods get that wait for others',
    {
      apiGroups: ['', 'extensions', 'batch', 'apps', 'discovery.k8s.io'],
      resources: ['daemonsets', 'jobs', 'pods', 'services', 'endpoints', 'endpointslices', 'secrets'],
      verbs: ['get', 'list'],
    },
    'made',
  ],
  [
    'what jobs get that write keys',
    { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list', 'create', 'update', 'patch'] },
    'made',
  ],
  [
    'what the account does not have itself',
    { apiGroups: [''], resources: ['nodes'], verbs: ['get'] },
    'Forbidden',
  ],
])('a Role of a chart that the account of a record writes: %s', async (what, rule, want) => {
  expect(await create(what.replaceAll(' ', '-'), [rule])).toBe(want);
});
