import { createPrivateKey, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type TLSSocket } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { makeAuthority } from './authority.ts';

const authority = await makeAuthority('test authority');
const ca = new X509Certificate(authority.certificate);
const server = await authority.issue({
  commonName: 'server',
  use: 'server',
  names: ['127.0.0.1', '::1', 'localhost'],
});

describe('a certificate', () => {
  test('of the authority is signed by itself and may sign others', () => {
    expect(ca.ca).toBe(true);
    expect(ca.verify(ca.publicKey)).toBe(true);
    expect(ca.subject).toBe('CN=test authority');
  });

  test('of a client carries user and groups, and fits its key', async () => {
    const organizations = ['admins', 'Ärzte', '#a_b@c'];
    const pair = await authority.issue({ commonName: 'jo', organizations, use: 'client' });
    const certificate = new X509Certificate(pair.certificate);
    expect(certificate.subject.split('\n')).toEqual(['O=admins', 'O=Ärzte', 'O=\\#a_b@c', 'CN=jo']);
    expect(certificate.verify(ca.publicKey)).toBe(true);
    expect(certificate.checkIssued(ca)).toBe(true);
    expect(certificate.ca).toBe(false);
    expect(certificate.checkPrivateKey(createPrivateKey(pair.key))).toBe(true);
  });

  test('of a server carries its names', () => {
    const certificate = new X509Certificate(server.certificate);
    expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1');
    expect(certificate.checkIP('::1')).toBe('::1');
    expect(certificate.checkHost('localhost')).toBe('localhost');
    expect(certificate.checkHost('elsewhere')).toBeUndefined();
  });

  test.each([
    [60, true],
    [-60, false],
  ])('that ends in %d seconds is good now: %s', async (lifetimeSeconds, good) => {
    const { certificate } = await authority.issue({ commonName: 'jo', use: 'client', lifetimeSeconds });
    const { validFrom, validTo } = new X509Certificate(certificate);
    expect(Date.parse(validFrom)).toBeLessThan(Date.now());
    expect(Date.parse(validTo) > Date.now()).toBe(good);
  });

  test('each has a serial number of its own', async () => {
    const pairs = await Promise.all(
      [1, 2, 3].map(() => authority.issue({ commonName: 'jo', use: 'client' })),
    );
    const serials = pairs.map(({ certificate }) => new X509Certificate(certificate).serialNumber);
    expect(new Set(serials).size).toBe(3);
  });
});

test('server and client accept each other over TLS', async () => {
  const client = await authority.issue({ commonName: 'jo', use: 'client' });
  const listening = createServer({
    cert: server.certificate,
    key: server.key,
    ca: authority.certificate,
    requestCert: true,
    rejectUnauthorized: true,
  }).listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  const arrived = once(listening, 'secureConnection') as Promise<[TLSSocket]>;
  const socket = connect({
    host: '127.0.0.1',
    port,
    ca: authority.certificate,
    cert: client.certificate,
    key: client.key,
  });
  await once(socket, 'secureConnect');
  const [seen] = await arrived;
  expect(seen.getPeerCertificate().subject.CN).toBe('jo');
  socket.destroy();
  listening.close();
});
