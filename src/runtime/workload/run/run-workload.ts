import { sameJson } from '../../../base/json.ts';
import type { Clock } from '../../../cluster/clock.ts';
import type { StoredObject } from '../../../cluster/cluster.ts';
import { partsOf, placeOf } from '../../../reconcile/informer.ts';
import type { Controller, Reconciling, Watched } from '../../../reconcile/reconcile.ts';
import type { Again } from '../../../reconcile/work-queue.ts';
import { controllerKey, controllerOf } from '../object/owner.ts';
import { selects } from '../object/selector.ts';
import { carryOut } from './carry-out.ts';
import { type Claimed, decideClaims, selectorOf } from './claim.ts';
import type { Decision } from './decision.ts';
import { EventRecorder } from './record-events.ts';
import { InformerView, type View, workloadIndexes } from './view.ts';
import type { Workload } from './workload.ts';

/** Passes wait for the disk most of the time, and writes that are asked for at once go there together. */
const workers = 16;

/**
 * The controller of a workload. A pass takes in and lets go, observes, decides, writes, and then writes the status, if it is
 * another one. It may be cut off anywhere: what is done is seen by the next pass, and what is not done is decided again.
 */
export function runWorkload<T extends StoredObject, Seen>(
  workload: Workload<T, Seen>,
  reconciling: Reconciling,
  clock: Clock,
): Controller {
  const pass = new Passes(workload, reconciling, clock);
  for (const { type, indexes } of workload.claims)
    reconciling.informer(type, { ...workloadIndexes, ...indexes });
  for (const { type } of workload.looksAt ?? []) reconciling.informer(type);
  reconciling.informer(workload.type);
  return {
    name: workload.type.kind.toLowerCase(),
    pass: key => pass.run(key),
    workers,
    watches: watchesOf(workload, new InformerView(reconciling)),
  };
}

class Passes<T extends StoredObject, Seen> {
  readonly #workload: Workload<T, Seen>;
  readonly #reconciling: Reconciling;
  readonly #clock: Clock;
  readonly #view: View;
  readonly #events: EventRecorder;

  constructor(workload: Workload<T, Seen>, reconciling: Reconciling, clock: Clock) {
    this.#workload = workload;
    this.#reconciling = reconciling;
    this.#clock = clock;
    this.#view = new InformerView(reconciling);
    this.#events = new EventRecorder(reconciling, clock, workload.component);
  }

  async run(key: string): Promise<Again> {
    const { observe, decide, cleanUp } = this.#workload;
    await this.#write(cleanUp?.(key, this.#view).writes);
    const object = this.#find(key);
    if (!object) return undefined;
    for (const claimed of this.#workload.claims) await this.#claim(object, claimed);
    const decision = decide(observe(object, this.#view, this.#clock.wall()));
    await this.#carryOut(object, decision);
    return decision.afterSeconds === undefined ? undefined : { afterSeconds: decision.afterSeconds };
  }

  async #claim(object: T, claimed: Claimed): Promise<void> {
    const owned = this.#view.ownedBy(object, claimed.type);
    const orphans = this.#view.orphansNear(object, claimed.type);
    await this.#write(decideClaims(object, claimed, { owned, orphans }));
  }

  async #carryOut(object: T, decision: Decision): Promise<void> {
    const { writes = [], writesAfterStatus = [], notes = [], status, statusAfterFailure } = decision;
    try {
      await this.#write(writes, object);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      if (statusAfterFailure) await this.#writeStatus(object, statusAfterFailure(why));
      throw error;
    }
    if (status) await this.#writeStatus(object, status);
    await this.#write(writesAfterStatus, object);
    for (const note of notes) this.#events.tell(object, note);
  }

  async #write(writes: Decision['writes'] = [], about?: T): Promise<void> {
    await carryOut(this.#reconciling, writes, note => {
      if (about) this.#events.tell(about, note);
    });
  }

  /** On the version we know now: a write of this pass may have made it newer than the one that was decided on. */
  async #writeStatus(object: T, status: object): Promise<void> {
    const latest = this.#find(placeOf(object.metadata.namespace, object.metadata.name));
    if (latest?.metadata.uid !== object.metadata.uid) return;
    if (sameJson(latest['status'] ?? {}, status)) return;
    await this.#reconciling.updateStatus({ ...latest, status });
  }

  #find(key: string): T | undefined {
    const { namespace, name } = partsOf(key);
    return this.#view.find<T>(this.#workload.type, namespace, name);
  }
}

/** Every change of the object itself, of what it controls, and of orphans that it would take in. */
function watchesOf<T extends StoredObject, Seen>(workload: Workload<T, Seen>, view: View): Watched[] {
  const { type, claims, looksAt = [] } = workload;
  const itself: Watched = { type, keysOf: keyOf };
  const claimed = claims.map(one => ({
    type: one.type,
    keysOf: (object: StoredObject) => {
      const key = controllerKey(object, type.kind);
      if (key !== undefined) return [key];
      return controllerOf(object) ? [] : view.all(type).filter(wants(object)).flatMap(keyOf);
    },
  }));
  const others = looksAt.map(one => ({
    type: one.type,
    keysOf: (object: StoredObject) => one.keysOf(object, view),
  }));
  return [itself, ...claimed, ...others];
}

function wants(orphan: StoredObject): (owner: StoredObject) => boolean {
  return owner =>
    owner.metadata.namespace === orphan.metadata.namespace && selects(selectorOf(owner), orphan);
}

function keyOf({ metadata }: StoredObject): readonly string[] {
  return [placeOf(metadata.namespace, metadata.name)];
}
