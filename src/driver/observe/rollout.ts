import { isObject, type JsonObject } from '../../base/json.ts';
import type { StoredObject } from '../../cluster/cluster.ts';
import { type Judgement, judged } from './judgement.ts';
import { whatItAwaits } from './observe-pod.ts';
import { isAlive, type Pod } from './pod.ts';

/** The spec of an object, empty where it has none. */
export function specOf(object: StoredObject): JsonObject {
  return isObject(object['spec']) ? object['spec'] : {};
}

/** The status of an object, empty where it has none. */
export function statusOf(object: StoredObject): JsonObject {
  return isObject(object['status']) ? object['status'] : {};
}

/** A count of a status: those that are nought are often left out. */
export function countOf(fields: JsonObject, name: string, otherwise = 0): number {
  const value = fields[name];
  return typeof value === 'number' ? value : otherwise;
}

/** A part of a spec that is an object, empty where it is not there. */
export function partOf(fields: JsonObject, name: string): JsonObject {
  const value = fields[name];
  return isObject(value) ? value : {};
}

/** A rollout that goes on, with its counts and what the first Pod that is not ready waits for. */
export function rollingOut(workload: StoredObject, counts: string, pods: readonly Pod[]): Judgement {
  const waiting = [...pods]
    .filter(isAlive)
    .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
    .find(pod => !pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True'));
  const { kind, metadata } = workload;
  return judged('progressing', 'RollingOut', `${kind} ${metadata.name}: ${counts}${waitText(waiting)}`);
}

function waitText(pod: Pod | undefined): string {
  if (!pod) return '';
  const what = pod.status?.phase === 'Running' ? 'is not ready yet' : whatItAwaits(pod);
  return `; Pod ${pod.metadata.name} ${what}`;
}

/** A rollout that is through. */
export function rolledOut({ kind, metadata }: StoredObject, counts: string): Judgement {
  return judged('done', 'RolledOut', `${kind} ${metadata.name} is rolled out: ${counts}`);
}
