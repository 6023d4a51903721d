/** A server for tests of what goes over the wire, byte by byte. */
import { type ClientRequest, type IncomingMessage, request as send } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach } from 'vitest';
import type { Cluster } from '../../cluster/cluster.ts';
import { ClusterError } from '../../cluster/cluster-error.ts';
import type { ServedKind } from '../../cluster/served-kind.ts';
import { startWire, type Wire, type WireOptions } from './start-wire.ts';

export const token = 'the-token';

const names = { shortNames: [], categories: [], isNamespaced: true, hasStatus: true } as const;

/** Enough kinds for what is asked here. */
export const someKinds: readonly ServedKind[] = [
  {
    ...names,
    group: '',
    version: 'v1',
    kind: 'ConfigMap',
    plural: 'configmaps',
    singular: 'configmap',
    hasStatus: false,
  },
  { ...names, group: '', version: 'v1', kind: 'Pod', plural: 'pods', singular: 'pod' },
  {
    ...names,
    group: '',
    version: 'v1',
    kind: 'Namespace',
    plural: 'namespaces',
    singular: 'namespace',
    isNamespaced: false,
  },
];

/** A cluster of which a test says what it answers; everything else is refused. */
export function clusterThat(answers: Partial<Cluster>): Cluster {
  const refuse = () => Promise.reject(new ClusterError('MethodNotAllowed', 'not in the script'));
  const cluster: Cluster = {
    get: refuse,
    list: refuse,
    create: refuse,
    update: refuse,
    updateStatus: refuse,
    patch: refuse,
    delete: refuse,
    async *watch() {},
    as: () => cluster,
    ...answers,
  };
  return cluster;
}

export interface Answer {
  readonly code: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  readonly json: Record<string, unknown>;
}

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Buffer;
}

/** A server that is ended after the test, and ways to ask it. */
export interface WireWorld extends Wire {
  readonly stop: AbortController;
  readonly troubles: string[];
  ask(path: string, sent?: Sent): Promise<Answer>;
  /** The answer as soon as it begins. */
  begin(path: string, sent?: Sent): Promise<{ request: ClientRequest; response: IncomingMessage }>;
}

const open: WireWorld[] = [];

afterEach(async () => {
  for (const { stop } of open) stop.abort();
  await Promise.all(open.splice(0).map(({ ended }) => ended));
});

export async function wireWorld(cluster: Cluster, more: Partial<WireOptions> = {}): Promise<WireWorld> {
  const stop = new AbortController();
  const troubles: string[] = [];
  const wire = await startWire({
    cluster,
    kinds: () => someKinds,
    token,
    signal: stop.signal,
    onTrouble: (doing, error) => void troubles.push(`${doing}: ${error}`),
    ...more,
  });
  const begin = ({ port }: Wire, path: string, { method = 'GET', headers = {}, body }: Sent = {}) =>
    new Promise<{ request: ClientRequest; response: IncomingMessage }>((resolve, reject) => {
      // Node frames the body of a DELETE only where its length is said.
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const all = { authorization: `Bearer ${token}`, ...length, ...headers } as Record<string, string>;
      const request = send({ host: '127.0.0.1', port, path, method, headers: all, agent: false });
      request.once('response', response => resolve({ request, response })).once('error', reject);
      request.end(body);
    });
  const world: WireWorld = {
    ...wire,
    stop,
    troubles,
    begin: (path, sent) => begin(wire, path, sent),
    async ask(path, sent) {
      const { response } = await begin(wire, path, sent);
      const body = await text(response);
      const isStream = path.includes('watch=') && response.statusCode === 200;
      const isJson = response.headers['content-type'] === 'application/json' && !isStream;
      return {
        code: response.statusCode ?? 0,
        headers: response.headers,
        text: body,
        json: isJson ? JSON.parse(body) : {},
      };
    },
  };
  open.push(world);
  return world;
}
