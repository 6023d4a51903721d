import { join } from 'node:path';
import { startEmbeddedOperator } from '../../../src/app/embedded-operator.ts';
import { openEmbeddedWorld } from '../../../src/app/embedded-world.ts';
import { stateFiles } from '../../../src/app/state-folder.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import type { Cluster } from '../../../src/cluster/cluster.ts';
import type { Engine } from '../../../src/controller/engine.ts';
import { takeDownRuntime } from '../../../src/runtime/take-down.ts';
import { processesWith } from '../runtime/our-processes.ts';

/** The name of who writes records and gives a word in journeys. */
export const journeyPerson = 'journey';

/** A manager at work on a place. */
export interface PlaceManager {
  /** As somebody who may look at everything, and meddle with it. */
  readonly cluster: Cluster;
  /** As `journeyPerson`; absent where nobody asks who somebody is. */
  readonly person?: Cluster;
  /** Absent where it runs in a process of its own. */
  readonly engine?: Engine;
  /** After the signal: nothing of it is at work any more. */
  readonly ended: Promise<void>;
}

export interface ManagerOptions {
  readonly signal: AbortSignal;
  readonly onTrouble: (doing: string, error: unknown) => void;
}

/** Where a journey takes place: the machine alone, or a real node. */
export interface JourneyPlace {
  /** The namespace of the cloud; nobody else uses it. */
  readonly namespace: string;
  /** Whether requests are counted and shares kept. */
  readonly counts: boolean;
  /** How many times longer than on this machine alone everything may take. */
  readonly patience: number;
  /** Over the spec of records. */
  readonly record: JsonObject;
  /** Over the traffic settings of packages. */
  readonly traffic: JsonObject;
  /** Where clients find a service, where that is not its Service. */
  readonly clientAddress?: (
    service: string,
  ) => { readonly address: string; readonly port: number } | undefined;
  /** Over the specs of Pods, and over their containers: how they come to the folder that programs keep their data in. */
  readonly podSpec: JsonObject;
  readonly container: JsonObject;
  /** Starts a manager; again after its end, where it takes up what runs. */
  start(options: ManagerOptions): Promise<PlaceManager>;
  /** Makes sure that this image can be run. */
  image(name: string): Promise<void>;
  /** Takes everything down; fails where something is left. */
  close(): Promise<void>;
}

/** This machine, without a cluster: everything is kept in the folder. */
export function embeddedPlace(
  folder: string,
  {
    isolation = 'loopback',
    ...more
  }: { readonly routers?: string; readonly isolation?: 'loopback' | 'namespaces' } = {},
): JourneyPlace {
  const namespace = 'journey';
  const stateFolder = join(folder, 'state');
  return {
    ...{ namespace, counts: true, patience: 1, record: {}, traffic: {}, podSpec: {}, container: {} },
    async start({ signal, onTrouble }) {
      const world = await openEmbeddedWorld({ stateFolder, signal, onTrouble, isolation });
      const engine = await startEmbeddedOperator(world, { signal, onTrouble, stateFolder, ...more });
      await world.ensureNamespace(namespace);
      const ended = Promise.all([engine.ended, world.ended]).then(() => undefined);
      return { cluster: world.cluster, engine, ended };
    },
    async image() {}, // packages say themselves what runs
    async close() {
      await takeDownRuntime(stateFiles(stateFolder).runtime);
      const left = processesWith(folder);
      if (left.length > 0) throw new TypeError(`processes are left:\n${left.join('\n')}`);
    },
  };
}
