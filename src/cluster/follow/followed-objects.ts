import type { StoredObject } from '../cluster.ts';

export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: StoredObject;
}

/** The last state of every object that was told, so that what was missed can be found out. */
export class FollowedObjects {
  #known = new Map<string, StoredObject>();

  /** What is there now instead of what was known: the changes between the two, deletions first. */
  *replace(items: readonly StoredObject[]): Generator<Change> {
    const there = new Map(items.map(item => [keyOf(item), item]));
    for (const [key, object] of this.#known) {
      if (there.get(key)?.metadata.uid === object.metadata.uid) continue;
      this.#known.delete(key);
      yield { type: 'DELETED', object };
    }
    for (const object of there.values()) yield* this.change('MODIFIED', object);
  }

  /** One event of a watch, made right for who saw only what was told: no change without an addition, no state twice. */
  *change(type: Change['type'], object: StoredObject): Generator<Change> {
    const key = keyOf(object);
    const known = this.#known.get(key);
    if (type === 'DELETED') {
      this.#known.delete(key);
      if (known) yield { type, object };
      return;
    }
    if (known?.metadata.resourceVersion === object.metadata.resourceVersion) return;
    this.#known.set(key, object);
    const isSame = known?.metadata.uid === object.metadata.uid;
    if (known && !isSame) yield { type: 'DELETED', object: known };
    yield { type: isSame ? 'MODIFIED' : 'ADDED', object };
  }
}

function keyOf({ metadata }: StoredObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}
