import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findAccess } from '../cluster/kubernetes/access/find-access.ts';
import { writeKubeconfig } from './kubeconfig.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'afloat-kubeconfig-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a kubeconfig is read as it was meant, and only by its owner', async () => {
  const file = join(folder, 'new', 'kubeconfig');
  const facts = { server: 'http://127.0.0.1:4711', token: 'a "token": #1', name: 'here', namespace: 'cloud' };
  await writeKubeconfig(file, facts);
  const access = await findAccess({ kubeconfig: file });
  expect(access).toMatchObject({ server: facts.server, namespace: 'cloud' });
  expect(await access.credentials.current()).toEqual({ token: facts.token });
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('one that is there is replaced as a whole, whoever could read it', async () => {
  const file = join(folder, 'kubeconfig');
  writeFileSync(file, 'old', { mode: 0o644 });
  await writeKubeconfig(file, { server: 'http://127.0.0.1:4711', token: 't' });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['kubeconfig']);
});

test('where none can be written nothing is left', async () => {
  const file = join(folder, 'kubeconfig');
  writeFileSync(join(folder, 'file'), '');
  const facts = { server: 'http://127.0.0.1:4711', token: 't' };
  const inFile = writeKubeconfig(join(folder, 'file', 'kubeconfig'), facts);
  await expect(inFile).rejects.toMatchObject({ code: 'FileUnwritable' });
  await expect(writeKubeconfig(`${file}/`, facts)).rejects.toMatchObject({ code: 'FileUnwritable' });
});
