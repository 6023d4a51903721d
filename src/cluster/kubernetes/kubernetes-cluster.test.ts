import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { fixedCredentials } from './access/access.ts';
import { KubernetesCluster } from './kubernetes-cluster.ts';

const type = { apiVersion: 'v1', kind: 'ConfigMap' };
const ref = { ...type, namespace: 'here', name: 'one' };
const resources = { resources: [{ name: 'configmaps', kind: 'ConfigMap', namespaced: true }] };

let server: Server | undefined;
let cluster: KubernetesCluster | undefined;
afterEach(async () => {
  await cluster?.close();
  server?.close();
});

/** A cluster that answers everything but discovery with this. */
async function answering(answer: object): Promise<KubernetesCluster> {
  server = createServer((request, response) => {
    response.end(JSON.stringify(request.url === '/api/v1' ? resources : answer));
  });
  await new Promise<void>(resolve => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const credentials = fixedCredentials({});
  cluster = KubernetesCluster.to({ server: `http://127.0.0.1:${port}`, credentials, namespace: 'here' });
  return cluster;
}

test('a list that says nothing of itself is an error of the server', async () => {
  const asked = (await answering({ kind: 'ConfigMapList' })).list(type);
  await expect(asked).rejects.toMatchObject({ reason: 'InternalError' });
});

test('a status in the place of an object is an error of the server', async () => {
  const asked = (await answering({ kind: 'Status', status: 'Success' })).get(ref);
  await expect(asked).rejects.toMatchObject({ reason: 'InternalError' });
});
