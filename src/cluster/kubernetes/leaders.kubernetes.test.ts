import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { eventually } from '../contract/case-world.contract.ts';
import { FaultyProxy, type FaultyProxyTarget } from '../contract/faulty-proxy.contract.ts';
import { lead, type Term } from '../leader-election.ts';
import { findAccess } from './access/find-access.ts';
import { KubernetesCluster } from './kubernetes-cluster.ts';

/** A candidate that always stands again, over a line of its own. */
class Candidate {
  term: Term | undefined;
  terms = 0;
  readonly proxy: FaultyProxy;
  readonly #cluster: KubernetesCluster;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  constructor(proxy: FaultyProxy, lease: { namespace: string; name: string }, identity: string) {
    this.proxy = proxy;
    const credentials = { current: async () => ({}), forget: () => {} };
    const access = { server: proxy.address, credentials, namespace: 'default' };
    this.#cluster = KubernetesCluster.to(access, { timeoutSeconds: 3 });
    this.#running = this.#run(lease, identity);
  }

  get acts(): boolean {
    return this.term?.mayAct() ?? false;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await this.#cluster.close();
    await this.proxy.stop();
  }

  async #run(lease: { namespace: string; name: string }, identity: string): Promise<void> {
    const times = { leaseSeconds: 3, renewDeadlineSeconds: 2, retrySeconds: 0.4 };
    const options = { lease, identity, ...times };
    while (!this.#stop.signal.aborted) {
      const work = async (term: Term) => {
        this.term = term;
        this.terms += 1;
        await new Promise<void>(resolve => term.signal.addEventListener('abort', () => resolve()));
      };
      await lead(this.#cluster, options, work, this.#stop.signal);
      this.term = undefined;
    }
  }
}

let admin: FaultyProxyTarget;
let candidates: Candidate[] = [];
beforeAll(async () => {
  const { server, authority, credentials } = await findAccess({
    kubeconfig: inject('kubernetes').kubeconfig,
  });
  admin = { server, authority, ...(await credentials.current()) };
});
afterAll(async () => {
  await Promise.all(candidates.map(one => one.stop()));
});

test('of two leaders with a line of their own that is cut, healed, stalled, never both act', async () => {
  const proxies = await Promise.all(['one', 'two'].map(() => FaultyProxy.start(admin)));
  const lease = { namespace: 'default', name: `leaders-${Date.now()}` };
  candidates = proxies.map((proxy, index) => new Candidate(proxy, lease, `candidate-${index}`));
  let both = 0;
  let samples = 0;
  const watching = setInterval(() => {
    samples += 1;
    if (candidates.every(one => one.acts)) both += 1;
  }, 5);
  await eventually('a leader', async () => candidates.some(one => one.acts));

  for (const fault of ['cut before', 'cut after', 'stall', 'cut before'] as const) {
    const leader = candidates.find(one => one.acts);
    const other = candidates.find(one => one !== leader);
    expect(leader).toBeDefined();
    if (!leader || !other) break;
    leader.proxy.fault = () => fault;
    leader.proxy.cutOpen();
    const start = performance.now();
    if (fault === 'cut after') {
      // Its renewals happen and it does not know: it must stop, and nobody else need start.
      await eventually('the leader has stopped', async () => !leader.acts);
    } else {
      await eventually('the other leads', async () => other.acts);
      process.stdout.write(
        `${fault}: the other leads after ${((performance.now() - start) / 1000).toFixed(2)} s\n`,
      );
      expect(leader.acts).toBe(false);
    }
    leader.proxy.fault = () => 'pass';
    await eventually('a leader', async () => candidates.some(one => one.acts));
    await sleep(500);
  }
  const leader = candidates.find(one => one.acts);
  const other = candidates.find(one => one !== leader);
  const start = performance.now();
  const stopping = leader?.stop();
  await eventually('the other leads', async () => other?.acts ?? false);
  process.stdout.write(`handed over after ${((performance.now() - start) / 1000).toFixed(2)} s\n`);
  await stopping;
  await other?.stop();
  candidates = [];
  clearInterval(watching);
  expect({ both, looked: samples > 500 }).toEqual({ both: 0, looked: true });
});
