import type { StoredObject } from '../../../cluster/cluster.ts';
import type { Pod } from '../pod-shape.ts';

/** Where a Pod is to run: here, nowhere yet, or not our business. */
export type Placement =
  | { readonly is: 'here' }
  /** Why not, as the scheduler's condition says it. */
  | { readonly is: 'nowhere'; readonly reason: string; readonly message: string }
  | { readonly is: 'not ours' };

/** What the scheduler of a cluster with this one node would do. */
export function placePod(pod: Pod, node: StoredObject, claimIsThere: (name: string) => boolean): Placement {
  const { spec } = pod;
  if (spec.nodeName !== undefined || pod.metadata.deletionTimestamp !== undefined) return { is: 'not ours' };
  if ((spec.schedulerName ?? 'default-scheduler') !== 'default-scheduler') return { is: 'not ours' };
  if ((spec.schedulingGates ?? []).length > 0) {
    const message = 'Scheduling is blocked due to non-empty scheduling gates';
    return { is: 'nowhere', reason: 'SchedulingGated', message };
  }
  const claim = (spec.volumes ?? [])
    .map(volume => volume.persistentVolumeClaim?.claimName)
    .find(name => name !== undefined && !claimIsThere(name));
  if (claim !== undefined) return unschedulable(`persistentvolumeclaim "${claim}" not found`);
  if ((node['spec'] as { unschedulable?: boolean } | undefined)?.unschedulable) {
    return unschedulable('1 node(s) were unschedulable');
  }
  const labels = node.metadata.labels ?? {};
  const fits = Object.entries(spec.nodeSelector ?? {}).every(([name, value]) => labels[name] === value);
  if (!fits) return unschedulable("1 node(s) didn't match Pod's node affinity/selector");
  return { is: 'here' };
}

function unschedulable(why: string): Placement {
  const help =
    'no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.';
  return { is: 'nowhere', reason: 'Unschedulable', message: `0/1 nodes are available: ${why}. ${help}` };
}
