/** What suites of hand-written flows and phases share: a cluster, managers that can be killed at any call, and patience. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Cluster } from '../cluster/cluster.ts';
import { openDrivers } from '../driver/open-drivers.ts';
import type { PackageSource } from '../package/source.ts';
import { CutCluster } from '../testing/cut-cluster.ts';
import { CutLine } from '../testing/cut-line.ts';
import { openServiceTraffic } from '../traffic/kubernetes-service/kubernetes-service-traffic.ts';
import { type Engine, startEngine } from './engine.ts';

/** A cluster whose accounts may write what is made here. */
export interface HandMadeWorld {
  readonly cluster: Cluster;
  /** A namespace in which the account `default` may do everything. */
  readonly newNamespace: () => Promise<string>;
  /** Every n-th kill is tried; where a call takes long not all of them are. */
  readonly everyKill: number;
  close(): Promise<void>;
}

/** One place in it. */
export interface HandMadePlace {
  readonly namespace: string;
  readonly packages: PackageSource;
}

/** One manager for one namespace, from its start to its end; every call of it goes over one line. */
export async function beginLife(
  world: Pick<HandMadeWorld, 'cluster'>,
  place: HandMadePlace,
  line = new CutLine(),
): Promise<{ readonly line: CutLine; end(): Promise<void> }> {
  const stop = new AbortController();
  line.signal.addEventListener('abort', () => stop.abort(), { once: true });
  const started = startEngine({
    cluster: new CutCluster(world.cluster, line),
    signal: stop.signal,
    namespace: place.namespace,
    ports: {
      drivers: cluster => openDrivers({ cluster, logs: { tail: async () => undefined } }),
      traffic: cluster => openServiceTraffic({ cluster }),
      data: () => undefined,
      packages: () => place.packages,
      prepareImages: async () => [],
      warmUp: async () => true,
      answers: async () => undefined,
    },
  }).catch((error: unknown): Engine | undefined => {
    if (line.isCut) return undefined;
    throw error;
  });
  const engine = await started;
  return {
    line,
    end: async () => {
      line.cutNow();
      await engine?.ended;
    },
  };
}

/**
 * What came of a run in which the first manager is killed at a call, and the next one goes on: asks `probe` until it answers, and starts the
 * next manager when the first is gone.
 */
export class KilledRun {
  readonly #world: Pick<HandMadeWorld, 'cluster'>;
  readonly #place: HandMadePlace;
  #life: Awaited<ReturnType<typeof beginLife>>;

  private constructor(
    world: Pick<HandMadeWorld, 'cluster'>,
    place: HandMadePlace,
    life: Awaited<ReturnType<typeof beginLife>>,
  ) {
    this.#world = world;
    this.#place = place;
    this.#life = life;
  }

  static async begin(
    world: Pick<HandMadeWorld, 'cluster'>,
    place: HandMadePlace,
    line: CutLine,
  ): Promise<KilledRun> {
    return new KilledRun(world, place, await beginLife(world, place, line));
  }

  until<T>(what: string, probe: () => Promise<T | undefined | false>): Promise<T> {
    return until(what, async () => {
      const found = await probe();
      if (found || !this.#life.line.isCut) return found;
      await this.#life.end();
      this.#life = await beginLife(this.#world, this.#place);
      return undefined;
    });
  }

  end(): Promise<void> {
    return this.#life.end();
  }
}

/** Asks until there is an answer; fails after a minute. */
export async function until<T>(what: string, probe: () => Promise<T | undefined | false>): Promise<T> {
  const end = performance.now() + 60_000;
  for (;;) {
    const found = await probe();
    if (found !== undefined && found !== false) return found;
    expect(performance.now(), `${what} did not come`).toBeLessThan(end);
    await pause(20);
  }
}
