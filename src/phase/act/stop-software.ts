import { sliceLabel } from '../../api/labels.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import type { Cluster, ClusterObject, StoredObject } from '../../cluster/cluster.ts';
import { findObject, refOf } from '../../cluster/find-object.ts';
import { podSelectorOf } from '../object/pod-selector.ts';
import { stoppedAnnotation } from '../object/prepare-object.ts';
import { sayObject } from '../object/say-object.ts';
import { type SideObject, sideObjects } from '../object/side-objects.ts';
import { isController } from '../object/slices.ts';
import { type Act, done, type Notes, type Outcome, type PhasePorts } from '../phase-run.ts';

/** Stops what runs of a side, or of both: no process of it is left when this is done. Objects stay, with no replicas. */
export function stopSoftware(which: 'old' | 'both'): Act {
  return async (run, ports, notes) => {
    const sides = which === 'old' ? [run.old] : [run.old, run.new];
    return stopAll(
      sides.flatMap(side => sideObjects(side)),
      ports,
      notes,
    );
  };
}

/** Stops these workloads; waits until their last pod is gone. */
export async function stopAll(
  objects: readonly SideObject[],
  ports: PhasePorts,
  notes: Notes,
): Promise<Outcome> {
  const waiting: string[] = [];
  for (const { object, role } of objects) {
    if (role !== 'workload' || !isController(object as never)) continue;
    const live = await findObject(ports.cluster, refOf(object));
    if (!live) continue;
    const left = await stopOne(ports.cluster, live);
    if (left === 0) continue;
    waiting.push(sayObject(live));
    notes.progress.push({
      name: `stop ${sayObject(live)}`,
      state: 'running',
      message: `${left} pods are left`,
    });
  }
  if (waiting.length === 0) return done;
  return {
    kind: 'wait',
    reason: 'Stopping',
    message: `Waits for the last processes of ${[...new Set(waiting)].join(', ')} to end.`,
    afterSeconds: 1,
  };
}

/**
 * What says that a workload was stopped here. On a DaemonSet a node that no machine has, so that it has no pods; on all others an
 * annotation, with the number of replicas there were.
 */
const stopped = stoppedAnnotation;

async function stopOne(cluster: Cluster, live: StoredObject): Promise<number> {
  const spec = isObject(live['spec']) ? live['spec'] : {};
  if (live.kind === 'DaemonSet') {
    if (!isNowhere(live))
      await merge(cluster, live, {
        metadata: { annotations: { [stopped]: 'true' } },
        spec: { template: { spec: { nodeSelector: { [stopped]: 'true' } } } },
      });
  } else if (spec['replicas'] !== 0) {
    const annotations = { [stopped]: `${spec['replicas'] ?? 1}` };
    await merge(cluster, live, { metadata: { annotations }, spec: { replicas: 0 } });
  }
  return podsOf(cluster, live);
}

/** Lets a workload that was stopped run again, once it has the content it shall have: what its manifest does not say stays stopped else. */
export async function letRun({ cluster }: PhasePorts, object: ClusterObject): Promise<void> {
  if (!isController(object as never)) return;
  const live = await findObject(cluster, refOf(object));
  if (!live) return;
  if (live.kind === 'DaemonSet') {
    if (isNowhere(live))
      await merge(cluster, live, {
        metadata: { annotations: { [stopped]: null } },
        spec: { template: { spec: { nodeSelector: { [stopped]: null } } } },
      });
    return;
  }
  const before = live.metadata.annotations?.[stopped];
  if (before === undefined) return;
  const { replicas } = object['spec'] as { replicas?: number };
  const spec = { replicas: replicas ?? Number(before) };
  await merge(cluster, live, { metadata: { annotations: { [stopped]: null } }, spec });
}

function isNowhere({ spec }: ClusterObject): boolean {
  const template = isObject(spec) && isObject(spec['template']) ? spec['template'] : {};
  const selector = isObject(template['spec']) ? template['spec']['nodeSelector'] : undefined;
  return isObject(selector) && Object.hasOwn(selector, stopped);
}

async function merge(cluster: Cluster, object: ClusterObject, value: JsonObject): Promise<void> {
  await cluster.patch(refOf(object), { type: 'merge', value }, { fieldManager: 'afloat' });
}

/** How many pods a workload still has, by its own selector. One that has ended stays for a look, and runs nothing. */
async function podsOf(cluster: Cluster, live: StoredObject): Promise<number> {
  const labels = podSelectorOf(isObject(live['spec']) ? live['spec'] : {});
  const slice = live.metadata.labels?.[sliceLabel];
  const own = slice === undefined ? labels : [...labels, `${sliceLabel}=${slice}`];
  const { namespace } = live.metadata;
  const { items } = await cluster.list(
    { apiVersion: 'v1', kind: 'Pod' },
    { ...(namespace === undefined ? {} : { namespace }), labelSelector: own.join(',') },
  );
  return items.filter(pod => !hasEnded(pod)).length;
}

function hasEnded({ status }: ClusterObject): boolean {
  return isObject(status) && (status['phase'] === 'Succeeded' || status['phase'] === 'Failed');
}
