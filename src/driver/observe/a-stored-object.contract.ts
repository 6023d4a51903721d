import type { JsonObject } from '../../base/json.ts';
import type { StoredObject } from '../../cluster/cluster.ts';
import type { ContainerStatus, Pod } from './pod.ts';

/** An object as a server gives it, for tables of statuses. */
export function aStored(kind: string, content: JsonObject, metadata: JsonObject = {}): StoredObject {
  return {
    apiVersion: 'v1',
    kind,
    metadata: {
      name: 'one',
      namespace: 'openstack',
      uid: `uid of ${kind}`,
      resourceVersion: '1',
      generation: 1,
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...metadata,
    },
    ...content,
  };
}

/** A Pod with this status. */
export function aPod(status: JsonObject, metadata: JsonObject = {}, spec: JsonObject = {}): Pod {
  const containers = [{ name: 'main', image: 'registry/keystone:27' }];
  return aStored('Pod', { spec: { containers, ...spec }, status }, { name: 'one-x', ...metadata }) as Pod;
}

/** The status of a Pod whose container waits for this reason. */
export function waiting(reason: string, message = '', more: JsonObject = {}): JsonObject {
  const state = { waiting: { reason, message } };
  return { phase: 'Pending', containerStatuses: [{ name: 'main', ready: false, state, ...more }] };
}

/** The status of a Pod whose container ended. */
export function endedWith(exitCode: number, more: JsonObject = {}): JsonObject {
  const terminated = { exitCode, finishedAt: '2026-01-01T00:00:05Z', ...more };
  const phase = exitCode === 0 ? 'Succeeded' : 'Failed';
  return { phase, containerStatuses: [{ name: 'main', ready: false, state: { terminated } }] };
}

/** One container's status, for lists of several. */
export function containerEnded(name: string, exitCode: number, finishedAt: string): JsonObject {
  const status: ContainerStatus = { name, state: { terminated: { exitCode, finishedAt } } };
  return status as unknown as JsonObject;
}

/** An Event. */
export function anEvent(
  reason: string,
  message: string,
  lastTimestamp = '2026-01-01T00:00:10Z',
): StoredObject {
  return aStored('Event', { reason, message, type: 'Warning', lastTimestamp });
}
