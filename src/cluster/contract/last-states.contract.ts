import { expect } from 'vitest';
import type { Cluster, ObjectType, Selection } from '../cluster.ts';
import { type FollowOptions, follow } from '../follow.ts';

/** Follows objects in the background and keeps the last state of each, as a cache would. */
export class LastStates {
  readonly states = new Map<string, string>();
  /** What was told against the rules: a change of what was not added, a version that went back. */
  readonly wrongs: string[] = [];
  changes = 0;
  synced = 0;
  troubles = 0;
  readonly #controller = new AbortController();
  readonly #running: Promise<void>;

  constructor(cluster: Cluster, type: ObjectType, selection: Selection, options: FollowOptions = {}) {
    this.#running = this.#run(cluster, type, { ...selection, ...options, signal: this.#controller.signal });
  }

  async stop(): Promise<void> {
    this.#controller.abort();
    await this.#running;
  }

  async #run(cluster: Cluster, type: ObjectType, options: FollowOptions): Promise<void> {
    const onTrouble = () => {
      this.troubles += 1;
    };
    for await (const told of follow(cluster, type, { onTrouble, ...options })) {
      if (told.type === 'SYNCED') {
        this.synced += 1;
        continue;
      }
      const { name, uid, resourceVersion } = told.object.metadata;
      const before = this.states.get(name);
      this.changes += 1;
      if ((told.type === 'ADDED') !== (before === undefined)) this.wrongs.push(`${told.type} ${name}`);
      if (before !== undefined && BigInt(resourceVersion) < BigInt(before.split(' ')[1] ?? '0'))
        this.wrongs.push(`${name} went back to ${resourceVersion}`);
      if (told.type === 'DELETED') this.states.delete(name);
      else this.states.set(name, `${uid} ${resourceVersion}`);
    }
  }

  /** Compares with what the cluster has now. */
  async expectAll(cluster: Cluster, type: ObjectType, selection: Selection): Promise<void> {
    const { items } = await cluster.list(type, selection);
    const there = items.map(({ metadata }) => [metadata.name, `${metadata.uid} ${metadata.resourceVersion}`]);
    expect(Object.fromEntries(this.states)).toEqual(Object.fromEntries(there));
    expect(this.wrongs).toEqual([]);
  }
}
