import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectWorld, kubeconfigOf } from './connect-world.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'afloat-connect-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('the kubeconfig that is meant', () => {
  const environment = { AFLOAT_KUBECONFIG: '/usual', KUBECONFIG: '/kubectl' };
  it.each([
    { says: 'the one that was named', options: { kubeconfig: '/named', environment }, want: '/named' },
    { says: 'the usual one', options: { environment }, want: '/usual' },
    { says: 'the usual one, in another context', options: { context: 'x', environment }, want: '/usual' },
    {
      says: 'none where a state folder was named',
      options: { stateFolder: '/s', environment },
      want: undefined,
    },
    {
      says: 'none where only kubectl has one',
      options: { environment: { KUBECONFIG: '/k' } },
      want: undefined,
    },
    { says: 'none where it is empty', options: { environment: { AFLOAT_KUBECONFIG: '' } }, want: undefined },
  ])('is $says', ({ options, want }) => {
    expect(kubeconfigOf(options)).toBe(want);
  });
});

describe('a cluster that cannot be reached', () => {
  const config = (server: string) =>
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'a',
      clusters: [{ name: 'a', cluster: { server } }],
      users: [{ name: 'a', user: {} }],
      contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
    });

  it('is said not to answer', async () => {
    const kubeconfig = join(folder, 'kubeconfig');
    await writeFile(kubeconfig, config('http://127.0.0.1:1'));
    await expect(connectWorld({ kubeconfig })).rejects.toMatchObject({ code: 'ClusterUnreachable' });
  });

  it('is said to have no such kubeconfig, in the variable too', async () => {
    const environment = { AFLOAT_KUBECONFIG: join(folder, 'nowhere') };
    await expect(connectWorld({ environment })).rejects.toMatchObject({ code: 'KubeconfigInvalid' });
  });
});
