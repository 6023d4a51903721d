import type { Cluster, ObjectType, StoredObject } from '../../cluster/cluster.ts';
import { follow } from '../../cluster/follow.ts';

/** One state of one object, in the order in which the watch told. */
export interface Seen {
  readonly object: StoredObject;
  /** It is not there any more; `object` is its last state. */
  readonly gone: boolean;
}

/** Everything that happened to the objects of one kind in one namespace, since somebody first asked. */
export class SeenObjects {
  readonly all: Seen[] = [];
  readonly #stop = new AbortController();
  readonly #waiting = new Set<() => void>();
  #isSynced = false;

  constructor(cluster: Cluster, type: ObjectType, namespace: string) {
    void this.#read(cluster, type, namespace);
  }

  /** What is there now, as far as the watch has told. */
  get now(): StoredObject[] {
    const last = new Map(this.all.map(seen => [seen.object.metadata.name, seen]));
    return [...last.values()].filter(seen => !seen.gone).map(seen => seen.object);
  }

  /** Asks after everything that is seen until the answer is not undefined; undefined when that did not come in time. */
  async until<T>(within: number, ask: () => T | undefined): Promise<T | undefined> {
    const end = performance.now() + within * 1000;
    for (;;) {
      const answer = this.#isSynced ? ask() : undefined;
      if (answer !== undefined || performance.now() >= end) return answer;
      await this.#next(end - performance.now());
    }
  }

  stop(): void {
    this.#stop.abort();
  }

  #next(milliseconds: number): Promise<void> {
    return new Promise(resolve => {
      const wake = () => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, milliseconds);
      this.#waiting.add(wake);
    });
  }

  async #read(cluster: Cluster, type: ObjectType, namespace: string): Promise<void> {
    for await (const event of follow(cluster, type, { namespace, signal: this.#stop.signal })) {
      if (event.type === 'SYNCED') this.#isSynced = true;
      else this.all.push({ object: event.object, gone: event.type === 'DELETED' });
      for (const wake of [...this.#waiting]) wake();
    }
  }
}
