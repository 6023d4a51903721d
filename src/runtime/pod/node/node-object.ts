import { arch, cpus, hostname, release, totalmem } from 'node:os';
import type { Clock } from '../../../cluster/clock.ts';
import type { Cluster, ClusterObject, StoredObject } from '../../../cluster/cluster.ts';
import { isReason } from '../../../cluster/cluster-error.ts';
import { isoSeconds } from '../decide/conditions.ts';
import type { Capacity } from '../env/downward-field.ts';

export const nodeType = { apiVersion: 'v1', kind: 'Node' } as const;

/** The one node that this machine is has this label, so that it is found again when the machine was renamed. */
const ownLabel = 'openstacklcm.airshipit.org/embedded';

/** How many Pods a node takes, as a kubelet says where nobody says otherwise; nobody counts here. */
const mostPods = 1000;

/** What this machine has. */
export function capacityOfMachine(): Capacity {
  return { cpus: cpus().length, memoryBytes: totalmem() };
}

/**
 * Sees to it that there is a Node for this machine, ready, and returns its name. A machine that was renamed keeps the node it had: Pods
 * are bound to it.
 */
export async function keepNode(
  cluster: Cluster,
  hostIp: string | undefined,
  clock: Clock,
): Promise<StoredObject> {
  const { items } = await cluster.list(nodeType, { labelSelector: `${ownLabel}=true` });
  const known = items[0];
  const name = known?.metadata.name ?? nodeName();
  const labels = {
    ...known?.metadata.labels,
    'kubernetes.io/hostname': name,
    'kubernetes.io/os': 'linux',
    'kubernetes.io/arch': architecture(),
    [ownLabel]: 'true',
  };
  const node: ClusterObject = known
    ? { ...known, metadata: { ...known.metadata, labels } }
    : { ...nodeType, metadata: { name, labels }, spec: {} };
  const kept = await (known ? cluster.update(node) : cluster.create(node).catch(found(cluster, name)));
  return cluster.updateStatus({ ...kept, status: nodeStatus(name, hostIp, clock.wall()) });
}

/** Somebody made a node of this name by hand: it is taken as it is. */
function found(cluster: Cluster, name: string) {
  return (error: unknown): Promise<StoredObject> => {
    if (isReason(error, 'AlreadyExists')) return cluster.get({ ...nodeType, name });
    throw error;
  };
}

function nodeStatus(name: string, hostIp: string | undefined, now: number): object {
  const { cpus: count, memoryBytes } = capacityOfMachine();
  const capacity = {
    cpu: String(count),
    memory: `${Math.floor(memoryBytes / 1024)}Ki`,
    pods: String(mostPods),
  };
  const time = isoSeconds(now);
  const condition = (type: string, status: string, reason: string, message: string) => ({
    type,
    status,
    reason,
    message,
    lastHeartbeatTime: time,
    lastTransitionTime: time,
  });
  return {
    capacity,
    allocatable: capacity,
    addresses: [
      ...(hostIp ? [{ type: 'InternalIP', address: hostIp }] : []),
      { type: 'Hostname', address: name },
    ],
    conditions: [
      condition(
        'MemoryPressure',
        'False',
        'KubeletHasSufficientMemory',
        'kubelet has sufficient memory available',
      ),
      condition('DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'),
      condition('PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'),
      condition('Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'),
    ],
    nodeInfo: {
      architecture: architecture(),
      operatingSystem: 'linux',
      kernelVersion: release(),
      osImage: 'Linux',
      machineID: '',
      systemUUID: '',
      bootID: '',
      containerRuntimeVersion: 'afloat://1',
      kubeletVersion: 'v1.36.0',
      kubeProxyVersion: '',
    },
  };
}

function nodeName(): string {
  const name = hostname().toLowerCase();
  return /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(name) ? name : 'local';
}

/** As Go calls it. */
function architecture(): string {
  return { x64: 'amd64', ia32: '386' }[arch() as string] ?? arch();
}
