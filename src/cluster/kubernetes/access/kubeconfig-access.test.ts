import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { type FindAccessOptions, findAccess } from './find-access.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'afloat-kubeconfig-'));
});
afterEach(() => rm(folder, { recursive: true }));

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** A kubeconfig with one of each, changed where a case says so. */
function config(cluster: object = {}, user: object = {}, more: object = {}): object {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'north', cluster: { server: 'https://north:6443', ...cluster } }],
    users: [{ name: 'jo', user }],
    contexts: [{ name: 'main', context: { cluster: 'north', user: 'jo' } }],
    'current-context': 'main',
    ...more,
  };
}

async function write(name: string, content: object | string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, typeof content === 'string' ? content : stringify(content));
  return file;
}

async function access(content: object | string, options: FindAccessOptions = {}) {
  const kubeconfig = await write('config', content);
  return findAccess({ kubeconfig, environment: {}, homeFolder: folder, ...options });
}

/** A short text that would be a long list. */
const aliases = ['a', 'b', 'c', 'd', 'e']
  .map(
    (name, index, all) => `${name}: &${name} [${Array(10).fill(index === 0 ? 'x' : `*${all[index - 1]}`)}]`,
  )
  .join('\n');

describe('a kubeconfig', () => {
  test('says server, authority and credentials, in it', async () => {
    const found = await access(
      config(
        { 'certificate-authority-data': base64('CA'), 'tls-server-name': 'api' },
        { 'client-certificate-data': base64('CERT'), 'client-key-data': base64('KEY') },
      ),
    );
    expect(found).toMatchObject({
      server: 'https://north:6443',
      authority: 'CA',
      serverName: 'api',
      namespace: 'default',
    });
    expect(await found.credentials.current()).toEqual({ certificate: 'CERT', key: 'KEY' });
  });

  test('names files, from its own folder', async () => {
    for (const name of ['ca', 'cert', 'key', 'token']) await write(name, `${name} text`);
    const files = { 'client-certificate': 'cert', 'client-key': join(folder, 'key'), tokenFile: 'token' };
    const found = await access(config({ 'certificate-authority': 'ca' }, files));
    expect(found.authority).toBe('ca text');
    expect(await found.credentials.current()).toEqual({
      certificate: 'cert text',
      key: 'key text',
      token: 'token text',
    });
  });

  test('has contexts, of which one can be named', async () => {
    const contexts = [
      { name: 'main', context: { cluster: 'north', user: 'jo' } },
      { name: 'other', context: { cluster: 'north', namespace: 'cloud' } },
    ];
    const found = await access(config({}, { token: 't' }, { contexts }), { context: 'other' });
    expect(found.namespace).toBe('cloud');
    expect(await found.credentials.current()).toEqual({});
  });

  test('may say in whose name', async () => {
    const found = await access(config({}, { token: 't', as: 'jo', 'as-groups': ['a'] }));
    expect(found.account).toEqual({ user: 'jo', groups: ['a'] });
  });

  test('may have a server that is believed without proof', async () => {
    expect(await access(config({ 'insecure-skip-tls-verify': true }))).toMatchObject({ skipVerify: true });
  });

  const user = (of: object) => config({}, of);
  test.each<[string, object | string, string]>([
    ['is no YAML', 'a: [', 'config is no YAML, see line 1'],
    ['is no object', '- a', 'config is no kubeconfig'],
    ['is of another kind', { kind: 'Pod' }, 'config is no kubeconfig'],
    ['has no current context', config({}, {}, { 'current-context': '' }), 'has no current-context'],
    [
      'means a context that is not there',
      config({}, {}, { 'current-context': 'mein' }),
      'did you mean "main"?',
    ],
    ['means a cluster that is not there', config({}, {}, { clusters: [] }), 'has no "north" in clusters'],
    ['means a user that is not there', config({}, {}, { users: [] }), 'has no "jo" in users'],
    ['has an entry without a name', config({}, {}, { users: [{ user: {} }] }), 'users[0].name is missing'],
    ['has no server', config({ server: '' }), 'clusters[0].cluster.server is missing'],
    [
      'has a server that is none',
      config({ server: 'north' }),
      'clusters[0].cluster.server must be an address',
    ],
    ['has a list for a text', config({ server: ['a'] }), 'clusters[0].cluster.server must be text'],
    ['has a proxy', config({ 'proxy-url': 'http://x' }), 'clusters[0].cluster.proxy-url is not supported'],
    [
      'believes everything and an authority',
      config({ 'insecure-skip-tls-verify': true, 'certificate-authority-data': base64('x') }),
      'clusters[0].cluster.insecure-skip-tls-verify',
    ],
    ['has a word for a flag', config({ 'insecure-skip-tls-verify': 'yes' }), 'must be true or false'],
    [
      'has data that is none',
      config({ 'certificate-authority-data': '%%' }),
      'certificate-authority-data is not',
    ],
    ['has more aliases than anybody writes', aliases, 'aliases'],
    ['names a file that is not there', config({ 'certificate-authority': 'no' }), 'cannot be read'],
    [
      'has a certificate without a key',
      user({ 'client-certificate-data': base64('x') }),
      'client-key is missing',
    ],
    ['has a key without a certificate', user({ 'client-key': 'x' }), 'client-certificate is missing'],
    ['has a password', user({ username: 'jo', password: 'hush' }), 'users[0].user.username is not supported'],
    [
      'has an auth provider',
      user({ 'auth-provider': { name: 'gcp' } }),
      'users[0].user.auth-provider is not',
    ],
    [
      'has exec of an old version',
      user({ exec: { apiVersion: 'a/v1alpha1' } }),
      'users[0].user.exec.apiVersion',
    ],
    [
      'has exec without a command',
      user({ exec: { apiVersion: 'client.authentication.k8s.io/v1' } }),
      'users[0].user.exec.command is missing',
    ],
  ])('that %s is refused, with file and field', async (_, content, words) => {
    const error = await access(content).catch(caught => caught);
    expect(error).toMatchObject({ code: 'KubeconfigInvalid' });
    expect(error.message).toContain(join(folder, 'config'));
    expect(error.message).toContain(words);
    expect(error.message).not.toContain('hush');
  });
});

