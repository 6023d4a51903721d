import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { aPod } from '../decide/a-pod.contract.ts';
import type { Service } from '../env/service-links.ts';
import { hostsFile, writeInPlace } from './hosts-file.ts';
import { type EndpointSlice, serviceLines } from './service-names.ts';

const metadata = { uid: 'u', resourceVersion: '1', creationTimestamp: '' };

function service(name: string, clusterIP: string, namespace = 'default'): Service {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { ...metadata, name, namespace },
    spec: { clusterIP },
  };
}

test('its own name, then its aliases, then Services: what stands first wins', () => {
  const pod = aPod({
    hostname: 'called',
    subdomain: 'sub',
    hostAliases: [{ ip: '192.0.2.1', hostnames: ['db', 'old'] }],
  });
  const lines = hostsFile(pod, '10.1.0.2', ['10.0.0.9\tdb']).split('\n');
  expect(lines.slice(lines.indexOf('127.0.0.1\tlocalhost'))).toEqual([
    '127.0.0.1\tlocalhost',
    '::1\tlocalhost ip6-localhost ip6-loopback',
    'fe00::0\tip6-localnet',
    'fe00::0\tip6-mcastprefix',
    'fe00::1\tip6-allnodes',
    'fe00::2\tip6-allrouters',
    '10.1.0.2\tcalled.sub.default.svc.cluster.local\tcalled',
    '',
    '# Entries added by HostAliases.',
    '192.0.2.1\tdb\told',
    '',
    '# Services.',
    '10.0.0.9\tdb',
    '',
  ]);
});

test('Services: short names in the same namespace only, headless ones stand for their Pods', () => {
  const slice: EndpointSlice = {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { ...metadata, name: 's' },
    endpoints: [
      { addresses: ['10.1.0.5'], hostname: 'db-0', conditions: { ready: true } },
      { addresses: ['10.1.0.6'], hostname: 'db-1', conditions: { ready: false } },
    ],
  };
  const services = [service('web', '10.0.0.1'), service('far', '10.0.0.2', 'other'), service('db', 'None')];
  expect(
    serviceLines('default', services, ({ metadata: { name } }) => (name === 'db' ? [slice] : [])),
  ).toEqual([
    '10.0.0.1\tweb\tweb.default\tweb.default.svc\tweb.default.svc.cluster.local',
    '10.0.0.2\tfar.other\tfar.other.svc\tfar.other.svc.cluster.local',
    '10.1.0.5\tdb-0.db\tdb-0.db.default\tdb-0.db.default.svc\tdb-0.db.default.svc.cluster.local\tdb\tdb.default\tdb.default.svc\tdb.default.svc.cluster.local',
  ]);
});

test('the file is changed in place', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'afloat-hosts-'));
  const path = join(folder, 'hosts');
  await writeInPlace(path, 'long text\n');
  const { ino } = await stat(path);
  await writeInPlace(path, 'short\n');
  expect(await readFile(path, 'utf8')).toBe('short\n');
  expect((await stat(path)).ino).toBe(ino);
  await rm(folder, { recursive: true });
});
