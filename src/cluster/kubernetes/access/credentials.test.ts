import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../contract/manual-clock.contract.ts';
import { execCredentials, readExecPlugin } from './exec-credentials.ts';
import { fileCredentials } from './file-credentials.ts';
import { KubeconfigField } from './kubeconfig-field.ts';

let folder = '';
let clock: ManualClock;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'afloat-credentials-'));
  clock = new ManualClock();
});
afterEach(() => rm(folder, { recursive: true }));

describe('credentials from files', () => {
  test('are read again after a minute, and are the same object while nothing changed', async () => {
    const file = join(folder, 'token');
    await writeFile(file, 'one\n');
    const source = fileCredentials({ texts: { certificate: 'c' }, files: { token: file } }, clock);
    const first = await source.current();
    expect(first).toEqual({ certificate: 'c', token: 'one' });
    await clock.pass(61);
    expect(await source.current()).toBe(first);
    await writeFile(file, 'two');
    await clock.pass(59);
    expect(await source.current()).toBe(first);
    await clock.pass(2);
    expect(await source.current()).toEqual({ certificate: 'c', token: 'two' });
  });

  test('stay what they were while a file is away, and are missing when it never was there', async () => {
    const file = join(folder, 'token');
    await writeFile(file, 'one');
    const source = fileCredentials({ texts: {}, files: { token: file } }, clock);
    await source.current();
    await rm(file);
    source.forget();
    expect(await source.current()).toEqual({ token: 'one' });
    const never = fileCredentials({ texts: {}, files: { token: file } }, clock);
    await expect(never.current()).rejects.toMatchObject({ code: 'CredentialsUnavailable' });
    await writeFile(file, ' \n');
    await expect(never.current()).rejects.toThrow('is empty');
    await writeFile(file, 'late');
    expect(await never.current()).toEqual({ token: 'late' });
  });
});

describe('credentials from a program', () => {
  const apiVersion = 'client.authentication.k8s.io/v1';

  /** A program that prints this, with {count} for how often it ran. */
  async function source(body: string, more: object = {}, seconds?: number) {
    const command = join(folder, 'plugin');
    const script = `#!/bin/sh\necho x >> ${folder}/runs\ncount=$(wc -l < ${folder}/runs)\n${body}\n`;
    await writeFile(command, script);
    await chmod(command, 0o755);
    const exec = new KubeconfigField(join(folder, 'config'), 'exec', {
      apiVersion,
      command: './plugin',
      ...more,
    });
    const plugin = readExecPlugin(exec, { server: 'https://north' });
    return execCredentials(seconds === undefined ? plugin : { ...plugin, timeoutSeconds: seconds }, clock);
  }
  const print = (status: string) =>
    `echo "{\\"apiVersion\\":\\"${apiVersion}\\",\\"kind\\":\\"ExecCredential\\",\\"status\\":${status.replaceAll('"', '\\"')}}"`;
  const runs = async () => (await readFile(join(folder, 'runs'), 'utf8')).trim().split('\n').length;

  test('are asked for once by all who wait, and kept', async () => {
    const plugin = await source(print('{"token":"t$count"}'));
    const all = await Promise.all([plugin.current(), plugin.current()]);
    expect(all).toEqual([{ token: 't1' }, { token: 't1' }]);
    expect(await plugin.current()).toEqual({ token: 't1' });
    expect(await runs()).toBe(1);
  });

  test('are asked for again when they end, and when they are not believed', async () => {
    const end = new Date(clock.wall() + 60_000).toISOString();
    const plugin = await source(print(`{"token":"t$count","expirationTimestamp":"${end}"}`));
    expect(await plugin.current()).toEqual({ token: 't1' });
    await clock.pass(40);
    expect(await plugin.current()).toEqual({ token: 't1' });
    await clock.pass(15);
    expect(await plugin.current()).toEqual({ token: 't2' });
    plugin.forget();
    expect(await plugin.current()).toEqual({ token: 't3' });
  });

  test('may be a certificate', async () => {
    const plugin = await source(print('{"clientCertificateData":"c","clientKeyData":"k"}'));
    expect(await plugin.current()).toEqual({ certificate: 'c', key: 'k' });
  });

  test('come from a program that has its arguments, its environment and the cluster', async () => {
    const body = `printf '%s' "$KUBERNETES_EXEC_INFO" > ${folder}/info\n${print('{"token":"$1-$NAME"}')}`;
    const more = { args: ['first'], env: [{ name: 'NAME', value: 'jo' }], provideClusterInfo: true };
    expect(await (await source(body, more)).current()).toEqual({ token: 'first-jo' });
    expect(JSON.parse(await readFile(join(folder, 'info'), 'utf8'))).toEqual({
      apiVersion,
      kind: 'ExecCredential',
      spec: { interactive: false, cluster: { server: 'https://north' } },
    });
  });

  test.each([
    ['fails', 'echo "no luck" >&2; exit 3', {}, 'no luck'],
    ['prints no JSON', 'echo secret', {}, 'no JSON'],
    ['prints nothing of use', print('{}'), {}, 'neither a token'],
    ['prints another version', 'echo "{}"', {}, 'another version'],
    ['gives a time that is none', print('{"token":"secret","expirationTimestamp":"soon"}'), {}, 'no time'],
    ['is not there', '', { command: 'no-such-program', installHint: 'get it' }, 'is not there\nget it'],
  ])('are missing when the program %s', async (_, body, more, words) => {
    const error = await (await source(body, more)).current().catch(caught => caught);
    expect(error).toMatchObject({ code: 'CredentialsUnavailable' });
    expect(error.message).toContain(words);
    expect(error.message).not.toContain('secret');
  });

  test.each([
    ['ignores that it is to end', "trap '' TERM\nwhile true; do sleep 0.1; done"],
    ['leaves its output to another', 'sleep 3 &\nexec sleep 3'],
  ])('are missing in time when the program %s', async (_, body) => {
    const began = performance.now();
    const plugin = await source(body, {}, 0.3);
    await expect(plugin.current()).rejects.toMatchObject({ code: 'CredentialsUnavailable' });
    expect(performance.now() - began).toBeLessThan(2500);
  });

  test('are not asked of a program that must talk to a person', async () => {
    await expect(source('', { interactiveMode: 'Always' })).rejects.toMatchObject({
      code: 'KubeconfigInvalid',
    });
  });
});
