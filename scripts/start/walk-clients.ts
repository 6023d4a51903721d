/** The clients of the walk: who uses the cloud while it changes, and what they saw since they were asked last. */
import { setTimeout as pause } from 'node:timers/promises';
import { connectWorld } from '../../src/app/connect-world.ts';
import { isReason } from '../../src/cluster/cluster-error.ts';
import { type ClientLoad, startLoad } from './client-load.ts';
import { startImageLoad } from './image-load.ts';
import type { LoadCounts } from './paced-clients.ts';
import { timedRequest } from './timed-request.ts';

export const namespace = 'openstack';

/** What clients of one service saw in one step. */
export interface Seen extends LoadCounts {
  readonly lastFailure: string | undefined;
}

export type ClientsOf = 'identity' | 'image';

export class WalkClients {
  readonly #loads = new Map<ClientsOf, ClientLoad>();
  readonly #before = new Map<ClientsOf, LoadCounts>();
  readonly #over = new AbortController();

  /** Starts the clients of each service as soon as it answers. Returns when all are at work, or were stopped before. */
  async begin(stateFolder: string): Promise<void> {
    const identity = await this.#answering(stateFolder, 'identity');
    if (!identity) return;
    this.#loads.set('identity', startLoad({ ...identity, clients: 4, perSecond: 40 }));
    const image = await this.#answering(stateFolder, 'image');
    if (!image) return;
    this.#loads.set('image', await startImageLoad({ ...image, identity, clients: 4, perSecond: 25 }));
  }

  /** What was seen since the last time this was asked. */
  since(): ReadonlyMap<ClientsOf, Seen> {
    const seen = new Map<ClientsOf, Seen>();
    for (const [name, load] of this.#loads) {
      const now = load.counts();
      seen.set(name, { ...without(now, this.#before.get(name)), lastFailure: load.lastFailure });
      this.#before.set(name, now);
    }
    return seen;
  }

  /** Reads back everything whose writing was acknowledged. */
  async checkWrites(of: ClientsOf): ReturnType<ClientLoad['checkWrites']> {
    return (await this.#loads.get(of)?.checkWrites()) ?? { checked: 0, lost: [] };
  }

  async stop(): Promise<void> {
    this.#over.abort();
    await Promise.all([...this.#loads.values()].map(load => load.stop()));
  }

  async #answering(
    stateFolder: string,
    service: ClientsOf,
  ): Promise<{ address: string; port: number } | undefined> {
    while (!this.#over.signal.aborted) {
      const found = await addressOf(stateFolder, service);
      const answer = found && (await timedRequest({ ...found, ...healthCheck }));
      if (answer && 'status' in answer && answer.status === 200) return found;
      await pause(200);
    }
    return undefined;
  }
}

const healthCheck = { method: 'GET', path: '/healthz', limitMs: 2000 };

/** Where clients reach a service; undefined while it has no address. */
async function addressOf(
  stateFolder: string,
  name: string,
): Promise<{ address: string; port: number } | undefined> {
  const world = await connectWorld({ stateFolder });
  try {
    const service = (await world.cluster.get({ apiVersion: 'v1', kind: 'Service', namespace, name })) as {
      spec?: { clusterIP?: string; ports?: { port: number }[] };
    };
    const { clusterIP: address, ports } = service.spec ?? {};
    const port = ports?.[0]?.port;
    return address && port !== undefined ? { address, port } : undefined;
  } catch (error) {
    if (isReason(error, 'NotFound')) return undefined;
    throw error;
  } finally {
    await world.close();
  }
}

function without(now: LoadCounts, before: LoadCounts | undefined): LoadCounts {
  if (!before) return now;
  const versions = Object.entries(now.byVersion).map(
    ([version, count]) => [version, count - (before.byVersion[version] ?? 0)] as const,
  );
  return {
    ...now,
    requests: now.requests - before.requests,
    failed: now.failed - before.failed,
    byVersion: Object.fromEntries(versions.filter(([, count]) => count > 0)),
    unservedMs: now.unservedMs - before.unservedMs,
  };
}
