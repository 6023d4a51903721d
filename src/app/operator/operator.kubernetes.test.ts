import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import type { StoredObject } from '../../cluster/cluster.ts';
import { eventually } from '../../cluster/contract/case-world.contract.ts';
import { OperatorProcess } from '../../testing/operator-process.ts';
import { ShippedCluster } from '../../testing/shipped-cluster.ts';
import { leaseName } from './lease-name.ts';

const { programs } = inject('kubernetes');
const apiVersion = 'openstacklcm.airshipit.org/v1alpha1';
const home = 'afloat-system';
const leaseRef = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', namespace: home, name: leaseName };
const operatorUser = `system:serviceaccount:${home}:afloat-operator`;

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

const conditionsOf = (object: StoredObject | undefined): readonly Condition[] =>
  (object?.['status'] as { conditions?: readonly Condition[] } | undefined)?.conditions ?? [];

describe.skipIf(!programs)(
  'the operator under the rights it is shipped with (not with AFLOAT_TEST_KUBECONFIG)',
  { timeout: 150_000 },
  () => {
    let shipped: ShippedCluster;
    let kubeconfig: string;
    const running: OperatorProcess[] = [];
    const start = (identity: string, request = {}) => {
      // With the times it has in a cluster: no lease runs out here, and a short one is lost where the machine is busy.
      const operator = new OperatorProcess({ kubeconfig, ...request }, identity, {});
      running.push(operator);
      return operator;
    };

    beforeAll(async () => {
      if (!programs) return;
      shipped = await ShippedCluster.start(programs);
      await shipped.install({ clouds: ['cloud', 'values', 'poor'] });
      kubeconfig = await shipped.kubeconfigOf(home, 'afloat-operator');
    });
    afterEach(async () => {
      for (const operator of running.splice(0)) await operator.stop();
    });
    afterAll(() => shipped?.stop());

    const holder = async () => {
      return ((await shipped.admin.get(leaseRef))['spec'] as { holderIdentity: string }).holderIdentity;
    };
    const list = async (kind: string, namespace: string) =>
      (await shipped.admin.list({ apiVersion, kind }, { namespace })).items;

    test('may do what it needs in the namespaces of clouds, and nothing elsewhere', async () => {
      const group = 'openstacklcm.airshipit.org';
      const services = 'system:serviceaccount:cloud:afloat-services';
      const rows: readonly [boolean, string, string, string, string?][] = [
        [true, operatorUser, 'watch', `${group}/openstackdeployments`],
        [true, operatorUser, 'update', `${group}/oslcs.status`, 'cloud'],
        [true, operatorUser, 'operate', `${group}/lifecycleplans`, 'cloud'],
        [false, operatorUser, 'approve', `${group}/lifecycleplans`, 'cloud'],
        [true, operatorUser, 'watch', 'apps/deployments'],
        [true, operatorUser, 'watch', 'pods'],
        [true, operatorUser, 'get', 'secrets', 'cloud'],
        [true, operatorUser, 'impersonate', 'serviceaccounts', 'cloud'],
        [true, operatorUser, 'get', 'pods.log', 'cloud'],
        [true, operatorUser, 'update', 'coordination.k8s.io/leases', home],
        [false, operatorUser, 'get', 'secrets', 'kube-system'],
        [false, operatorUser, 'list', 'secrets'],
        [false, operatorUser, 'impersonate', 'serviceaccounts', 'kube-system'],
        [false, operatorUser, 'impersonate', 'users'],
        [false, operatorUser, 'create', 'apps/deployments', 'cloud'],
        [false, operatorUser, 'delete', 'pods', 'cloud'],
        [false, operatorUser, 'patch', 'services', 'cloud'],
        [false, operatorUser, 'create', 'configmaps', 'kube-system'],
        [false, operatorUser, 'escalate', 'rbac.authorization.k8s.io/clusterroles'],
        [true, services, 'create', 'apps/deployments', 'cloud'],
        [true, services, 'create', 'batch/jobs', 'cloud'],
        [true, services, 'patch', 'services', 'cloud'],
        [false, services, 'create', 'apps/deployments', 'default'],
        [false, services, 'patch', `${group}/openstackdeployments`, 'cloud'],
        [false, services, 'impersonate', 'serviceaccounts', 'cloud'],
        [false, services, 'create', 'apiextensions.k8s.io/customresourcedefinitions'],
      ];
      for (const [want, user, verb, resource, namespace] of rows)
        expect([user, verb, resource, namespace, await shipped.can(user, verb, resource, namespace)]).toEqual(
          [user, verb, resource, namespace, want],
        );
    });

    test('leads alone, hands the lead over when it is told to stop, and takes it when the other is gone', async () => {
      const first = start('first');
      await first.is('leader');
      const second = start('second');
      await second.is('standing by');
      expect(await holder()).toBe('first');
      expect(await first.stop()).toBe('stopped');
      // Given back, not run out: at once, not after the time of a lease.
      await second.is('leader');
      expect(await holder()).toBe('second');
      const epochOf = (operator: OperatorProcess) =>
        operator.log.find(({ msg }) => msg === 'leading')?.['epoch'];
      expect(Number(epochOf(second))).toBeGreaterThan(Number(epochOf(first)));
      expect((await second.page('/metrics')).text).toContain('afloat_leader 1');
      expect(await second.stop()).toBe('stopped');
      expect(await holder()).toBe('');
    });

    test('is a program that ends well when it is told to, and not well when it loses the lead', async () => {
      const main = join(import.meta.dirname, '..', '..', 'cli', 'main.ts');
      const words = ['operator', '--kubeconfig', kubeconfig, '--metrics-address', '127.0.0.1:0'];
      for (const [why, want] of [
        ['SIGTERM', 0],
        ['the lease', 1],
      ] as const) {
        const child = spawn(process.execPath, ['--import', 'tsx', main, ...words], {
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        const ended = once(child, 'exit');
        for await (const line of createInterface({ input: child.stdout })) {
          if (JSON.parse(line).msg !== 'leading') continue;
          if (why === 'SIGTERM') child.kill('SIGTERM');
          else
            await shipped.admin.patch(leaseRef, {
              type: 'merge',
              value: { spec: { holderIdentity: 'thief' } },
            });
        }
        expect([why, await ended]).toEqual([why, [want, null]]);
      }
      expect(await holder()).toBe('thief');
      await shipped.admin.delete(leaseRef);
    });

    test('ends when somebody else has its lease, and acts no more', async () => {
      const operator = start('robbed');
      await operator.is('leader');
      await shipped.admin.patch(leaseRef, { type: 'merge', value: { spec: { holderIdentity: 'thief' } } });
      expect(await operator.ended).toBe('lost');
      expect(await holder()).toBe('thief');
      await shipped.admin.delete(leaseRef);
    });

    test('told not to wait for the lead, refuses beside one who has it, and leads where nobody does', async () => {
      const first = start('first');
      await first.is('leader');
      const alone = new OperatorProcess({ kubeconfig, leaderElect: false }, 'alone', {});
      await expect(alone.ended).rejects.toMatchObject({ code: 'OperatorAtWork' });
      expect(await holder()).toBe('first');
      expect(await first.stop()).toBe('stopped');
      const next = start('next', { leaderElect: false });
      await next.is('leader');
      // And is in nobody's way: who waits for the lead stands by.
      await start('third').is('standing by');
    });

    test('leads although it is to follow a kind that the cluster does not have', async () => {
      const follows = [{ apiVersion: 'argoproj.io/v1alpha1', kind: 'Workflow' }];
      const operator = start('following', { follows });
      await operator.is('leader');
      await eventually('it says what it cannot follow', async () =>
        operator.log.some(({ msg }) => msg === 'following Workflow'),
      );
    });

    test('tells what it counts, and what it does as one JSON object a line', async () => {
      const operator = start('counting');
      await operator.is('leader');
      const { text } = await operator.page('/metrics');
      for (const name of [
        'afloat_queue_depth{controller="record"}',
        'afloat_api_requests_total{verb="list",code="200"}',
      ])
        expect(text).toContain(name);
      for (const line of operator.log)
        expect(Object.keys(line).slice(0, 3)).toEqual(['time', 'level', 'msg']);
      expect((await operator.page('/healthz')).text).toContain('leader');
      expect((await operator.page('/nothing')).status).toBe(404);
    });

    test('writes what it renders in the name of the account of the record, and says which account may not', async () => {
      const operator = start('impersonating');
      // The account `default` has no rights at all.
      await shipped.admin.create(await shipped.firstRecord('poor'));
      let ready: { reason?: string; message?: string } | undefined;
      await eventually('the record says what its account may not', async () => {
        const [object] = await list('OpenstackDeployment', 'poor');
        ready = conditionsOf(object).find(({ type }) => type === 'Ready');
        return ready?.reason === 'Forbidden';
      });
      expect(ready?.message).toContain(
        'system:serviceaccount:poor:default, may not create deployments.apps, create jobs.batch, create services',
      );
      expect(ready?.message).toContain('--clusterrole=afloat-services --serviceaccount=poor:default');
      // Before anything was begun, and before anybody could approve it.
      expect(await list('LifecyclePlan', 'poor')).toEqual([]);
      // Given the right, it goes on by itself.
      await shipped.admin.create({
        ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding' },
        metadata: { name: 'given', namespace: 'poor' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'afloat-services' },
        subjects: [{ kind: 'ServiceAccount', name: 'default', namespace: 'poor' }],
      });
      await eventually('a plan is made', async () => (await list('LifecyclePlan', 'poor')).length > 0);
      // With an account that may, the same record comes further: its Deployment is there, written as that account.
      await shipped.admin.create(
        await shipped.firstRecord('cloud', { serviceAccountName: 'afloat-services' }),
      );
      await eventually('the Deployment is there', async () => {
        const { items } = await shipped.admin.list(
          { apiVersion: 'apps/v1', kind: 'Deployment' },
          { namespace: 'cloud' },
        );
        return items.length > 0;
      });
      expect(operator.log.filter(({ level }) => level === 'error')).toEqual([]);
    });

    test('reads values only as the account of the record may, and never of another namespace', async () => {
      const secret = (namespace: string) => ({
        ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'keys', namespace } },
        stringData: { 'values.yaml': 'greeting: a-word-nobody-may-read' },
      });
      await shipped.admin.create(secret('values'));
      await shipped.admin.create(secret('kube-system'));
      const operator = start('reading');
      const service = { name: 'hello', version: '1.0.0', valuesFrom: [{ kind: 'Secret', name: 'keys' }] };
      const record = await shipped.firstRecord('values', { services: [service] });
      // There is no field for a namespace, and no name that leads into one.
      const elsewhere = {
        ...service,
        valuesFrom: [{ kind: 'Secret', name: 'keys', namespace: 'kube-system' }],
      };
      const strict = { fieldValidation: 'Strict' } as const;
      await expect(
        shipped.admin.create(
          { ...record, spec: { ...(record['spec'] as object), services: [elsewhere] } },
          strict,
        ),
      ).rejects.toMatchObject({ reason: 'BadRequest' });
      const path = { ...service, valuesFrom: [{ kind: 'Secret', name: '../kube-system/keys' }] };
      await expect(
        shipped.admin.create({ ...record, spec: { ...(record['spec'] as object), services: [path] } }),
      ).rejects.toMatchObject({ reason: 'Invalid' });
      await shipped.admin.create(record);
      let ready: Condition | undefined;
      await eventually('the record says what its account may not', async () => {
        const [object] = await list('OpenstackDeployment', 'values');
        ready = conditionsOf(object).find(({ type }) => type === 'Ready');
        return ready?.reason === 'Forbidden';
      });
      expect(ready?.message).toContain('system:serviceaccount:values:default');
      // Given the right, it goes on by itself.
      const ref = { apiVersion, kind: 'OpenstackDeployment', namespace: 'values', name: 'first' };
      await shipped.admin.patch(ref, {
        type: 'merge',
        value: { spec: { serviceAccountName: 'afloat-services' } },
      });
      await eventually('a plan is made', async () => (await list('LifecyclePlan', 'values')).length > 0);
      await operator.stop();
      expect(operator.lines.filter(line => line.includes('a-word-nobody-may-read'))).toEqual([]);
    });

    test('looks after one namespace with rights in that one only', async () => {
      await shipped.install({ namespace: 'small-operator', watch: 'small', replicas: 1 });
      const own = await shipped.kubeconfigOf('small-operator', 'afloat-operator');
      const operator = start('small', { kubeconfig: own, namespace: 'small' });
      await operator.is('leader');
      await shipped.admin.create(
        await shipped.firstRecord('small', { serviceAccountName: 'afloat-services', approval: 'manual' }),
      );
      await eventually('a plan is made', async () => (await list('LifecyclePlan', 'small')).length > 0);
      expect(await shipped.can('system:serviceaccount:small-operator:afloat-operator', 'list', 'pods')).toBe(
        false,
      );
    });
  },
);
