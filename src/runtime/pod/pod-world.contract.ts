import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { systemClock } from '../../cluster/clock.ts';
import type { ClusterObject, StoredObject } from '../../cluster/cluster.ts';
import { EmbeddedCluster } from '../../cluster/embedded/embedded-cluster.ts';
import { Reconciling } from '../../reconcile/reconcile.ts';
import type { ContainerSpec } from '../container/containers.ts';
import { imagesLabel } from '../image/config-map-images.ts';
import type { BackOffRule } from './decide/restart.ts';
import type { TrafficGate } from './end/traffic-gate.ts';
import type { Container, Pod, PodSpec } from './pod-shape.ts';
import { Pods } from './pods.ts';
import { type Script, ScriptedContainers } from './scripted-containers.contract.ts';

const podType = { apiVersion: 'v1', kind: 'Pod', namespace: 'default' } as const;

/** A manager of Pods on a store of its own, with programs that do what a script says. */
export class PodWorld {
  readonly cluster: EmbeddedCluster;
  readonly containers: ScriptedContainers;
  readonly folder: string;
  readonly troubles: string[] = [];
  readonly #more: WorldOptions;
  #stop = new AbortController();
  #reconciling: Reconciling | undefined;
  #pods: Pods | undefined;

  private constructor(cluster: EmbeddedCluster, folder: string, more: WorldOptions) {
    this.cluster = cluster;
    this.folder = folder;
    this.#more = more;
    this.containers = new ScriptedContainers(join(folder, 'pods'), systemClock, more.script ?? (() => ({})));
  }

  /** The image `app` is known in the namespace `default`. */
  static async open(more: WorldOptions = {}): Promise<PodWorld> {
    const folder = await mkdtemp(join(tmpdir(), 'afloat-pods-'));
    const world = new PodWorld(await EmbeddedCluster.open(join(folder, 'store')), folder, more);
    await world.create('ConfigMap', 'images', {
      metadata: { name: 'images', namespace: 'default', labels: { [imagesLabel]: 'true' } },
      data: { all: JSON.stringify({ app: { command: ['/bin/app'] } }) },
    });
    await world.startManager();
    return world;
  }

  /** A manager: the first, or the next one, that takes up what the one before left. */
  async startManager(): Promise<void> {
    this.#stop = new AbortController();
    const onTrouble = (doing: string, error: unknown) => void this.troubles.push(`${doing}: ${error}`);
    const { signal } = this.#stop;
    const reconciling = new Reconciling(this.cluster, { signal, onTrouble });
    await this.containers.adopt();
    const { gate, backOff } = this.#more;
    const pods = new Pods({
      cluster: this.cluster,
      reconciling,
      containers: this.containers,
      folder: this.folder,
      clock: systemClock,
      signal,
      onTrouble,
      ...(gate ? { gate } : {}),
      ...(backOff ? { backOff } : {}),
    });
    await reconciling.start();
    await pods.start();
    this.#reconciling = reconciling;
    this.#pods = pods;
  }

  async stopManager(): Promise<void> {
    this.#stop.abort();
    await this.#reconciling?.ended();
    await this.#pods?.ended();
  }

  async close(): Promise<void> {
    await this.stopManager();
    await this.cluster.close();
    await rm(this.folder, { recursive: true, force: true });
    expect(this.troubles).toEqual([]);
  }

  create(kind: string, name: string, more: object): Promise<StoredObject> {
    const metadata = { name, namespace: 'default' };
    return this.cluster.create({ apiVersion: 'v1', kind, metadata, ...more } as ClusterObject);
  }

  /** A Pod with one container called `main`. */
  async createPod(name: string, main: Partial<Container> = {}, more: Partial<PodSpec> = {}): Promise<Pod> {
    const containers = [{ name: 'main', image: 'app', ...main }];
    return (await this.create('Pod', name, {
      spec: { terminationGracePeriodSeconds: 1, containers, ...more },
    })) as Pod;
  }

  pod(name: string): Promise<Pod> {
    return this.cluster.get({ ...podType, name }) as Promise<Pod>;
  }

  delete(name: string, gracePeriodSeconds?: number): Promise<StoredObject> {
    const grace = gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds };
    return this.cluster.delete({ ...podType, name }, grace);
  }

  /** Waits until the Pod has all this. */
  sees(name: string, expected: object): Promise<Pod> {
    return vi.waitFor(
      async () => {
        const pod = await this.pod(name);
        expect(pod).toMatchObject(expected);
        return pod;
      },
      { timeout: 10_000, interval: 10 },
    );
  }

  async gone(name: string): Promise<void> {
    await vi.waitFor(() => expect(this.pod(name)).rejects.toMatchObject({ code: 'ClusterNotFound' }), {
      timeout: 10_000,
      interval: 10,
    });
  }

  /** The reasons of the events about a Pod, in the order they were first said. */
  async reasons(name: string): Promise<readonly string[]> {
    const { items } = await this.cluster.list({ apiVersion: 'v1', kind: 'Event' }, { namespace: 'default' });
    return items
      .filter(event => (event['involvedObject'] as { name: string }).name === name)
      .sort((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion))
      .map(event => String(event['reason']));
  }

  async logs(pod: string, options: { previous?: boolean } = {}): Promise<string> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.#pods?.logs({ namespace: 'default', pod }, options) ?? [])
      chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  }
}

export interface WorldOptions {
  readonly script?: (spec: ContainerSpec) => Script;
  readonly gate?: TrafficGate;
  readonly backOff?: BackOffRule;
}