describe('where a kubeconfig is looked for', () => {
  const environment = (...files: string[]) => ({ KUBECONFIG: files.join(delimiter) });

  test('several are one: what is said first holds, what is not there is passed over', async () => {
    const first = await write('first', {
      'current-context': 'main',
      users: [{ name: 'jo', user: { token: 'first' } }],
    });
    const second = await write('second', config({}, { token: 'second' }, { 'current-context': 'x' }));
    const found = await findAccess({ environment: environment(join(folder, 'no'), first, second) });
    expect(found.server).toBe('https://north:6443');
    expect(await found.credentials.current()).toEqual({ token: 'first' });
  });

  test('none of those that were named is there', async () => {
    const asked = findAccess({ environment: environment(join(folder, 'no')), homeFolder: folder });
    await expect(asked).rejects.toMatchObject({ code: 'KubeconfigInvalid' });
    await expect(findAccess({ kubeconfig: join(folder, 'no') })).rejects.toThrow('not there');
  });

  test('in a pod without one: its service account, with the token of now', async () => {
    for (const [name, text] of [
      ['ca.crt', 'CA'],
      ['token', 'one'],
      ['namespace', 'cloud\n'],
    ] as const) {
      await write(name, text);
    }
    const pod = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '6443' };
    const found = await findAccess({ environment: pod, homeFolder: folder, serviceAccountFolder: folder });
    expect(found).toMatchObject({ server: 'https://[fd00::1]:6443', authority: 'CA', namespace: 'cloud' });
    expect(await found.credentials.current()).toEqual({ token: 'one' });
    await write('token', 'two');
    expect(await found.credentials.current()).toEqual({ token: 'one' });
    found.credentials.forget();
    expect(await found.credentials.current()).toEqual({ token: 'two' });
  });

  test('nowhere at all', async () => {
    const asked = findAccess({ environment: {}, homeFolder: folder });
    await expect(asked).rejects.toThrow('this is no pod');
  });

  test('a pod without a service account', async () => {
    const environment = { KUBERNETES_SERVICE_HOST: 'x' };
    const asked = findAccess({ environment, homeFolder: folder, serviceAccountFolder: folder });
    await expect(asked).rejects.toMatchObject({ code: 'CredentialsUnavailable' });
  });
});
