import type { JsonObject } from '../../base/json.ts';
import type { StoredObject } from '../../cluster/cluster.ts';

/**
 * What the suite compares of an object: everything that whoever waits for it may look at, in a short form. Left out, because it differs
 * by nature from world to world and from run to run: times, addresses, the node's name, uids, ids of containers and images,
 * messages (they hold names of all these), resources and users of containers (they are the machine's).
 */
export type View = Readonly<Record<string, unknown>>;

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
}

interface ContainerStatus {
  readonly name: string;
  readonly ready: boolean;
  readonly started?: boolean;
  readonly restartCount: number;
  readonly state?: StateOfContainer;
  readonly lastState?: StateOfContainer;
}

interface StateOfContainer {
  readonly waiting?: { readonly reason?: string };
  readonly running?: JsonObject;
  readonly terminated?: {
    readonly exitCode: number;
    readonly reason?: string;
    readonly message?: string;
    readonly startedAt?: string;
    readonly finishedAt?: string;
  };
}

interface Status {
  readonly phase?: string;
  readonly reason?: string;
  readonly observedGeneration?: number;
  readonly conditions?: readonly Condition[];
  readonly containerStatuses?: readonly ContainerStatus[];
  readonly initContainerStatuses?: readonly ContainerStatus[];
  readonly [field: string]: unknown;
}

/** Counts that are left out where they are 0. */
const counts: Readonly<Record<string, readonly string[]>> = {
  Deployment: ['replicas', 'updatedReplicas', 'readyReplicas', 'availableReplicas', 'unavailableReplicas'],
  ReplicaSet: ['replicas', 'readyReplicas', 'availableReplicas', 'fullyLabeledReplicas'],
  StatefulSet: ['replicas', 'readyReplicas', 'availableReplicas', 'currentReplicas', 'updatedReplicas'],
  DaemonSet: ['updatedNumberScheduled', 'numberAvailable', 'numberUnavailable'],
  Job: ['active', 'ready', 'succeeded', 'failed', 'terminating'],
};

/** The view of an object of any kind. */
export function viewOf(object: StoredObject): View {
  return object.kind === 'Pod' ? podView(object) : statusView(object);
}

export function statusOf(object: StoredObject): Status {
  return (object['status'] ?? {}) as Status;
}

/** A Pod: phase, reason, conditions as `True` or `False ReasonOfIt`, and each container. */
export function podView(pod: StoredObject): View {
  const { phase, reason, conditions, containerStatuses, initContainerStatuses } = statusOf(pod);
  return {
    phase,
    ...(reason === undefined ? {} : { reason }),
    conditions: conditionsView(conditions),
    containers: containersView(containerStatuses),
    ...(initContainerStatuses === undefined ? {} : { init: containersView(initContainerStatuses) }),
  };
}

function statusView(object: StoredObject): View {
  const { observedGeneration, conditions, ...rest } = statusOf(object);
  const zeros = Object.fromEntries((counts[object.kind] ?? []).map(name => [name, 0]));
  return {
    ...zeros,
    ...rest,
    // Everything else is about the spec as it is now.
    isCurrent: observedGeneration === undefined || observedGeneration === object.metadata.generation,
    conditions: conditionsView(conditions),
  };
}

/** `True`, or `False ContainersNotReady`. */
export function conditionsView(conditions: readonly Condition[] = []): Record<string, string> {
  return Object.fromEntries(
    conditions.map(({ type, status, reason }) => [type, reason ? `${status} ${reason}` : status]),
  );
}

function containersView(statuses: readonly ContainerStatus[] = []): Record<string, View> {
  return Object.fromEntries(
    statuses.map(({ name, ready, started, restartCount, state, lastState }) => [
      name,
      {
        state: stateView(state),
        last: stateView(lastState),
        ready,
        started,
        restarts: restartCount,
      },
    ]),
  );
}

/** `running`, `waiting CrashLoopBackOff`, `terminated Error 1`; `none` before anything. */
function stateView({ waiting, running, terminated }: StateOfContainer = {}): string {
  if (waiting) return `waiting ${waiting.reason ?? ''}`.trim();
  if (terminated) return `terminated ${terminated.reason ?? ''} ${terminated.exitCode}`;
  return running ? 'running' : 'none';
}
