import { setTimeout as sleep } from 'node:timers/promises';
import { isObject, type JsonObject } from '../../../base/json.ts';
import type {
  Cluster,
  ClusterObject,
  Metadata,
  ObjectRef,
  ObjectType,
  StoredObject,
} from '../../../cluster/cluster.ts';
import { isReason } from '../../../cluster/cluster-error.ts';
import type { Pod } from '../object/pod.ts';
import { timestamp } from '../object/timestamps.ts';
import { nodeType, podType } from '../object/workload-kinds.ts';

/** Controllers of workloads at work on a cluster without a node: the stories play the node. */
export interface WorkloadCluster {
  readonly cluster: Cluster;
  /** There already, with nothing of ours in it. */
  readonly namespace: string;
  /** The time by which the controllers go, in milliseconds. */
  now(): number;
  /** Waits until that minute since 1970 has begun, or has it begin. */
  untilMinute(minute: number): Promise<void>;
  /** Called once, after the story. */
  close(): Promise<void>;
}

/** Stories about one kind; the key is the sentence that must be true. */
export interface WorkloadTopic {
  readonly topic: string;
  readonly stories: Readonly<Record<string, (world: WorkloadWorld) => Promise<void>>>;
}

/** How long a real controller manager may take until something is so. */
const patienceMilliseconds = 60_000;

/** What one story sees: the objects of its own, and the hands of a kubelet. */
export class WorkloadWorld {
  readonly given: WorkloadCluster;
  readonly cluster: Cluster;
  readonly namespace: string;
  /** The name of the story: its objects are named after it and carry it as the label `story`. */
  readonly id: string;

  constructor(given: WorkloadCluster, id: string) {
    this.given = given;
    this.cluster = given.cluster;
    this.namespace = given.namespace;
    this.id = id;
  }

