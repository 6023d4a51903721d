import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { kubeconfigText, readAccess } from './kubeconfig.ts';

const access = { server: 'https://127.0.0.1:6443', authority: 'ca', certificate: 'crt', key: 'key' };

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'afloat-kubeconfig-test-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function aFile(name: string, text: string): Promise<string> {
  await writeFile(join(folder, name), text);
  return join(folder, name);
}

describe('a kubeconfig', () => {
  test.each([
    ['a client certificate', access],
    ['a token', { server: access.server, authority: 'ca', token: 'secret' }],
  ])('with %s is read as it was written', async (_, written) => {
    expect(await readAccess(await aFile('config', kubeconfigText(written)))).toEqual(written);
  });

  test('may name files, from its own folder', async () => {
    await aFile('ca.crt', 'ca from a file');
    const config = parse(kubeconfigText({ server: access.server, token: 'secret' }));
    config.clusters[0].cluster['certificate-authority'] = 'ca.crt';
    const path = await aFile('config', stringify(config));
    expect(await readAccess(path)).toMatchObject({ authority: 'ca from a file' });
  });

  test('says which context it means', async () => {
    const config = parse(kubeconfigText(access));
    config.contexts.push({ name: 'other', context: { cluster: 'missing', user: 'test' } });
    expect(await readAccess(await aFile('config', stringify(config)))).toEqual(access);
    config['current-context'] = 'other';
    await expect(readAccess(await aFile('config', stringify(config)))).rejects.toThrow('no cluster missing');
  });

  test('with a way in that needs another program is refused', async () => {
    const config = parse(kubeconfigText(access));
    config.users[0].user.exec = { command: 'login' };
    await expect(readAccess(await aFile('config', stringify(config)))).rejects.toThrow('exec');
  });
});
