import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { apiCall } from './api-call.ts';
import { type ControlPlane, startControlPlane } from './control-plane.ts';
import { readAccess } from './kubeconfig.ts';
import { processIdentity } from './process/process-identity.ts';
import { sweepRunFolders } from './process/run-folder.ts';
import { waitUntil } from './process/wait-until.ts';

const { programs } = inject('kubernetes');
const configMaps = '/api/v1/namespaces/default/configmaps';

describe.skipIf(!programs)('a control plane of our own (not with AFLOAT_TEST_KUBECONFIG)', () => {
  let plane: ControlPlane;
  beforeAll(async () => {
    if (programs) plane = await startControlPlane({ programs, durable: true });
  });
  afterAll(() => plane?.stop());

  test('knows its admin by certificate and by token, and others by the certificate we issue', async () => {
    const review = async (access: Parameters<typeof apiCall>[0]) => {
      const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
      const answer = await apiCall(access)('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', body);
      return answer.body;
    };
    const { server } = plane;
    const authority = plane.authority.certificate;
    const jo = await plane.authority.issue({ commonName: 'jo', organizations: ['readers'], use: 'client' });
    expect(await review(await readAccess(plane.kubeconfig))).toMatchObject({
      status: { userInfo: { username: 'admin', groups: expect.arrayContaining(['system:masters']) } },
    });
    expect(await review({ server, authority, token: plane.adminToken })).toMatchObject({
      status: { userInfo: { username: 'token-admin', groups: expect.arrayContaining(['system:masters']) } },
    });
    expect(await review({ server, authority, ...jo })).toMatchObject({
      status: { userInfo: { username: 'jo', groups: ['readers', 'system:authenticated'] } },
    });
    expect((await apiCall({ server, authority, ...jo })('GET', configMaps)).status).toBe(403);
  });

  test('refuses a certificate that is over', async () => {
    const { server } = plane;
    const late = await plane.authority.issue({ commonName: 'jo', use: 'client', lifetimeSeconds: -60 });
    const call = apiCall({ server, authority: plane.authority.certificate, ...late });
    expect((await call('GET', configMaps)).status).toBe(401);
  });

  test('keeps what it acknowledged over a kill of API server and etcd, at the same address', async () => {
    const call = apiCall(plane.admin);
    const made = await call('POST', configMaps, { metadata: { name: 'kept' }, data: { a: 'b' } });
    expect(made.status).toBe(201);

    await plane.killEtcd();
    await plane.killApiServer();
    expect(Object.keys(plane.processes())).toEqual(['kube-controller-manager']);
    await expect(call('GET', '/readyz')).rejects.toThrow();
    await plane.startEtcd();
    await plane.startApiServer();
    expect((await call('GET', `${configMaps}/kept`)).body).toMatchObject({ data: { a: 'b' } });

    await plane.killApiServer();
    await plane.startApiServer();
    await expect(plane.startApiServer()).rejects.toThrow('runs already');
    expect((await call('GET', `${configMaps}/kept`)).status).toBe(200);
  });

  test('has controllers that still act after that: an object goes with its owner', async () => {
    const call = apiCall(plane.admin);
    const owner = await call('POST', configMaps, { metadata: { name: 'owner' } });
    const { uid } = (owner.body as { metadata: { uid: string } }).metadata;
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }];
    await call('POST', configMaps, { metadata: { name: 'owned', ownerReferences } });
    await call('DELETE', `${configMaps}/owner`);
    await waitUntil('the owned object is gone', 40, async () => {
      return (await call('GET', `${configMaps}/owned`)).status === 404;
    });
  });

  test('that cannot start leaves nothing, and says why in the words of who failed', async () => {
    if (!programs) return;
    const parentFolder = await mkdtemp(join(tmpdir(), 'afloat-start-test-'));
    const wrong = startControlPlane({ programs, parentFolder, apiServerArguments: ['--no-such-flag'] });
    await expect(wrong).rejects.toThrow(/kube-apiserver ended with exit code 1[\s\S]*no-such-flag/);
    expect(await readdir(parentFolder)).toEqual([]);
    await rm(parentFolder, { recursive: true });
  });

  test('stops fast, more than once, and leaves nothing', async () => {
    const ids = Object.values(plane.processes());
    expect(ids).toHaveLength(3);
    const start = performance.now();
    await plane.stop();
    await plane.stop();
    expect(performance.now() - start).toBeLessThan(5000);
    expect(await alive(ids)).toEqual([]);
    await expect(access(plane.folder)).rejects.toThrow();
  });
});

describe.skipIf(!programs)('a test run that is killed with kill -9 (not with AFLOAT_TEST_KUBECONFIG)', () => {
  test('takes its control plane along within 5 s, and its folder goes at the next start', async () => {
    const holder = spawn(
      process.execPath,
      ['--import', 'tsx', join(import.meta.dirname, 'run-control-plane.ts')],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const { folder, processes } = JSON.parse(await firstLine(holder.stdout));
    const ids = Object.values<number>(processes);
    expect(await alive(ids)).toEqual(ids);

    holder.kill('SIGKILL');
    await once(holder, 'exit');
    const start = performance.now();
    await waitUntil('the processes are gone', 5, async () => (await alive(ids)).length === 0);
    expect(performance.now() - start).toBeLessThan(5000);

    await access(folder);
    await sweepRunFolders(tmpdir());
    await expect(access(folder)).rejects.toThrow();
  });
});

async function firstLine(input: Readable): Promise<string> {
  for await (const line of createInterface({ input })) return line;
  throw new Error('it ended without a word');
}

async function alive(ids: readonly number[]): Promise<number[]> {
  const found = await Promise.all(ids.map(id => processIdentity(id)));
  return ids.filter((_, index) => found[index] !== undefined);
}
