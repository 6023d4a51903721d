import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { apiVersion } from '../../src/api/group.ts';
import { findKind, kinds } from '../../src/api/kinds.ts';
import { phaseKinds } from '../../src/api/phase-kinds.ts';
import { ruleCases } from '../../src/api/rule-cases.contract.ts';
import { type Answer, type ApiCall, apiCall } from './api-call.ts';
import { crdConditions, readCrds, replaceCrd } from './install-crds.ts';
import { readAccess } from './kubeconfig.ts';
import { waitUntil } from './process/wait-until.ts';

type Spec = Readonly<Record<string, unknown>>;

const { kubeconfig, kubectl } = inject('kubernetes');
const crds = await readCrds();

/** The least that each kind takes. */
const source = { type: 'tar', location: '/charts/keystone' };
const leastPhase: Spec = { source, openstackServiceName: 'keystone' };
const leastOslc: Spec = { serviceName: 'keystone', source, flowKind: 'install' };
const least = new Map<string, Spec>([
  ['OpenstackDeployment', { services: [] }],
  ['Oslc', leastOslc],
  ...phaseKinds.map(({ kind }) => [kind, leastPhase] as const),
  // Large ones: the first good case of their rules.
  ...['LifecyclePlan', 'ServiceRevision'].map(kind => {
    return [kind, ruleCases.find(one => one.of === kind && one.holds)?.value ?? {}] as const;
  }),
]);

let call: ApiCall;
let namespace = '';
let kubectlCache = ''; // its own, or kubectl believes what it learnt of another server at the same address

beforeAll(async () => {
  call = apiCall(await readAccess(kubeconfig));
  kubectlCache = await mkdtemp(join(tmpdir(), 'afloat-kubectl-'));
  const made = await call('POST', '/api/v1/namespaces', { metadata: { generateName: 'afloat-crds-' } });
  namespace = metadataOf(made).name;
});
afterAll(async () => {
  await call('DELETE', `/api/v1/namespaces/${namespace}`);
  await rm(kubectlCache, { recursive: true, force: true });
});

describe('every CRD', () => {
  test.each(crds)('$metadata.name is taken without a warning, and served under all its names', async crd => {
    expect(await replaceCrd(call, crd, true)).toMatchObject({ status: 200, warnings: [] });
    expect(await crdConditions(call, crd)).toEqual({ Established: 'True', NamesAccepted: 'True' });
  });

  test('is of one of our kinds, and each kind has one', () => {
    expect(crds.map(crd => crd.spec.names.kind).sort()).toEqual(kinds.map(({ kind }) => kind).sort());
  });
});

describe('kubectl', () => {
  test.each(kinds)('gets $kind by $shortName', async ({ kind, shortName }) => {
    const name = shortName;
    expect((await create(kind, least.get(kind) ?? {}, name)).status).toBe(201);
    expect(await runKubectl('get', shortName, name, '-o', 'name')).toContain(`/${name}`);
    expect(await runKubectl('get', shortName)).toContain(name);
  });

  test('gets all kinds by their category', async () => {
    const names = await runKubectl('get', 'afloat', '-o', 'name');
    for (const { kind } of kinds) expect(names).toContain(`${kind.toLowerCase()}.`);
  });

  test('explains the record', async () => {
    // The API server publishes its OpenAPI documents a while after the kinds.
    const text = await waitUntil('explain', 20, () => {
      return runKubectl('explain', 'osdpl.spec', '--recursive').catch(() => undefined);
    });
    expect(text).toContain('What one cloud shall be.');
    expect(text).toMatch(/maintenanceWindows\s+<\[\]Object>/);
  });
});

describe('an object', () => {
  test.each(kinds)('of $kind with the least is taken without a warning', async ({ kind }) => {
    expect(await create(kind, least.get(kind) ?? {})).toMatchObject({ status: 201, warnings: [] });
  });

  const older = [...phaseKinds.map(({ kind }) => kind), 'Oslc'];
  test.each(older)('of %s keeps fields that the schema does not have', async kind => {
    const extra = { clientTLSSecret: 'keystone-tls', openstackEndpoints: ['http://one', { deep: [1] }] };
    const { status, warnings, body } = await create(kind, { ...least.get(kind), ...extra });
    expect({ status, warnings }).toEqual({ status: 201, warnings: [] });
    expect(body).toMatchObject({ spec: { ...extra, targetState: 'deployed' } });
  });

  test.each(older)('of %s is taken with an empty target state', async kind => {
    expect((await create(kind, { ...least.get(kind), targetState: '' })).status).toBe(201);
  });

  test('has its status written apart', async () => {
    const made = await create('InstallPhase', leastPhase);
    const object = `${collection('InstallPhase')}/${metadataOf(made).name}`;
    const status = { actualState: 'deployed', satisfied: true };
    const patched = await call('PATCH', `${object}/status`, { status }, 'application/merge-patch+json');
    expect(patched).toMatchObject({ status: 200, warnings: [], body: { status } });
    const beside = await call(
      'PATCH',
      object,
      { status: { satisfied: false } },
      'application/merge-patch+json',
    );
    expect(beside.body).toMatchObject({ status });
  });
});

describe('a rule that spans fields', () => {
  const cases = ruleCases.filter(one => findKind(one.of) !== undefined);
  test.each(cases)('$of: $says: $holds, as our predicate has it', async ({ of, value, old, holds }) => {
    const answer = old ? await update(of, old, value) : await create(of, value);
    expect(answer.status).toBe(holds ? (old ? 200 : 201) : 422);
  });
});

function collection(kind: string): string {
  return `/apis/${apiVersion}/namespaces/${namespace}/${findKind(kind)?.plural}`;
}

function create(kind: string, spec: Spec, name?: string): Promise<Answer> {
  const metadata = name === undefined ? { generateName: 'one-' } : { name };
  return call('POST', collection(kind), { apiVersion, kind, metadata, spec });
}

async function update(kind: string, before: Spec, after: Spec): Promise<Answer> {
  const metadata = metadataOf(await create(kind, before));
  return call('PUT', `${collection(kind)}/${metadata.name}`, { apiVersion, kind, metadata, spec: after });
}

function metadataOf({ body }: Answer): { readonly name: string } {
  return (body as { readonly metadata: { readonly name: string } }).metadata;
}

async function runKubectl(...words: string[]): Promise<string> {
  const where = [`--kubeconfig=${kubeconfig}`, `--namespace=${namespace}`, `--cache-dir=${kubectlCache}`];
  const { stdout, stderr } = await promisify(execFile)(kubectl, [...where, ...words]);
  expect(stderr).not.toContain('Warning');
  return stdout;
}
