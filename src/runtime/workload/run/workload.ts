import type { ObjectType, StoredObject } from '../../../cluster/cluster.ts';
import type { Claimed } from './claim.ts';
import type { Decision } from './decision.ts';
import type { View } from './view.ts';

/** One kind of workload: what is looked at, and what is decided from it. The runner does the rest. */
export interface Workload<T extends StoredObject, Seen> {
  readonly type: ObjectType;
  /** Who tells what happened: the source of Events. */
  readonly component: string;
  /** What it makes; orphans among these are taken in by selector. */
  readonly claims: readonly Claimed[];
  /** What it makes and never takes in, and what else it looks at. */
  readonly looksAt?: readonly LookedAt[];
  /** Gathers what the decision is made from; `now` in milliseconds. */
  observe(object: T, view: View, now: number): Seen;
  /** What is to be done. Without effect, chance or memory: the same is seen, the same is decided. */
  decide(seen: Seen): Decision;
  /** What is left of an earlier object with that key, whether there is a new one or not. */
  cleanUp?(key: string, view: View): Decision;
}

/** Another kind that is looked at, and whom a change of it concerns. */
export interface LookedAt {
  readonly type: ObjectType;
  keysOf(object: StoredObject, view: View): readonly string[];
}
