import type { Cluster, ListOptions, ObjectList, StoredObject, WatchEvent, WatchOptions } from '../cluster.ts';
import { ClusterError } from '../cluster-error.ts';

/** What a scripted watch does, one after the other; at its end it ends, unless the last is `hang`. */
export type WatchStep = WatchEvent | Error | 'hang';

/** An object at a version. */
export function stored(name: string, resourceVersion: number, uid = `uid-${name}`): StoredObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name,
      namespace: 'here',
      uid,
      resourceVersion: `${resourceVersion}`,
      creationTimestamp: '2026-01-01T00:00:00Z',
    },
  };
}

export function event(type: WatchEvent['type'], name: string, version: number, uid?: string): WatchEvent {
  return { type, object: stored(name, version, uid) };
}

export function bookmark(version: number): WatchEvent {
  const metadata = { resourceVersion: `${version}` };
  return { type: 'BOOKMARK', object: { apiVersion: 'v1', kind: 'ConfigMap', metadata } };
}

export function listOf(resourceVersion: number, items: readonly StoredObject[], next?: string): ObjectList {
  return { items, resourceVersion: `${resourceVersion}`, ...(next === undefined ? {} : { continue: next }) };
}

/** A cluster whose lists and watches say what a test wrote down, in that order; the last of each is said for ever. */
export class ScriptedCluster {
  readonly asked: string[] = [];
  openWatches = 0;
  readonly #lists: (ObjectList | Error)[];
  readonly #watches: (readonly WatchStep[])[];

  constructor(lists: readonly (ObjectList | Error)[], watches: readonly (readonly WatchStep[])[]) {
    this.#lists = [...lists];
    this.#watches = [...watches];
  }

  /** As the port; what is not scripted refuses. */
  get cluster(): Cluster {
    const refuse = () => Promise.reject(new ClusterError('MethodNotAllowed', 'not in the script'));
    return {
      get: refuse,
      create: refuse,
      update: refuse,
      updateStatus: refuse,
      patch: refuse,
      delete: refuse,
      as: () => this.cluster,
      list: async (_, options) => this.#list(options ?? {}),
      watch: (_, options) => this.#watch(options ?? {}),
    };
  }

  #list(options: ListOptions): ObjectList {
    const page = options.continue === undefined ? '' : ` from ${options.continue}`;
    this.asked.push(`list${options.limit === undefined ? '' : ` ${options.limit}`}${page}`);
    const [answer = listOf(1, [])] = this.#lists.length > 1 ? this.#lists.splice(0, 1) : this.#lists;
    if (answer instanceof Error) throw answer;
    return answer;
  }

  async *#watch({ resourceVersion, signal }: WatchOptions): AsyncGenerator<WatchEvent> {
    this.asked.push(`watch ${resourceVersion}`);
    const [steps = []] = this.#watches.length > 1 ? this.#watches.splice(0, 1) : this.#watches;
    this.openWatches += 1;
    try {
      for (const step of steps) {
        if (signal?.aborted) return;
        if (step instanceof Error) throw step;
        if (step !== 'hang') yield step;
        else await new Promise<void>(resolve => signal?.addEventListener('abort', () => resolve()));
      }
    } finally {
      this.openWatches -= 1;
    }
  }
}