  get #time(): string {
    return timestamp(this.given.now());
  }

  get labels(): Record<string, string> {
    return { story: this.id };
  }

  /** Creates an object of that kind, named after the story. */
  create(type: ObjectType, spec: object, metadata: Metadata = {}): Promise<StoredObject> {
    return this.cluster.create({
      ...type,
      metadata: { name: this.id, namespace: this.namespace, ...metadata },
      spec,
    } as ClusterObject);
  }

  ref(type: ObjectType, name = this.id): ObjectRef {
    return { ...type, namespace: this.namespace, name };
  }

  /** The object as it is now, its parts plain to look into. */
  async get(type: ObjectType, name = this.id): Promise<Shown> {
    return (await this.cluster.get(this.ref(type, name))) as Shown;
  }

  patch(type: ObjectType, value: object, name = this.id): Promise<StoredObject> {
    return this.cluster.patch(this.ref(type, name), { type: 'merge', value: value as JsonObject });
  }

  /** The objects of a kind that carry the label of the story, the older first. */
  async list<T extends StoredObject = Shown>(type: ObjectType, more = ''): Promise<readonly T[]> {
    const labelSelector = `story=${this.id}${more}`;
    const { items } = await this.cluster.list(type, { namespace: this.namespace, labelSelector });
    return items.toSorted((a, b) =>
      orderOf(a).localeCompare(orderOf(b)),
    ) as readonly StoredObject[] as readonly T[];
  }

  pods(more = ''): Promise<readonly Pod[]> {
    return this.list<Pod>(podType, more);
  }

  /** The Pods of the story that are not about to go. */
  async livePods(more = ''): Promise<readonly Pod[]> {
    return (await this.pods(more)).filter(pod => pod.metadata.deletionTimestamp === undefined);
  }

  /** Waits until there are exactly so many Pods. */
  podsBecome(number: number, more = ''): Promise<readonly Pod[]> {
    return this.until(`${number} Pods`, async () => {
      const pods = await this.livePods(more);
      return pods.length === number ? pods : undefined;
    });
  }

  /** What a kubelet writes into the status of a Pod. */
  async setPod(pod: Pod, status: object): Promise<void> {
    await this.cluster
      .patch(
        this.ref(podType, pod.metadata.name),
        { type: 'merge', value: { status } as JsonObject },
        {
          subresource: 'status',
        },
      )
      .catch(error => {
        if (!isReason(error, 'NotFound')) throw error;
      });
  }

  async makeReady(...pods: readonly Pod[]): Promise<void> {
    await Promise.all(pods.map(pod => this.setPod(pod, running(true, this.#time))));
  }

  async makeUnready(...pods: readonly Pod[]): Promise<void> {
    await Promise.all(pods.map(pod => this.setPod(pod, running(false, this.#time))));
  }

  /** The containers of a Pod have ended with that exit code. */
  finish(pod: Pod, exitCode = 0): Promise<void> {
    const time = this.#time;
    return this.setPod(pod, {
      phase: exitCode === 0 ? 'Succeeded' : 'Failed',
      conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: time }],
      containerStatuses: pod.spec.containers.map(({ name }) => ({
        ...containerStatus(String(name), false),
        state: {
          terminated: {
            exitCode,
            startedAt: time,
            finishedAt: time,
            reason: exitCode ? 'Error' : 'Completed',
          },
        },
      })),
    });
  }

  delete(object: StoredObject, options: { gracePeriodSeconds?: number } = {}): Promise<StoredObject> {
    return this.cluster.delete(this.ref(object, object.metadata.name), {
      propagation: 'Background',
      ...options,
    });
  }

  /** A node that is ready, with the label of the story, while the story is told. */
  async withNode(story: (node: string) => Promise<void>): Promise<void> {
    const name = `${this.namespace}-node`;
    const ref = { apiVersion: 'v1', kind: 'Node', name };
    await this.cluster.create({ ...nodeType, metadata: { name, labels: this.labels } });
    const time = this.#time;
    const ready = {
      type: 'Ready',
      status: 'True',
      reason: 'KubeletReady',
      lastHeartbeatTime: time,
      lastTransitionTime: time,
    };
    const status = { conditions: [ready] };
    await this.cluster.patch(ref, { type: 'merge', value: { status } }, { subresource: 'status' });
    try {
      await this.until('nothing is held against the node', async () => {
        const node = (await this.cluster.get(ref)) as Shown;
        return (node.spec?.taints ?? []).length === 0;
      });
      await story(name);
    } finally {
      await this.cluster.delete(ref);
    }
  }

  /** Asks until the answer is one; the last complaint is told when it never is. */
  async until<T>(what: string, ask: () => Promise<T | undefined | false>): Promise<T> {
    const end = performance.now() + patienceMilliseconds;
    let complaint: unknown;
    while (performance.now() < end) {
      try {
        const answer = await ask();
        if (answer !== undefined && answer !== false) return answer;
      } catch (error) {
        complaint = error;
      }
      await sleep(50);
    }
    throw complaint ?? new Error(`${what}: not within ${patienceMilliseconds / 1000} s`);
  }

  /** Waits until the object says so; what it is checked with throws until then. */
  becomes(type: ObjectType, check: (object: Shown) => void, name = this.id): Promise<Shown> {
    return this.until(`${type.kind} ${name}`, async () => {
      const object = await this.get(type, name);
      check(object);
      return object;
    });
  }

  gone(type: ObjectType, name = this.id): Promise<true> {
    return this.until(`${type.kind} ${name} is gone`, async () => {
      const error = await this.get(type, name).catch(caught => caught);
      return isReason(error, 'NotFound') ? true : undefined;
    });
  }

  /** What was told about an object: reason and message of each Event. */
  async told(name = this.id): Promise<readonly string[]> {
    const fieldSelector = `involvedObject.name=${name}`;
    const { items } = await this.cluster.list(
      { apiVersion: 'v1', kind: 'Event' },
      { namespace: this.namespace, fieldSelector },
    );
    return items.map(event => `${event['type']} ${event['reason']}: ${event['message']}`);
  }
}

/** An object whose parts a story looks into. */
export interface Shown extends StoredObject {
  // biome-ignore lint/suspicious/noExplicitAny: a story looks wherever it likes
  readonly spec: any;
  // biome-ignore lint/suspicious/noExplicitAny: a story looks wherever it likes
  readonly status: any;
}

/** A template whose Pods carry these labels. */
export function templateFor(labels: Record<string, string>, more: object = {}, image = 'app:1') {
  return { metadata: { labels }, spec: { containers: [{ name: 'app', image }], ...more } };
}

/** Conditions as lines: type, status and reason. */
export function conditionsOf({ status }: Shown): string[] {
  const conditions: readonly unknown[] = status?.conditions ?? [];
  return conditions
    .filter(isObject)
    .map(({ type, status: said, reason }) => [type, said, reason].filter(Boolean).join(' '))
    .sort();
}

function running(isReady: boolean, time: string) {
  const said = isReady ? 'True' : 'False';
  return {
    phase: 'Running',
    conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map(type => ({
      type,
      status: type.endsWith('Ready') ? said : 'True',
      lastTransitionTime: time,
    })),
    containerStatuses: [{ ...containerStatus('app', isReady), state: { running: { startedAt: time } } }],
  };
}

function containerStatus(name: string, ready: boolean) {
  return { name, ready, restartCount: 0, image: 'app:1', imageID: '', started: ready };
}

function orderOf({ metadata }: StoredObject): string {
  return `${metadata.creationTimestamp} ${metadata.name}`;
}
