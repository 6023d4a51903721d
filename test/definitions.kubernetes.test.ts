import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import {
  definitionName,
  schemaDigestAnnotation,
  schemaGenerationAnnotation,
} from '../src/api/definition-schema.ts';
import { lifecyclePlan } from '../src/api/lifecycle-plan.ts';
import { openstackDeployment } from '../src/api/openstack-deployment.ts';
import { schemaGenerations } from '../src/api/schema-generations.ts';
import { definitionType, findOtherDefinitions } from '../src/app/definitions.ts';
import { plainPaint } from '../src/base/paint.ts';
import { runProgram } from '../src/cli/program.ts';
import { eventually } from '../src/cluster/contract/case-world.contract.ts';
import { findAccess } from '../src/cluster/kubernetes/access/find-access.ts';
import { KubernetesCluster } from '../src/cluster/kubernetes/kubernetes-cluster.ts';
import { OperatorProcess } from '../src/testing/operator-process.ts';
import { ShippedCluster } from '../src/testing/shipped-cluster.ts';

const { programs, kubeconfig: shared } = inject('kubernetes');
const home = 'afloat-system';
const now = schemaGenerations.length;

test('the definitions of deploy/crds are those of this program', async () => {
  const cluster = KubernetesCluster.to(await findAccess({ kubeconfig: shared }));
  expect(await findOtherDefinitions(cluster)).toEqual({ older: [], newer: [] });
  await cluster.close();
});

describe.skipIf(!programs)(
  'definitions that are other than those of the program (not with AFLOAT_TEST_KUBECONFIG)',
  { timeout: 150_000 },
  () => {
    let shipped: ShippedCluster;
    let kubeconfig: string;
    const running: OperatorProcess[] = [];
    const start = (identity: string) => {
      const operator = new OperatorProcess({ kubeconfig }, identity);
      running.push(operator);
      return operator;
    };
    const install = () => shipped.install({ clouds: ['cloud'] });

    /** As a program of that generation would have installed it, but for the schema itself. */
    const make = async (kind: { plural: string }, generation: number) => {
      const annotations = {
        [schemaDigestAnnotation]: 'sha256:other',
        [schemaGenerationAnnotation]: String(generation),
      };
      const ref = { ...definitionType, name: definitionName(kind) };
      await shipped.admin.patch(ref, { type: 'merge', value: { metadata: { annotations } } });
    };
    const waitsFor = (operator: OperatorProcess, ...words: readonly string[]) =>
      eventually(`it says ${words}`, async () => {
        const { status, text } = await operator.page('/readyz');
        return status === 503 && words.every(word => text.includes(word));
      });
    const says = (operator: OperatorProcess, level: string, word: string) =>
      operator.log.filter(line => line['level'] === level && String(line['msg']).includes(word)).length;
    const isLookedAt = async () => {
      const type = { apiVersion: 'openstacklcm.airshipit.org/v1alpha1', kind: 'OpenstackDeployment' };
      const { items } = await shipped.admin.list(type, { namespace: 'cloud' });
      return items.some(({ status }) => status !== undefined);
    };
    const afloat = async (...words: readonly string[]) => {
      const said = { out: '', beside: '' };
      const exit = await runProgram([...words, '--kubeconfig', shipped.plane.kubeconfig, '-n', 'cloud'], {
        print: text => {
          said.out += text;
        },
        tell: text => {
          said.beside += text;
        },
        paint: plainPaint,
        folder: process.cwd(),
        readStdin: async () => '',
      });
      return { exit, ...said };
    };

    beforeAll(async () => {
      if (!programs) return;
      shipped = await ShippedCluster.start(programs);
      await install();
      kubeconfig = await shipped.kubeconfigOf(home, 'afloat-operator');
    });
    afterEach(async () => {
      for (const operator of running.splice(0)) await operator.stop();
      await install();
    });
    afterAll(() => shipped?.stop());

    test('older ones keep the operator from acting until they are brought to its version', async () => {
      await make(lifecyclePlan, now - 1);
      const operator = start('newer');
      await waitsFor(operator, lifecyclePlan.plural, 'afloat install');
      expect((await operator.page('/healthz')).status).toBe(200);
      expect((await operator.page('/readyz')).text).not.toContain(openstackDeployment.plural);
      expect(says(operator, 'error', lifecyclePlan.plural)).toBe(1);
      await shipped.admin.create(await shipped.firstRecord('cloud', { approval: 'manual' }));
      expect(await isLookedAt()).toBe(false);
      expect(says(operator, 'info', 'leading')).toBe(0);
      await install();
      await operator.is('leader');
      await eventually('the record is looked at', isLookedAt);
    });

    test('older ones that came while it stood by keep it from acting in its term', async () => {
      const first = start('first');
      await first.is('leader');
      const second = start('second');
      await second.is('standing by');
      await make(openstackDeployment, 0);
      expect(await first.stop()).toBe('stopped');
      await waitsFor(second, openstackDeployment.plural, 'afloat install');
      expect((await second.page('/metrics')).text).toContain('afloat_leader 0');
      await install();
      await second.is('leader');
    });

    test('newer ones are told and do not keep it from acting', async () => {
      await make(openstackDeployment, now + 1);
      const operator = start('older');
      await operator.is('leader');
      expect(says(operator, 'warn', openstackDeployment.plural)).toBeGreaterThan(0);
      expect(says(operator, 'error', '')).toBe(0);
    });

    test('that may not be read, because the roles are older too, are said with the way out', async () => {
      const name = 'afloat-definitions';
      await shipped.admin.delete({
        ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRoleBinding', name },
      });
      const operator = start('without rights');
      await waitsFor(operator, 'forbidden', 'afloat install');
      await install();
      await operator.is('leader');
    });

    test('a person is warned of older ones in one line, and a doctor names them', async () => {
      const warned = (said: string) => said.split('\n').filter(line => line.startsWith('warning:')).length;
      expect(warned((await afloat('history')).beside)).toBe(0);
      await make(openstackDeployment, now - 1);
      const { beside, out } = await afloat('history', '-o', 'json');
      expect(warned(beside)).toBe(1);
      expect(beside).toContain('afloat install');
      JSON.parse(out);
      const checksOf = async () => JSON.parse((await afloat('doctor', '-o', 'json')).out).checks;
      expect(await checksOf()).toContainEqual(
        expect.objectContaining({
          ...{ name: 'definitions', state: 'failed' },
          says: expect.stringContaining(openstackDeployment.plural),
        }),
      );
      await make(openstackDeployment, now + 1);
      expect(await checksOf()).toContainEqual(
        expect.objectContaining({ name: 'definitions', state: 'warning' }),
      );
      await install();
      expect(await checksOf()).toContainEqual(expect.objectContaining({ name: 'definitions', state: 'ok' }));
    });
  },
);
