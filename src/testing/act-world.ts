import type { ClusterObject, OwnerReference, StoredObject } from '../cluster/cluster.ts';
import { isReason } from '../cluster/cluster-error.ts';
import type { EmbeddedCluster } from '../cluster/embedded/embedded-cluster.ts';
import { StoreFolder } from '../cluster/embedded/store-folder.contract.ts';
import { tasksData } from '../data/tasks/tasks-data.ts';
import { openDrivers } from '../driver/open-drivers.ts';
import type { Act, Notes, Outcome, PhasePorts, PhaseRun } from '../phase/phase-run.ts';
import { FakeClock } from './fake-clock.ts';
import type { Script } from './node-script.ts';
import { ScriptedNode } from './scripted-node.ts';
import { anObject, ScriptedTraffic } from './scripted-ports.ts';

/** More passes than any act needs that goes on by itself. */
const mostPasses = 20;

/** An embedded cluster with a scripted node and a scripted router, for tests of single acts. */
export class ActWorld {
  readonly clock = new FakeClock();
  readonly traffic = new ScriptedTraffic();
  /** Whether a connection is taken, wherever it goes. */
  answers: boolean | undefined = true;
  readonly cluster: EmbeddedCluster;
  readonly node: ScriptedNode;
  readonly ports: PhasePorts;
  /** Stands for the phase: what it owns would go if it were not there. */
  readonly owner: OwnerReference;
  readonly #folder: StoreFolder;

  private constructor(folder: StoreFolder, cluster: EmbeddedCluster, phase: StoredObject, outcome?: Script) {
    const { apiVersion, kind, metadata } = phase;
    this.#folder = folder;
    this.cluster = cluster;
    this.owner = { apiVersion, kind, name: metadata.name, uid: metadata.uid, controller: true };
    this.node = new ScriptedNode(cluster, { clock: this.clock, ...(outcome ? { outcome } : {}) });
    this.ports = {
      cluster,
      drivers: openDrivers({ cluster, logs: this.node.logs }),
      traffic: this.traffic,
      data: driver => (driver === 'tasks' ? tasksData : undefined),
      prepareImages: async () => [],
      warmUp: async () => true,
      answers: async () => this.answers,
    };
  }

  static async open(outcome?: Script): Promise<ActWorld> {
    const folder = new StoreFolder();
    const cluster = await folder.open();
    const phase = await cluster.create(anObject('ConfigMap', 'phase', undefined, 'v1'));
    return new ActWorld(folder, cluster, phase, outcome);
  }

  close(): Promise<void> {
    return this.#folder[Symbol.asyncDispose]();
  }

  /** One pass; what the phase wrote down for its status goes into `notes`. */
  async pass(act: Act, run: PhaseRun, notes: Notes = emptyNotes()): Promise<Outcome> {
    const outcome = await act({ ...run, owner: this.owner }, this.ports, notes);
    await this.node.settle();
    return outcome;
  }

  /** Passes until it no longer waits, with what earlier passes noted of traffic. */
  async carryOut(act: Act, run: PhaseRun): Promise<Outcome> {
    let traffic = run.traffic;
    for (let count = 0; count < mostPasses; count++) {
      const notes = emptyNotes();
      const outcome = await this.pass(act, { ...run, traffic }, notes);
      traffic = notes.traffic ?? traffic;
      if (outcome.kind !== 'wait') return outcome;
    }
    throw new Error(`it still waits after ${mostPasses} passes`);
  }

  async find(kind: string, name: string, apiVersion = 'apps/v1'): Promise<StoredObject | undefined> {
    return this.cluster.get({ apiVersion, kind, namespace: 'default', name }).catch((error: unknown) => {
      if (isReason(error, 'NotFound')) return undefined;
      throw error;
    });
  }

  /** The names of the pods that are there. */
  async pods(): Promise<string[]> {
    const { items } = await this.cluster.list({ apiVersion: 'v1', kind: 'Pod' }, { namespace: 'default' });
    return items.map(({ metadata }) => metadata.name);
  }

  async create(...objects: readonly ClusterObject[]): Promise<void> {
    for (const object of objects) await this.cluster.create(object);
  }
}

/** What acts write down on the way, still empty. */
export function emptyNotes(): Notes {
  return { progress: [], backups: [], schemas: [], losses: [] };
}
