import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { servicesName } from '../app/deploy/deploy-names.ts';
import { plainPaint } from '../base/paint.ts';
import { eventually } from '../cluster/contract/case-world.contract.ts';
import { OperatorProcess } from '../testing/operator-process.ts';
import { ShippedCluster } from '../testing/shipped-cluster.ts';
import { runProgram } from './program.ts';

const { programs } = inject('kubernetes');
const apiVersion = 'openstacklcm.airshipit.org/v1alpha1';
const namespace = 'cloud';

describe.skipIf(!programs)(
  'people with the roles that are shipped (not with AFLOAT_TEST_KUBECONFIG)',
  { timeout: 150_000 },
  () => {
    let shipped: ShippedCluster;
    let operator: OperatorProcess;
    let folder = '';

    /** Somebody with these roles in the namespace of the cloud, and how he calls the program. */
    const person = async (name: string, ...roles: readonly string[]) => {
      await shipped.admin.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } });
      const user = `system:serviceaccount:${namespace}:${name}`;
      await shipped.person(user, namespace, ...roles);
      const kubeconfig = await shipped.kubeconfigOf(namespace, name);
      return {
        user,
        afloat: async (...words: readonly string[]) => {
          let out = '';
          const write = (text: string) => {
            out += text;
          };
          const exit = await runProgram([...words, '--kubeconfig', kubeconfig, '--namespace', namespace], {
            ...{ print: write, tell: write, paint: plainPaint, folder },
            readStdin: async () => '',
          });
          return { exit, out };
        },
      };
    };
    const plans = async () =>
      (await shipped.admin.list({ apiVersion, kind: 'LifecyclePlan' }, { namespace })).items;

    beforeAll(async () => {
      if (!programs) return;
      folder = await mkdtemp(join(tmpdir(), 'afloat-people-'));
      shipped = await ShippedCluster.start(programs);
      await shipped.install({ clouds: [namespace] });
      const kubeconfig = await shipped.kubeconfigOf('afloat-system', 'afloat-operator');
      operator = new OperatorProcess({ kubeconfig }, 'operator');
      await operator.is('leader');
    });
    afterAll(async () => {
      await operator?.stop();
      await shipped?.stop();
      if (folder) await rm(folder, { recursive: true, force: true });
    });

    test('apply a record, see its plan, and approve it only with the right, in their own name', async () => {
      const edith = await person('edith', 'afloat-view', 'afloat-edit');
      const anna = await person('anna', 'afloat-view', 'afloat-approve');
      const vera = await person('vera', 'afloat-view');
      const made = await runProgram(['init', '.'], {
        ...{ print: () => {}, tell: () => {}, paint: plainPaint, folder },
        readStdin: async () => '',
      });
      expect(made).toBe('ok');
      const record = join(folder, 'cloud.yaml');
      const text = await readFile(record, 'utf8');
      await writeFile(record, text.replace(/^spec:\n/m, `spec:\n  serviceAccountName: ${servicesName}\n`));
      expect((await vera.afloat('apply', 'cloud.yaml', '--no-wait')).exit).toBe('refused');
      const applied = await edith.afloat('apply', 'cloud.yaml', '--no-wait');
      expect([applied.exit, applied.out]).toEqual(['ok', expect.any(String)]);
      await eventually('a plan is made', async () => (await plans()).length === 1);
      expect((await vera.afloat('status')).exit).toBe('ok');
      const refused = await edith.afloat('approve', '--yes');
      expect([refused.exit, refused.out]).toEqual(['refused', expect.stringContaining('approve')]);
      const approved = await anna.afloat('approve', '--yes');
      expect([approved.exit, approved.out]).toEqual(['ok', expect.any(String)]);
      expect((await plans())[0]?.['spec']).toMatchObject({ approval: { approvedBy: anna.user } });
    });
  },
);
