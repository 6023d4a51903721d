import { isObject } from '../../base/json.ts';
import type { ClusterObject } from '../../cluster/cluster.ts';

/** One condition of a status. */
export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly observedGeneration?: number;
}

/** The condition of that type, where the object has one that is about its newest content. */
export function findCondition(object: ClusterObject, type: string): Condition | undefined {
  const found = anyCondition(object, type);
  const isOld = (found?.observedGeneration ?? Infinity) < (object.metadata.generation ?? 0);
  return isOld ? undefined : found;
}

/** The condition of that type, also where it is about an earlier content. */
export function anyCondition(object: ClusterObject, type: string): Condition | undefined {
  const status = object['status'];
  const all = isObject(status) && Array.isArray(status['conditions']) ? status['conditions'] : [];
  return (all as unknown as readonly Condition[]).find(one => isObject(one) && one.type === type);
}

/** The condition of that type, where it is True. */
export function trueCondition(object: ClusterObject, type: string): Condition | undefined {
  const found = findCondition(object, type);
  return found?.status === 'True' ? found : undefined;
}
