import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer } from 'node:tls';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ServerIdentity, serverIdentity } from './server-identity.ts';

const day = 24 * 3600 * 1000;
let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'afloat-identity-'));
  file = join(folder, 'identity.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a new identity is kept, and only its owner can read it', async () => {
  const made = await serverIdentity(file);
  expect(await serverIdentity(file)).toMatchObject(made);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('the certificate is of loopback and nothing else, and signed by the authority', async () => {
  const { authority, certificate } = await serverIdentity(file);
  const [top, own] = [new X509Certificate(authority), new X509Certificate(certificate)];
  expect(top.ca).toBe(true);
  expect(top.verify(top.publicKey)).toBe(true);
  expect(own.ca).toBe(false);
  expect(own.checkIssued(top)).toBe(true);
  expect(own.verify(top.publicKey)).toBe(true);
  expect(own.checkIP('127.0.0.1')).toBe('127.0.0.1');
  expect(own.checkIP('::1')).toBe('::1');
  expect(own.checkHost('localhost')).toBe('localhost');
  expect(own.checkHost('afloat')).toBeUndefined();
});

test('a client that knows the authority believes the server, and one that knows another does not', async () => {
  const identity = await serverIdentity(file);
  const other = await serverIdentity(join(folder, 'other.json'));
  const { certificate: cert, key } = identity;
  const server = createServer({ cert, key }, socket => socket.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const meet = ({ authority }: ServerIdentity) => {
    const socket = connect({ host: '127.0.0.1', port, ca: authority });
    return once(socket, 'secureConnect').finally(() => socket.destroy());
  };
  await meet(identity);
  await expect(meet(other)).rejects.toThrow(/self.signed|verify|unable/i);
  server.close();
});

test('a certificate that ends soon is renewed under the same authority', async () => {
  const first = await serverIdentity(file);
  const later = Date.now() + 300 * day;
  const second = await serverIdentity(file, later);
  expect(second.authority).toBe(first.authority);
  expect(second.certificate).not.toBe(first.certificate);
  expect(Date.parse(new X509Certificate(second.certificate).validTo)).toBeGreaterThan(later + 300 * day);
});

test('an authority that ends before its certificates would is made anew', async () => {
  const first = await serverIdentity(file);
  const second = await serverIdentity(file, Date.now() + 3500 * day);
  expect(second.authority).not.toBe(first.authority);
});

test('a certificate may last beyond the days whose years have two digits', async () => {
  const { authority } = await serverIdentity(file, Date.parse('2045-01-01T00:00:00Z'));
  expect(new X509Certificate(authority).validTo).toMatch(/2054/);
});

test.each([
  ['is no JSON', 'x'],
  ['lacks its keys', '{"authority": "x"}'],
])('a file that %s is replaced', async (_, content) => {
  writeFileSync(file, content);
  const made = await serverIdentity(file);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject(made);
});

test('parts of two identities are replaced together', async () => {
  await serverIdentity(file);
  const { key } = await serverIdentity(join(folder, 'other.json'));
  const mixed = { ...JSON.parse(readFileSync(file, 'utf8')), key };
  writeFileSync(file, JSON.stringify(mixed));
  expect((await serverIdentity(file)).key).not.toBe(key);
});
