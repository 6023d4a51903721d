import { apiCall } from '../../../scripts/kubernetes/api-call.ts';
import { readAccess } from '../../../scripts/kubernetes/kubeconfig.ts';
import type { TestNode } from '../../../scripts/kubernetes/test-node.ts';
import type { Cluster, ClusterObject } from '../../cluster/cluster.ts';
import { findAccess } from '../../cluster/kubernetes/access/find-access.ts';
import { KubernetesCluster } from '../../cluster/kubernetes/kubernetes-cluster.ts';
import { pod, sh } from './manifests.contract.ts';
import { RuntimeCase } from './runtime-case.contract.ts';
import type { RuntimeWorld } from './runtime-world.ts';

/** A folder of the node. Ours is gone with the node; of a node that somebody gave us it stays, with a few bytes in it. */
const hostFolder = '/var/tmp/afloat-contract';

/** A web server that fetches what its query names. Not with `wget -T`: with it busybox dies where it has to look up a name. */
const fetcher = sh(
  'mkdir -p /tmp/www/cgi-bin && cd /tmp/www/cgi-bin',
  "cat >fetch <<'END'",
  '#!/bin/sh',
  'body=$(mktemp)',
  'if timeout 5 wget -q -O $body "$(httpd -d "$QUERY_STRING")" 2>&1; then status="200 OK"; else status="502 Bad Gateway"; fi >$body.error',
  'printf "HTTP/1.0 $status\\r\\nContent-Type: text/plain\\r\\n\\r\\n"',
  'cat $body $body.error; rm $body $body.error',
  'END',
  'chmod +x fetch',
  'exec httpd -f -p 8080 -h /tmp/www',
);

/** A real Kubernetes, ours or one that somebody gave us, as a world for the suite. */
export async function kubernetesWorld({ kubeconfig, image }: TestNode): Promise<RuntimeWorld> {
  const cluster = KubernetesCluster.to(await findAccess({ kubeconfig }));
  // Not by the port, which has no logs and no proxy; and not by kubectl, whose start costs more than the call.
  const call = apiCall(await readAccess(kubeconfig));
  const get = async (path: string) => {
    const { status, body } = await call('GET', path);
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    if (status !== 200) throw new Error(`${path} gave ${status}: ${text}`);
    return text;
  };
  const namespace = await makeNamespace(cluster);
  const pods = (name: string) => `/api/v1/namespaces/${name}/pods`;
  const volumes: string[] = [];
  const world: RuntimeWorld = {
    cluster,
    image,
    hostFolder,
    makeNamespace: () => makeNamespace(cluster),
    logs: ({ namespace: of, pod: name, container, previous = false }) =>
      get(`${pods(of)}/${name}/log?container=${container}&previous=${previous}`),
    fetch: url => get(`${pods(namespace)}/client:8080/proxy/cgi-bin/fetch?${encodeURIComponent(url)}`),
    offerVolumes: async (storageClass, count) => {
      for (let number = 0; number < count; number += 1) {
        const { metadata } = await cluster.create(volume(storageClass, number));
        volumes.push(metadata.name);
      }
    },
    close: async () => {
      for (const name of volumes) await cluster.delete({ apiVersion: 'v1', kind: 'PersistentVolume', name });
      await cluster.delete({ apiVersion: 'v1', kind: 'Namespace', name: namespace });
      await cluster.close();
    },
  };
  await startClient(world, namespace);
  return world;
}

async function startClient(world: RuntimeWorld, namespace: string): Promise<void> {
  const run = new RuntimeCase(world, namespace);
  const readinessProbe = { tcpSocket: { port: 8080 }, periodSeconds: 1 };
  const client = await run.create(pod('client', { command: fetcher, readinessProbe }));
  await run.sees(client, { conditions: { Ready: 'True' } }, 120);
  run.stop();
}

async function makeNamespace(cluster: Cluster): Promise<string> {
  const made = await cluster.create({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { generateName: 'contract-' },
  });
  const { name: namespace } = made.metadata;
  // Until it has an account, Pods are refused.
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', name: 'default', namespace };
  const options = { namespace, fieldSelector: 'metadata.name=default' };
  const signal = AbortSignal.timeout(60_000);
  for await (const event of cluster.watch(account, { ...options, signal })) {
    if (event.type === 'ADDED') break;
  }
  return namespace;
}

function volume(storageClass: string, number: number): ClusterObject {
  const name = `${storageClass}-${number}`;
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name },
    spec: {
      storageClassName: storageClass,
      capacity: { storage: '1Mi' },
      accessModes: ['ReadWriteOnce'],
      hostPath: { path: `${hostFolder}/${name}`, type: 'DirectoryOrCreate' },
    },
  };
}
