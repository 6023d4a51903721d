import { randomBytes } from 'node:crypto';
import type { Clock } from '../../cluster/clock.ts';
import type { Cluster, ClusterObject } from '../../cluster/cluster.ts';
import { isReason } from '../../cluster/cluster-error.ts';
import { isoSeconds } from './decide/conditions.ts';
import type { Container, Pod } from './pod-shape.ts';

/** What happened to a Pod, in the words of whoever does it on a cluster. */
export interface PodEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  /** The container it is about. */
  readonly container?: Container;
  /** Said again as long as it lasts: written now and then, not each time. */
  readonly lasts?: boolean;
}

export interface PodEventsOptions {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly node: string;
  readonly onTrouble: (doing: string, error: unknown) => void;
}

/** How many different events are known again. */
const knownLimit = 4096;
/** What lasts is written again after this time. */
const repeatSeconds = 10;

interface Known {
  name: string;
  count: number;
  first: string;
  at: number;
  /** Writes of one event follow each other. */
  written: Promise<void>;
}

/**
 * Writes core/v1 Events about Pods. The same event again is counted, not written anew. Nobody waits for them, and one that cannot be
 * written is no reason to fail.
 */
export class PodEvents {
  readonly #options: PodEventsOptions;
  readonly #known = new Map<string, Known>();

  constructor(options: PodEventsOptions) {
    this.#options = options;
  }

  record(pod: Pod, event: PodEvent, component = 'kubelet'): void {
    const now = this.#options.clock.wall();
    const key = [pod.metadata.uid, event.type, event.reason, event.message, event.container?.name].join('\n');
    const known = this.#known.get(key) ?? {
      name: `${pod.metadata.name}.${randomBytes(8).toString('hex')}`,
      count: 0,
      first: isoSeconds(now),
      at: Number.NEGATIVE_INFINITY,
      written: Promise.resolve(),
    };
    if (event.lasts && now - known.at < repeatSeconds * 1000) return;
    known.at = now;
    known.count += 1;
    this.#keep(key, known);
    const object = this.#eventOf(pod, event, known, component);
    known.written = known.written.then(() => this.#write(object, known.count));
  }

  /** Everything said so far is written. */
  async settled(): Promise<void> {
    await Promise.all([...this.#known.values()].map(({ written }) => written));
  }

  #keep(key: string, known: Known): void {
    // What was said last is known longest.
    this.#known.delete(key);
    this.#known.set(key, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > knownLimit && oldest !== undefined) this.#known.delete(oldest);
  }

  async #write(object: ClusterObject, count: number): Promise<void> {
    const { cluster, onTrouble } = this.#options;
    const { name = '', namespace = '' } = object.metadata;
    const { lastTimestamp, message } = object;
    try {
      if (count === 1) await cluster.create(object);
      else {
        const value = { count, lastTimestamp, message } as { count: number; message: string };
        await cluster.patch({ apiVersion: 'v1', kind: 'Event', name, namespace }, { type: 'merge', value });
      }
    } catch (error) {
      // A namespace that is being deleted takes no events; an old event may have been cleared away.
      if (!isReason(error, 'Forbidden', 'NotFound')) onTrouble(`event ${name}`, error);
    }
  }

  #eventOf(pod: Pod, event: PodEvent, known: Known, component: string): ClusterObject {
    const { namespace = '', name, uid, resourceVersion } = pod.metadata;
    const { node } = this.#options;
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: known.name, namespace },
      involvedObject: {
        apiVersion: 'v1',
        kind: 'Pod',
        namespace,
        name,
        uid,
        resourceVersion,
        ...(event.container ? { fieldPath: fieldPathOf(pod, event.container) } : {}),
      },
      type: event.type,
      reason: event.reason,
      message: event.message,
      source: { component, ...(component === 'kubelet' ? { host: node } : {}) },
      firstTimestamp: known.first,
      lastTimestamp: isoSeconds(known.at),
      count: known.count,
      reportingComponent: component,
      reportingInstance: component === 'kubelet' ? node : '',
    };
  }
}

function fieldPathOf({ spec }: Pod, { name }: Container): string {
  const isInit = spec.initContainers?.some(container => container.name === name);
  return `spec.${isInit ? 'initContainers' : 'containers'}{${name}}`;
}
