import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { stringify } from 'yaml';
import type { JsonObject } from '../../base/json.ts';
import type { Cluster, ClusterObject, ObjectRef, ObjectType, StoredObject } from '../../cluster/cluster.ts';
import type { LogsOf, RuntimeWorld } from './runtime-world.ts';
import { type Seen, SeenObjects } from './seen-objects.contract.ts';
import { viewOf } from './views.contract.ts';
import { eventsText, statesText } from './what-was-seen.contract.ts';

export const types = {
  Pod: { apiVersion: 'v1', kind: 'Pod' },
  Event: { apiVersion: 'v1', kind: 'Event' },
  Service: { apiVersion: 'v1', kind: 'Service' },
  Namespace: { apiVersion: 'v1', kind: 'Namespace' },
  EndpointSlice: { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice' },
  Job: { apiVersion: 'batch/v1', kind: 'Job' },
  ReplicaSet: { apiVersion: 'apps/v1', kind: 'ReplicaSet' },
  PersistentVolumeClaim: { apiVersion: 'v1', kind: 'PersistentVolumeClaim' },
} as const satisfies Readonly<Record<string, ObjectType>>;

/** How long things may take where a case does not say. Far more than they do: the machine may be busy with something else. */
const patienceSeconds = 150;

/** What one case sees: a namespace of its own in a world, and ways to say shortly what many cases say. */
export class RuntimeCase {
  readonly world: RuntimeWorld;
  readonly cluster: Cluster;
  readonly namespace: string;
  readonly #seen = new Map<string, SeenObjects>();
  /** Up to where the states of each object were looked at: what is expected next comes after it. */
  readonly #cursors = new Map<string, number>();

  constructor(world: RuntimeWorld, namespace: string) {
    this.world = world;
    this.cluster = world.cluster;
    this.namespace = namespace;
    this.seen(types.Pod);
    this.seen(types.Event);
  }

  /** Ends the watches. */
  stop(): void {
    for (const seen of this.#seen.values()) seen.stop();
  }

  /** Ends what the case left open, and has everything of it deleted. */
  async end(): Promise<void> {
    this.stop();
    await this.cluster.delete({ ...types.Namespace, name: this.namespace }).catch(() => {});
  }

  /** Everything that happened to objects of this kind since the case first asked; to Pods and Events since it began. */
  seen({ apiVersion, kind }: ObjectType): SeenObjects {
    const key = `${apiVersion} ${kind}`;
    const known = this.#seen.get(key) ?? new SeenObjects(this.cluster, { apiVersion, kind }, this.namespace);
    this.#seen.set(key, known);
    return known;
  }

  /** Creates an object in the namespace of the case. The image `busybox` is the one that the world offers. */
  async create(object: ClusterObject): Promise<StoredObject> {
    this.seen(object);
    const metadata = { namespace: this.namespace, ...object.metadata };
    return this.cluster.create(this.#withImage({ ...object, metadata }));
  }

  /** Merges a change into an object. What `sees` finds next comes after it. */
  async change(ref: ClusterObject | ObjectRef, value: JsonObject): Promise<StoredObject> {
    const patch = { type: 'merge', value: this.#withImage(value) } as const;
    const changed = await this.cluster.patch(this.ref(ref), patch);
    const version = BigInt(changed.metadata.resourceVersion);
    const isAfter = (seen: Seen) =>
      seen.object.metadata.name === changed.metadata.name &&
      BigInt(seen.object.metadata.resourceVersion) >= version;
    const seen = this.seen(changed);
    const index = await seen.until(patienceSeconds, () => {
      const found = seen.all.findIndex(isAfter);
      return found < 0 ? undefined : found;
    });
    this.#cursors.set(keyOf(changed), index ?? seen.all.length);
    return changed;
  }

  /** What is there of a kind, asked now, by name. */
  async now(type: ObjectType): Promise<readonly StoredObject[]> {
    return (await this.cluster.list(type, { namespace: this.namespace })).items;
  }

  /** The whole reference of an object of the case. */
  ref(object: ClusterObject | ObjectRef): ObjectRef {
    const { apiVersion, kind } = object;
    const name = 'metadata' in object ? (object.metadata as { name?: string }).name : object.name;
    return { apiVersion, kind, name: String(name), namespace: this.namespace };
  }

  remove(ref: ClusterObject | ObjectRef): Promise<StoredObject> {
    return this.cluster.delete(this.ref(ref));
  }

  /**
   * Waits until the object was seen in a state whose view holds what is expected, and returns that state. States are looked at in order,
   * from the last one that was found on: nothing is missed, and nothing is taken for later than it was.
   */
  async sees(
    of: ClusterObject | ObjectRef,
    expected: object,
    within: number = patienceSeconds,
  ): Promise<StoredObject> {
    const ref = this.ref(of);
    const seen = this.seen(ref);
    const found = await seen.until(within, () => {
      let index = this.#cursors.get(keyOf(ref)) ?? 0;
      for (; index < seen.all.length; index += 1) {
        const one = seen.all[index];
        if (one?.object.metadata.name !== ref.name || one.gone) continue;
        if (holds(viewOf(one.object), expected)) {
          this.#cursors.set(keyOf(ref), index);
          return one.object;
        }
      }
      return undefined;
    });
    return found ?? this.#fail(ref, expected, within);
  }

  /** Waits until what is there of a kind is as it should be: `pick` returns undefined until then. */
  async seesAll<T>(
    type: ObjectType,
    what: string,
    pick: (objects: readonly StoredObject[]) => T | undefined | false,
    within: number = patienceSeconds,
  ): Promise<T> {
    const seen = this.seen(type);
    const found = await seen.until(within, () => pick(seen.now) || undefined);
    if (found !== undefined) return found;
    const there = seen.now.map(object => ({ [object.metadata.name]: viewOf(object) }));
    throw new Error(`${what}: not within ${within} s. There is:\n${stringify(there)}${this.#events()}`);
  }

  /** Waits until the object is not there any more, and returns its last state. */
  async gone(of: ClusterObject | ObjectRef, within: number = patienceSeconds): Promise<StoredObject> {
    const { name, ...type } = this.ref(of);
    const seen = this.seen(type);
    const last = await seen.until(within, () => {
      const one = seen.all.findLast(each => each.object.metadata.name === name);
      return one?.gone ? one.object : undefined;
    });
    return last ?? this.#fail(this.ref(of), 'it is gone', within);
  }

  /** Waits for an Event about an object, by its reason. */
  async event(
    about: ClusterObject | ObjectRef,
    reason: string,
    within: number = patienceSeconds,
  ): Promise<void> {
    const { kind, name } = this.ref(about);
    await this.seesAll(
      types.Event,
      `the event ${reason} about ${kind} ${name}`,
      events =>
        events.some(event => {
          const involved = event['involvedObject'] as { kind?: string; name?: string };
          return involved.kind === kind && involved.name === name && event['reason'] === reason;
        }),
      within,
    );
  }

  /** Waits until the script of a Pod has come to its `rest`: from then on it handles signals as it says. */
  async isUp(of: ClusterObject): Promise<void> {
    await this.sees(of, { phase: 'Running' });
    const { name } = this.ref(of);
    await this.eventually(
      `${name} is up`,
      () => this.logs(name),
      log => log.includes('up\n'),
    );
  }

  /** What a container wrote. */
  logs(pod: string, { container = 'main', previous = false }: Partial<LogsOf> = {}): Promise<string> {
    return this.world.logs({ namespace: this.namespace, pod, container, previous });
  }

  /** Asks until the answer is as expected: for what no watch tells, such as logs and answers of a server. */
  async eventually<T>(
    what: string,
    ask: () => Promise<T>,
    isSo: (answer: T) => boolean,
    within: number = patienceSeconds,
  ): Promise<T> {
    const end = performance.now() + within * 1000;
    for (;;) {
      const answer = await ask().catch((error: unknown) => error);
      if (!(answer instanceof Error) && isSo(answer as T)) return answer as T;
      if (performance.now() > end) {
        throw new Error(
          `${what}: not within ${within} s. The last answer:\n${String(answer)}${this.#events()}`,
        );
      }
      await sleep(200);
    }
  }

  #withImage<T extends object>(value: T): T {
    const image = JSON.stringify(this.world.image);
    return JSON.parse(JSON.stringify(value).replaceAll('"image":"busybox"', `"image":${image}`));
  }

  #fail(ref: ObjectRef, expected: unknown, within: number): never {
    const states = this.seen(ref).all.filter(seen => seen.object.metadata.name === ref.name);
    const title = `${ref.kind} ${ref.name} was not seen as expected within ${within} s`;
    throw new Error(`${title}. ${statesText(states, expected)}${this.#events()}`);
  }

  #events(): string {
    return eventsText(this.seen(types.Event).now);
  }
}

function keyOf({ kind, name, metadata }: { kind: string; name?: string; metadata?: unknown }): string {
  return `${kind} ${name ?? (metadata as { name: string }).name}`;
}

function holds(view: object, expected: object): boolean {
  try {
    expect(view).toMatchObject(expected);
    return true;
  } catch {
    return false;
  }
}
