import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type ApiCall, apiCall } from '../../../scripts/kubernetes/api-call.ts';
import { type ControlPlane, startControlPlane } from '../../../scripts/kubernetes/control-plane.ts';
import { waitUntil } from '../../../scripts/kubernetes/process/wait-until.ts';
import { configMapType, eventually } from '../contract/case-world.contract.ts';
import { FaultyProxy } from '../contract/faulty-proxy.contract.ts';
import { LastStates } from '../contract/last-states.contract.ts';
import { findAccess } from './access/find-access.ts';
import { KubernetesCluster } from './kubernetes-cluster.ts';

const { programs } = inject('kubernetes');
const selection = { namespace: 'default', labelSelector: 'counter=yes' };

/** Writes without end: changes, deletions, new objects; goes on whatever happens. */
class Writer {
  acknowledged = 0;
  #isOver = false;
  readonly #running: Promise<void>;
  readonly #cluster: KubernetesCluster;

  constructor(cluster: KubernetesCluster) {
    this.#cluster = cluster;
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    for (let count = 0; !this.#isOver; count++) {
      const name = `counter-${count % 7}`;
      const ref = { ...configMapType, namespace: 'default', name };
      const metadata = { name, namespace: 'default', labels: { counter: 'yes' } };
      const value = { ...configMapType, metadata, data: { count: `${count}` } };
      try {
        if (count % 40 === 39) await this.#cluster.delete(ref);
        else await this.#cluster.patch(ref, { type: 'apply', value, fieldManager: 'writer', force: true });
        this.acknowledged += 1;
      } catch {
        await sleep(20);
      }
    }
  }
}

describe.skipIf(!programs)('follow over outages of a real server (not with AFLOAT_TEST_KUBECONFIG)', () => {
  let plane: ControlPlane;
  let call: ApiCall;
  let proxy: FaultyProxy;
  let direct: KubernetesCluster;
  let throughProxy: KubernetesCluster;
  let writer: Writer;
  let seen: LastStates;

  beforeAll(async () => {
    if (!programs) return;
    plane = await startControlPlane({ programs, durable: true });
    call = apiCall(plane.admin);
    proxy = await FaultyProxy.start(plane.admin);
    direct = KubernetesCluster.to(await findAccess({ kubeconfig: plane.kubeconfig }), { timeoutSeconds: 5 });
    throughProxy = KubernetesCluster.to(
      {
        server: proxy.address,
        credentials: { current: async () => ({}), forget: () => {} },
        namespace: 'default',
      },
      { timeoutSeconds: 5 },
    );
    writer = new Writer(direct);
    seen = new LastStates(throughProxy, configMapType, selection);
    await eventually('the first events', async () => seen.changes > 20);
  });
  afterAll(async () => {
    await writer?.stop();
    await seen?.stop();
    await Promise.all([direct?.close(), throughProxy?.close(), proxy?.stop()]);
    await plane?.stop();
  });

  /** From the moment the API server says that it is ready until a change is told: how long it takes to be back. */
  async function recovery(what: string): Promise<void> {
    await waitUntil('the API server is ready', 60, async () => {
      return (await call('GET', '/readyz').catch(() => undefined))?.status === 200;
    });
    const before = seen.changes;
    const start = performance.now();
    await eventually('a change is told', async () => seen.changes > before);
    const seconds = (performance.now() - start) / 1000;
    process.stdout.write(`${what}: back ${seconds.toFixed(2)} s after the server\n`);
    expect(seconds).toBeLessThan(2);
  }

  /** The writer rests, the follower catches up: now both must know the same. */
  async function expectNothingLost(): Promise<void> {
    await writer.stop();
    let last = -1;
    await eventually('nothing more is told', async () => {
      const isQuiet = last === seen.changes;
      last = seen.changes;
      await sleep(300);
      return isQuiet;
    });
    await seen.expectAll(direct, configMapType, selection);
    writer = new Writer(direct);
  }

  test('the API server is killed and comes back', async () => {
    await plane.killApiServer();
    await sleep(1000);
    await plane.startApiServer();
    await recovery('API server killed');
    await expectNothingLost();
  });

  test('the API server is away for longer', async () => {
    await plane.killApiServer();
    await sleep(8000);
    await plane.startApiServer();
    await recovery('API server away for 8 s');
    await expectNothingLost();
  });

  test('etcd is killed and comes back', async () => {
    await plane.killEtcd();
    await sleep(2000);
    await plane.startEtcd();
    await recovery('etcd killed');
    await expectNothingLost();
  });

  test('both are killed and come back', async () => {
    await Promise.all([plane.killApiServer(), plane.killEtcd()]);
    await sleep(1000);
    await plane.startEtcd();
    await plane.startApiServer();
    await recovery('both killed');
    await expectNothingLost();
  });

  test('history is compacted while nothing could be heard: it lists again', async () => {
    const synced = seen.synced;
    proxy.fault = () => 'cut before';
    proxy.cutOpen();
    await writer.stop();
    await direct.delete({ ...configMapType, namespace: 'default', name: 'counter-3' }).catch(() => {});
    writer = new Writer(direct);
    await sleep(1000);
    const { resourceVersion } = await direct.list(configMapType, { limit: 1 });
    await plane.killApiServer();
    const body = JSON.stringify({ revision: resourceVersion, physical: true });
    const answer = await fetch(`${plane.etcd}/v3/kv/compaction`, { method: 'POST', body });
    expect(answer.status).toBe(200);
    await plane.startApiServer();
    proxy.fault = () => 'pass';
    await recovery('history compacted');
    expect(seen.synced).toBe(synced + 1);
    await expectNothingLost();
  });

  test('answers are wrong and connections are cut, for ten seconds', async () => {
    const faults = [
      { status: 409, reason: 'Conflict' },
      { status: 410, reason: 'Expired' },
      { status: 429, reason: 'TooManyRequests', retryAfter: 1 },
      { status: 500, reason: 'InternalError' },
      { status: 503, reason: 'ServiceUnavailable' },
      'cut before',
      'cut within',
    ] as const;
    let number = 0;
    proxy.fault = () => {
      number += 1;
      return number % 2 === 0 ? 'pass' : (faults[(number >> 1) % faults.length] ?? 'pass');
    };
    const end = performance.now() + 10_000;
    while (performance.now() < end) {
      await sleep(150);
      proxy.cutOpen();
    }
    expect(number).toBeGreaterThan(15);
    proxy.fault = () => 'pass';
    await recovery(`${number} requests, every other one wrong`);
    await expectNothingLost();
  });

  test('a connection is dead and nobody says so: the watchdog begins anew', async () => {
    const watched = new LastStates(throughProxy, configMapType, selection, { idleSeconds: 2 });
    // More than the list had: now it watches.
    await eventually('the first events', async () => watched.changes > 20);
    proxy.freezeOpen();
    await sleep(500);
    const before = watched.changes;
    await sleep(1000);
    expect(watched.changes).toBe(before);
    await eventually('events again', async () => watched.changes > before + 5);
    expect(watched.troubles).toBe(1);
    expect(watched.synced).toBe(1);
    await watched.stop();
    // The one of the other cases has patience for a minute and a half: it is helped.
    proxy.cutOpen();
    await expectNothingLost();
  });
});
