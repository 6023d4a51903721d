import type { ObjectType, StoredObject } from '../../../cluster/cluster.ts';
import { byOwner, type Indexes } from '../../../reconcile/informer.ts';
import type { Reconciling } from '../../../reconcile/reconcile.ts';
import { controllerOf } from '../object/owner.ts';

/** Under this index the objects that nobody controls are kept by namespace. */
const orphaned = 'orphaned';

/** How the controllers of workloads find objects. */
export const workloadIndexes: Indexes = {
  [orphaned]: object => (controllerOf(object) ? [] : [object.metadata.namespace ?? '']),
};

/** What a controller may look at. The type asked for is what the caller knows of the kind. */
export interface View {
  /** What an object controls. */
  ownedBy<T extends StoredObject>(owner: StoredObject, type: ObjectType): readonly T[];
  /** What nobody controls, in the namespace of an object. */
  orphansNear(object: StoredObject, type: ObjectType): readonly StoredObject[];
  find<T extends StoredObject>(type: ObjectType, namespace: string | undefined, name: string): T | undefined;
  all<T extends StoredObject>(type: ObjectType): readonly T[];
  by<T extends StoredObject>(type: ObjectType, index: string, key: string): readonly T[];
}

/** Objects as the informers know them now, our own writes included. */
export class InformerView implements View {
  readonly #reconciling: Reconciling;

  constructor(reconciling: Reconciling) {
    this.#reconciling = reconciling;
  }

  ownedBy<T extends StoredObject>({ metadata }: StoredObject, type: ObjectType): readonly T[] {
    return this.by<T>(type, byOwner, metadata.uid);
  }

  orphansNear({ metadata }: StoredObject, type: ObjectType): readonly StoredObject[] {
    return this.by(type, orphaned, metadata.namespace ?? '');
  }

  find<T extends StoredObject>(type: ObjectType, namespace: string | undefined, name: string): T | undefined {
    return this.#reconciling.informer(type).get(namespace, name) as T | undefined;
  }

  all<T extends StoredObject>(type: ObjectType): readonly T[] {
    return this.#reconciling.informer(type).all() as readonly T[];
  }

  by<T extends StoredObject>(type: ObjectType, index: string, key: string): readonly T[] {
    return this.#reconciling.informer(type).by(index, key) as readonly T[];
  }
}
