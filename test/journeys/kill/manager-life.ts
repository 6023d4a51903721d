import { type Engine, startEngine } from '../../../src/controller/engine.ts';
import type { EnginePorts } from '../../../src/controller/engine-world.ts';
import { tasksData } from '../../../src/data/tasks/tasks-data.ts';
import { openDrivers } from '../../../src/driver/open-drivers.ts';
import { CutCluster } from '../../../src/testing/cut-cluster.ts';
import { CutLine } from '../../../src/testing/cut-line.ts';
import { cutPort } from '../../../src/testing/cut-port.ts';
import { openServiceTraffic } from '../../../src/traffic/kubernetes-service/kubernetes-service-traffic.ts';
import { killPackages } from './kill-packages.ts';
import type { KillWorld } from './kill-world.ts';
import { PausedCluster, PauseLine } from './pause-line.ts';

/** One manager, from its start to its cut: every call on every port of it goes over one line. */
export class ManagerLife {
  readonly line: CutLine;
  /** What went wrong and was tried again. */
  readonly troubles: string[] = [];
  readonly #stop = new AbortController();
  #engine: Engine | undefined;
  #failure: unknown;
  readonly #started: Promise<void>;

  constructor(world: KillWorld, line: CutLine = new CutLine()) {
    this.line = line;
    line.signal.addEventListener('abort', () => this.#stop.abort(), { once: true });
    const { meter, node, clock } = world;
    const inner = line instanceof PauseLine ? new PausedCluster(world.cluster, line) : world.cluster;
    const cluster = new CutCluster(inner, line);
    const packages = cutPort(killPackages, line, { name: 'packages' });
    const data = cutPort(tasksData, line, { name: 'data' });
    const others = cutPort(
      {
        prepareImages: async () => [],
        warmUp: async (_url: string) => true,
      } as Pick<EnginePorts, 'prepareImages' | 'warmUp'>,
      line,
      { name: 'world' },
    );
    this.#started = startEngine({
      cluster,
      clock,
      signal: this.#stop.signal,
      onTrouble: (doing, error) => {
        if (!line.isCut)
          this.troubles.push(`${doing}: ${error instanceof Error ? error.stack : String(error)}`);
      },
      ports: {
        drivers: as =>
          cutPort(openDrivers({ cluster: as, logs: node.logs }), line, { name: 'drivers', ports: ['for'] }),
        traffic: as => cutPort(openServiceTraffic({ cluster: as, meter }), line, { name: 'traffic' }),
        data: driver => (driver === 'tasks' ? data : undefined),
        packages: () => packages,
        prepareImages: (namespace, part) => others.prepareImages(namespace, part),
        warmUp: url => others.warmUp(url),
        answers: async () => undefined, // its router counts, and tells by itself who answers
      },
    }).then(
      engine => {
        this.#engine = engine;
      },
      error => {
        this.#failure = error;
      },
    );
  }

  /** Neither cut off nor stopped. */
  get isAtWork(): boolean {
    return !this.line.isCut && !(this.line instanceof PauseLine && this.line.isPaused);
  }

  get isStarted(): boolean {
    return this.#engine !== undefined || this.#failure !== undefined;
  }

  /** No pass of it runs or waits; throws where it could not start although nobody cut it. */
  async idle(): Promise<void> {
    if (this.#failure !== undefined && !this.line.isCut) throw this.#failure;
    const idle = this.#engine?.idle();
    // One that is stopped in a pass is not idle until it goes on.
    await (this.line instanceof PauseLine ? Promise.race([idle, this.line.stopped()]) : idle);
  }

  /** Ends it as a kill does, and waits until nothing of it is under way. */
  async end(): Promise<void> {
    this.line.cutNow();
    await this.#started;
    await this.#engine?.ended;
  }
}
