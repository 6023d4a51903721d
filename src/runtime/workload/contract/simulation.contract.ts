import { type JsonObject, mergeJson, sameJson } from '../../../base/json.ts';
import type { ClusterObject, ObjectType, StoredObject } from '../../../cluster/cluster.ts';
import { controllerOf } from '../object/owner.ts';
import type { Pod } from '../object/pod.ts';
import { timestamp } from '../object/timestamps.ts';
import { podType } from '../object/workload-kinds.ts';
import type { Write } from '../run/decision.ts';
import type { View } from '../run/view.ts';
import type { Workload } from '../run/workload.ts';

/**
 * Objects in memory, for laws: passes that are cut off wherever a law likes, and time that it sets. Knows of an API server only
 * what the controllers rely on: names are unique, finalizers and nodes keep what is deleted, a change of a spec is counted.
 */
export class Simulation implements View {
  readonly #objects = new Map<string, StoredObject>();
  #number = 0;
  now = Date.UTC(2026, 0, 1);

  all<T extends StoredObject>({ kind }: ObjectType): readonly T[] {
    return [...this.#objects.values()].filter(object => object.kind === kind) as unknown as readonly T[];
  }

  ownedBy<T extends StoredObject>({ metadata }: StoredObject, type: ObjectType): readonly T[] {
    return this.all<T>(type).filter(object => controllerOf(object)?.uid === metadata.uid);
  }

  orphansNear(_: StoredObject, type: ObjectType): readonly StoredObject[] {
    return this.all(type).filter(object => !controllerOf(object));
  }

  find<T extends StoredObject>({ kind }: ObjectType, _: string | undefined, name: string): T | undefined {
    return this.#objects.get(`${kind} ${name}`) as T | undefined;
  }

  by<T extends StoredObject>(): readonly T[] {
    return [];
  }

  get pods(): readonly Pod[] {
    return this.all<Pod>(podType);
  }

  create({ metadata, ...object }: ClusterObject): StoredObject {
    this.#number += 1;
    const name = metadata.name ?? `${metadata.generateName}${this.#number}`;
    if (this.#objects.has(`${object.kind} ${name}`))
      throw new Error(`${object.kind} ${name} is there already`);
    const isPod = object.kind === 'Pod';
    return this.#put({
      ...object,
      ...(isPod ? { status: { phase: 'Pending' } } : {}),
      metadata: {
        ...metadata,
        name,
        uid: `uid-${this.#number}`,
        generation: 1,
        resourceVersion: '1',
        creationTimestamp: timestamp(this.now),
      },
    } as StoredObject);
  }

  /** A merge patch, as anybody may send it. */
  patch(object: StoredObject, patch: object): void {
    const latest = this.#latest(object);
    if (!latest) return;
    const merged = mergeJson(latest as unknown as JsonObject, patch as JsonObject) as unknown as StoredObject;
    const generation = (latest.metadata.generation ?? 1) + ('spec' in patch ? 1 : 0);
    this.#put({ ...merged, metadata: { ...merged.metadata, generation } });
  }

  /** Marks an object, and removes it when nothing keeps it; a Pod is kept until its node says it has ended. */
  delete(object: StoredObject): void {
    this.patch(object, { metadata: { deletionTimestamp: timestamp(this.now) } });
    if (object.kind !== 'Pod') this.end(object);
  }

  /** A node says that a Pod has ended. */
  end(object: StoredObject): void {
    const latest = this.#latest(object);
    if (latest && (latest.metadata.finalizers ?? []).length === 0) this.#objects.delete(keyOf(latest));
  }

  /** A pass of a controller of which only so many writes come about; true when it was carried out to its end. */
  pass<T extends StoredObject, Seen>(
    workload: Workload<T, Seen>,
    name: string,
    mostWrites = Number.POSITIVE_INFINITY,
  ): boolean {
    const object = this.find<T>(workload.type, undefined, name);
    if (!object) return true;
    const decision = workload.decide(workload.observe(object, this, this.now));
    const { writes = [], status, writesAfterStatus = [] } = decision;
    const steps = [
      ...writes.map(write => () => this.#carryOut(write)),
      ...(status ? [() => this.#putStatus(object, status)] : []),
      ...writesAfterStatus.map(write => () => this.#carryOut(write)),
    ];
    for (const step of steps.slice(0, mostWrites)) step();
    return steps.length <= mostWrites;
  }

  #carryOut(write: Write): void {
    if (write.verb === 'create') this.create(write.object);
    else if (write.verb === 'delete') this.delete(write.object);
    else if (write.verb === 'patch') this.patch(write.object, write.patch);
    else this.#release(write.object, write.finalizer);
  }

  #release(object: StoredObject, finalizer: string): void {
    const latest = this.#latest(object);
    if (!latest) return;
    const finalizers = (latest.metadata.finalizers ?? []).filter(one => one !== finalizer);
    this.#put({ ...latest, metadata: { ...latest.metadata, finalizers } });
  }

  #putStatus(object: StoredObject, status: object): void {
    const latest = this.#latest(object);
    if (latest && !sameJson(latest['status'] ?? {}, status)) this.#put({ ...latest, status });
  }

  #latest(object: StoredObject): StoredObject | undefined {
    const latest = this.#objects.get(keyOf(object));
    return latest?.metadata.uid === object.metadata.uid ? latest : undefined;
  }

  #put(object: StoredObject): StoredObject {
    const { metadata } = object;
    const resourceVersion = String(Number(metadata.resourceVersion) + 1);
    const stored = { ...object, metadata: { ...metadata, resourceVersion } };
    this.#objects.set(keyOf(stored), stored);
    return stored;
  }
}

function keyOf({ kind, metadata }: StoredObject): string {
  return `${kind} ${metadata.name}`;
}

/** What a kubelet says of a Pod that serves. */
export function serving(time: number) {
  const lastTransitionTime = timestamp(time);
  return {
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True', lastTransitionTime }] },
  };
}
