import { setTimeout as pause } from 'node:timers/promises';
import type { ClientLoad } from '../../../scripts/start/client-load.ts';
import type { Cluster, StoredObject } from '../../../src/cluster/cluster.ts';
import type { OwnNode } from './operator-pods.ts';

/** Whose failures are looked into, and where. */
export interface Watched {
  readonly node: OwnNode;
  readonly cluster: Cluster;
  readonly namespace: string;
  readonly load: ClientLoad;
}

/**
 * Looks at the cluster when a request of these clients has failed for the first time: at the node, at who could have answered, and at what the
 * kernel knows of the connection. Gives what was seen, when it is asked; empty where none failed. It ends with the signal.
 */
export function witnessFailure(watched: Watched, signal: AbortSignal): () => Promise<string> {
  const seen = (async () => {
    while (watched.load.lastFailure === undefined && !signal.aborted) await pause(100);
    return watched.load.lastFailure === undefined ? '' : describe(watched, watched.load.lastFailure);
  })();
  return async () => (watched.load.lastFailure === undefined ? '' : seen);
}

async function describe({ node, cluster, namespace }: Watched, failure: string): Promise<string> {
  const at = new Date().toISOString();
  const list = async (apiVersion: string, kind: string, place?: string) =>
    (await cluster.list({ apiVersion, kind }, place === undefined ? {} : { namespace: place })).items;
  const parts = [
    async () => (await list('v1', 'Node')).map(sayConditions),
    async () => (await list('v1', 'Pod', namespace)).map(sayConditions),
    async () => (await list('discovery.k8s.io/v1', 'EndpointSlice', namespace)).map(sayEndpoints),
    async () => connectionsOf(node, failure),
  ];
  const lines = await Promise.all(
    parts.map(part => part().catch((error: unknown) => [`could not be told: ${String(error)}`])),
  );
  return [`${at} ${failure}`, ...lines.flat()].join('\n');
}

interface Conditioned {
  readonly podIP?: string;
  readonly conditions?: readonly {
    readonly type: string;
    readonly status: string;
    readonly lastTransitionTime?: string;
  }[];
}

function sayConditions({ kind, metadata, ...rest }: StoredObject): string {
  const { podIP = '', conditions = [] } = ((rest as StoredObject)['status'] ?? {}) as Conditioned;
  const said = conditions
    .filter(({ type }) => type === 'Ready' || type === 'ContainersReady')
    .map(({ type, status, lastTransitionTime }) => `${type}=${status} since ${lastTransitionTime}`);
  const { name, deletionTimestamp } = metadata;
  return [kind, name, podIP, ...said, ...(deletionTimestamp ? [`ends ${deletionTimestamp}`] : [])].join(' ');
}

function sayEndpoints({ metadata, ...rest }: StoredObject): string {
  return `EndpointSlice ${metadata.name} ${JSON.stringify((rest as StoredObject)['endpoints'] ?? [])}`;
}

/** What the node keeps of the connection that failed; of all that go on, where it is not known which one that was. */
async function connectionsOf(node: OwnNode, failure: string): Promise<string[]> {
  const [, port] = /from port (\d+)/.exec(failure) ?? [];
  const all = (await node.runInside(['cat', '/proc/net/nf_conntrack'])).split('\n');
  const isMeant = (line: string) =>
    port === undefined
      ? line.includes('dport=8080') && !/TIME_WAIT|CLOSE/.test(line)
      : line.includes(`sport=${port} `);
  return [...all.filter(isMeant).slice(0, 20), await node.runInside(['ip', 'route'])];
}
