import {
  componentLabel,
  foundSlice,
  managedBy,
  managedByLabel,
  serviceLabel,
  sliceLabel,
} from '../../api/labels.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import type { Cluster, StoredObject } from '../../cluster/cluster.ts';
import { isReason } from '../../cluster/cluster-error.ts';
import { findObject, refOf } from '../../cluster/find-object.ts';
import { podSelectorOf } from '../object/pod-selector.ts';
import { routesOf } from '../object/routes.ts';
import { type SideObject, sideObjects } from '../object/side-objects.ts';
import { isController, isFound } from '../object/slices.ts';
import { type Act, done, type PhasePorts, type PhaseRun, type VersionSide } from '../phase-run.ts';
import { wholeShare } from '../traffic/share-out.ts';

/**
 * Takes over what was running before Afloat knew of it, when a flow first touches it: its objects get our labels, and its pods the label of
 * a slice of their own, so that a Service can tell them from those that come beside them. No pod is started anew. One that comes
 * later, because another one died, gets its label with the next pass.
 */
export const takeFound: Act = async (run, ports) => {
  const parts = run.old.parts.filter(isFound);
  if (parts.length === 0) return done;
  for (const one of sideObjects({ ...run.old, parts })) {
    if (one.role === 'task' || one.role === 'kept') continue;
    const live = await findObject(ports.cluster, refOf(one.object));
    if (!live) continue;
    if (live.metadata.labels?.[managedByLabel] !== managedBy)
      await label(ports.cluster, live, ourLabels(one));
    if (isController(one.object as never)) await labelPods(ports.cluster, live);
  }
  return done;
};

/** Nothing stands beside what was found any more: its Services serve it as they did, with pods that come later and say nothing of slices. */
export async function serveAsFound(run: PhaseRun, { traffic }: PhasePorts, side: VersionSide): Promise<void> {
  for (const { part, route } of routesOf(run, side)) {
    if (!isFound(part)) continue;
    const { slices } = await traffic.observe(route);
    if ((slices[foundSlice]?.weight ?? 0) > 0) await traffic.setWeights(route, { [foundSlice]: wholeShare });
  }
}

function ourLabels({ part }: SideObject): Readonly<Record<string, string>> {
  return { [managedByLabel]: managedBy, [serviceLabel]: part.service, [componentLabel]: part.component };
}

/** The pods of a workload that say nothing of a slice. Those of a slice may match its selector too, and are not its own. */
async function labelPods(cluster: Cluster, live: StoredObject): Promise<void> {
  const { namespace } = live.metadata;
  const spec = isObject(live['spec']) ? live['spec'] : {};
  const { items } = await cluster.list(
    { apiVersion: 'v1', kind: 'Pod' },
    {
      ...(namespace === undefined ? {} : { namespace }),
      labelSelector: [...podSelectorOf(spec), `!${sliceLabel}`].join(','),
    },
  );
  for (const pod of items) await label(cluster, pod, { [sliceLabel]: foundSlice });
}

async function label(
  cluster: Cluster,
  object: StoredObject,
  labels: Readonly<Record<string, string>>,
): Promise<void> {
  const value: JsonObject = { metadata: { uid: object.metadata.uid, labels } };
  try {
    await cluster.patch(refOf(object), { type: 'merge', value }, { fieldManager: 'afloat' });
  } catch (error) {
    // It is gone, or another one has its name: what is there is looked at with the next pass.
    if (!isReason(error, 'NotFound', 'Conflict')) throw error;
  }
}
