import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiVersion } from '../../../src/api/group.ts';
import { ensureNamespace } from '../../../src/app/ensure-namespace.ts';
import { EmbeddedCluster } from '../../../src/cluster/embedded/embedded-cluster.ts';
import { FakeClock } from '../../../src/testing/fake-clock.ts';
import type { Script } from '../../../src/testing/node-script.ts';
import { ScriptedNode } from '../../../src/testing/scripted-node.ts';
import { KillMeter } from './kill-meter.ts';
import { badVersions, service } from './kill-packages.ts';

export const namespace = 'openstack';
export const recordName = 'north';
export const recordRef = { apiVersion, kind: 'OpenstackDeployment', namespace, name: recordName };

/** The one database of the stories, outside of everything that can be killed. */
export interface Database {
  schema: { readonly expandedTo?: string; readonly contractedTo?: string };
  backup?: Database['schema'];
}

const headOf: Readonly<Record<string, string>> = { '1': 'a', '2': 'b', '3': 'c' };

/** A store, a node and clients: all that outlives a manager. */
export class KillWorld {
  readonly folder: string;
  readonly cluster: EmbeddedCluster;
  readonly clock: FakeClock;
  readonly node: ScriptedNode;
  readonly meter = new KillMeter();
  readonly database: Database;
  /** How often the node had its turn. */
  ticks = 0;

  private constructor(folder: string, cluster: EmbeddedCluster, clock: FakeClock, database: Database) {
    this.folder = folder;
    this.cluster = cluster;
    this.clock = clock;
    this.database = { ...database };
    this.node = new ScriptedNode(cluster, { clock, outcome: this.#script });
  }

  /** A world of its own: empty, or as another one was when it was closed. */
  static async open(from?: {
    readonly folder: string;
    readonly wall: number;
    readonly database: Database;
  }): Promise<KillWorld> {
    // In memory where there is such a place: what is durable is proved elsewhere, and here are thousands of stores.
    const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'afloat-kill-'));
    if (from) cpSync(from.folder, folder, { recursive: true });
    const clock = new FakeClock(from ? { begin: from.wall } : {});
    const cluster = await EmbeddedCluster.open(folder, { clock });
    const world = new KillWorld(folder, cluster, clock, from?.database ?? { schema: {} });
    if (!from) await ensureNamespace(cluster, namespace);
    return world;
  }

  /** The wish of a person: this version. */
  async wish(version: string): Promise<void> {
    await this.cluster.patch(recordRef, {
      type: 'apply',
      fieldManager: 'person',
      force: true,
      value: {
        ...{ apiVersion, kind: recordRef.kind, metadata: { name: recordName, namespace } },
        spec: {
          source: { type: 'local', location: '{name}/{version}' },
          approval: 'automatic',
          soakSeconds: 5,
          services: [{ name: service, version }],
        },
      },
    });
  }

  /** The node does what it can in this moment. True when something was written. */
  async tick(): Promise<boolean> {
    this.ticks += 1;
    let ticks = 0;
    while (await this.node.tick()) ticks += 1;
    return ticks > 0;
  }

  async close(): Promise<void> {
    await this.cluster.close();
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** What tasks do: each takes a second, and the database is what they made of it. */
  readonly #script: Script = ({ container, owner, effect }) => {
    if (owner?.kind !== 'Job' || effect === undefined) return undefined;
    const [task = '', version = ''] = effect.split(' ');
    const head = headOf[version.charAt(0)] ?? '';
    if (task === 'api-test') {
      const address = container.env?.find(({ name }) => name === 'BOOK_SERVICE_HOST')?.value;
      if (address !== undefined) this.meter.ask(address);
      return badVersions.has(version)
        ? { exitCode: 1, seconds: 1, log: 'the answer is wrong' }
        : { exitCode: 0, seconds: 1 };
    }
    const result = this.#changeData(task, head);
    return { exitCode: 0, seconds: 1, ...(result ? { result: JSON.stringify(result) } : {}) };
  };

  #changeData(task: string, head: string): object | undefined {
    const { database } = this;
    if (task === 'db-init' || task === 'db-sync') database.schema = { expandedTo: head, contractedTo: head };
    if (task === 'db-expand') database.schema = { ...database.schema, expandedTo: head };
    if (task === 'db-restore' && database.backup) database.schema = database.backup;
    if (task === 'db-backup') {
      database.backup = database.schema;
      return { location: 'shelf', checksum: 'sha256:1' };
    }
    return task === 'db-state' ? database.schema : undefined;
  }
}
