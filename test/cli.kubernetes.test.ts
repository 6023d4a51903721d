/** The commands against a real API server in which no operator runs: what is written, and what a person is told. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { apiCall } from '../scripts/kubernetes/api-call.ts';
import { type ControlPlane, startControlPlane } from '../scripts/kubernetes/control-plane.ts';
import { installCrds } from '../scripts/kubernetes/install-crds.ts';
import { readAccess } from '../scripts/kubernetes/kubeconfig.ts';
import { apiVersion } from '../src/api/group.ts';
import { type ConnectedWorld, connectWorld } from '../src/app/connect-world.ts';
import { plainPaint } from '../src/base/paint.ts';
import { exitCodes } from '../src/cli/exit-codes.ts';
import { runProgram } from '../src/cli/program.ts';
import type { ClusterObject } from '../src/cluster/cluster.ts';
import { readIndex } from '../src/controller/store/package-index.ts';
import { aPlan } from '../src/testing/a-cloud.ts';
import { aPlanStep } from '../src/testing/a-plan-step.ts';
import { runAfloat } from './cli/run-afloat.ts';

// Of its own: in the one that all tests share an operator may be at work.
const { programs } = inject('kubernetes');
const namespace = 'north';
let folder: string;
let plane: ControlPlane | undefined;
let kubeconfig: string;

beforeAll(async () => {
  if (!programs) return;
  folder = await mkdtemp(join(tmpdir(), 'afloat-cli-'));
  await cp('examples', folder, { recursive: true });
  // The record of the example, without the namespace it is for.
  const text = await readFile(join(folder, 'cloud.yaml'), 'utf8');
  await writeFile(join(folder, 'cloud.yaml'), text.replace(/, namespace: \w+/, ''));
  plane = await startControlPlane({ programs });
  ({ kubeconfig } = plane);
});
afterAll(async () => {
  await plane?.stop();
  if (folder) await rm(folder, { recursive: true });
});

/** Connects for what a test looks at by itself. */
async function inWorld<T>(look: (world: ConnectedWorld) => Promise<T>): Promise<T> {
  const world = await connectWorld({ kubeconfig });
  return look(world).finally(() => world.close());
}

const recordType = { apiVersion, kind: 'OpenstackDeployment' };
const afloat = (...words: string[]) =>
  runAfloat([...words, '--kubeconfig', kubeconfig, '--namespace', namespace], { folder });

describe.skipIf(!programs)('a cluster without an operator', () => {
  test('is said not to know our kinds, before they are there', async () => {
    const { code, out } = await afloat('status', '-o', 'json');
    expect(code).toBe(exitCodes.unavailable.code);
    const { findings } = JSON.parse(out);
    expect(findings).toMatchObject([
      { code: 'NotInstalled', advice: expect.stringContaining('afloat install') },
    ]);
    await installCrds(apiCall(await readAccess(kubeconfig)));
  });

  test('gets the packages of a record, and nothing else', async () => {
    const { code, out } = await afloat('push', 'cloud.yaml', '-o', 'json');
    expect(code).toBe(0);
    const { packages } = JSON.parse(out);
    await inWorld(async ({ cluster }) => {
      expect((await readIndex(cluster, namespace)).size).toBe(packages.length);
      expect((await cluster.list(recordType, { namespace })).items).toEqual([]);
    });
  });

  test('is planned for as it is', async () => {
    const { code, out, err } = await afloat('plan', 'cloud.yaml', '-o', 'json');
    expect({ code, err }).toEqual({ code: exitCodes.changes.code, err: '' });
    expect(JSON.parse(out).plan.steps.length).toBeGreaterThan(0);
  });

  test('takes the record; the same again changes nothing', async () => {
    const applied = await afloat('apply', 'cloud.yaml', '-o', 'json');
    expect(applied.code).toBe(0);
    expect(JSON.parse(applied.out)).toMatchObject({ namespace, generation: 1, changed: true, waiting: [] });
    const again = JSON.parse((await afloat('apply', 'cloud.yaml', '-o', 'json')).out);
    expect(again).toMatchObject({ generation: 1, changed: false });
    const { items } = await inWorld(({ cluster }) => cluster.list(recordType, { namespace }));
    expect(items).toHaveLength(1);
  });

  test('is said to have none, by status and by doctor, with what to do', async () => {
    const { code, out } = await afloat('status', '-o', 'json');
    expect(code).toBe(0);
    const { facts, namespace: shown } = JSON.parse(out);
    expect(shown).toBe(namespace);
    expect(facts.command.line).toBe('afloat install');
    expect((await afloat('status')).out).toContain('no operator is running');
    const doctor = await afloat('doctor', '-o', 'json');
    expect(doctor.code).toBe(exitCodes.waiting.code);
    const checks: { name: string; state: string }[] = JSON.parse(doctor.out).checks;
    expect(checks.find(({ name }) => name === 'operator')).toMatchObject({ state: 'failed' });
    expect(checks.map(({ name }) => name)).not.toContain('manager');
  });

  test('has nothing yet to show or to steer, and each command says so in its own way', async () => {
    expect((await afloat('history')).out).toBe('Nothing has happened yet.\n');
    expect(JSON.parse((await afloat('diff', '-o', 'json')).out).services.length).toBeGreaterThan(0);
    const verbs = ['pause --yes', 'resume --yes', 'abort --yes', 'approve --yes'];
    const about = ['retry identity --yes', 'rollback identity --yes', 'logs identity'];
    for (const line of [...verbs, ...about]) {
      const { code, err } = await afloat(...line.split(' '));
      expect({ line, code, isSo: err.includes('NotNow') }).toEqual({
        line,
        code: exitCodes.refused.code,
        isSo: true,
      });
    }
  });

  test('is watched until a person says stop', async () => {
    const stop = new AbortController();
    let out = '';
    const exit = await runProgram(['watch', '--kubeconfig', kubeconfig, '-n', namespace], {
      print: text => {
        out += text;
        if (out.includes('no operator is running')) stop.abort();
      },
      tell: () => {},
      paint: plainPaint,
      folder,
      readStdin: async () => '',
      untilStopped: () => stop.signal,
    });
    expect(exit).toBe('ok');
    expect(out).toContain('identity Absent, serves nobody');
  });

  test('writes down the approver as the one it takes us for', async () => {
    const plan = aPlan([aPlanStep('install', { service: 'identity' })], 'WaitingForApproval');
    const { status: _, metadata, ...rest } = plan;
    const made = { ...rest, metadata: { name: metadata.name, namespace } };
    await inWorld(({ cluster }) => cluster.create(made as unknown as ClusterObject));
    expect((await afloat('approve', '--yes')).code).toBe(0);
    await inWorld(async ({ cluster, whoAmI }) => {
      const ref = { apiVersion, kind: 'LifecyclePlan', namespace, name: metadata.name };
      const { spec } = (await cluster.get(ref)) as unknown as typeof plan;
      expect(spec.approval?.approvedBy).toBe(await whoAmI());
      expect(spec.approval?.approvedBy).not.toBe('');
    });
  });

  test('refuses a record that is for another namespace than the one that is named', async () => {
    await writeFile(
      join(folder, 'elsewhere.yaml'),
      (await readFile(join(folder, 'cloud.yaml'), 'utf8')).replace(
        'name: north',
        'name: north, namespace: other',
      ),
    );
    const { code, out } = await afloat('apply', 'elsewhere.yaml', '-o', 'json');
    expect(code).toBe(exitCodes.usage.code);
    expect(JSON.parse(out).findings).toMatchObject([{ code: 'UsageInvalid', field: 'metadata.namespace' }]);
  });
});
