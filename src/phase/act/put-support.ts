import { phaseLabel } from '../../api/labels.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ClusterObject, StoredObject } from '../../cluster/cluster.ts';
import { isReason } from '../../cluster/cluster-error.ts';
import { findObject, refOf } from '../../cluster/find-object.ts';
import { isOverdue } from '../deadlines.ts';
import { isWritten } from '../object/is-written.ts';
import { withLabels } from '../object/prepare-object.ts';
import { sayObject } from '../object/say-object.ts';
import { type SideObject, sideObjects } from '../object/side-objects.ts';
import { slicesOfMove } from '../object/slices.ts';
import { defaultDeadlineSeconds } from '../object/task-object.ts';
import {
  type Act,
  done,
  type Outcome,
  type PhasePorts,
  type PhaseRun,
  sideOf,
  type VersionSide,
} from '../phase-run.ts';

/**
 * The support set of a side: what its tasks and pods need to be there. `missing` leaves alone what is there already, because a version
 * that serves may be using it; `all` brings everything to this version.
 */
export function putSupport(which: 'missing' | 'all'): Act {
  return async (run, ports) => {
    const side = sideOf(run);
    const unknown = await knowImages(run, ports, side);
    if (unknown) return unknown;
    for (const one of supportOf(run, side)) {
      const found = await findObject(ports.cluster, refOf(one.object));
      if (found && isGoing(found)) return waitUntilGone(run, found);
      if (one.role === 'kept') await createOnly(ports, one.object, found);
      else if (which === 'missing' && !one.sliced && found) continue;
      else if (!(await isWritten(ports.cluster, one.object)))
        await ports.drivers.for(one.object).apply(one.object);
    }
    return done;
  };
}

/** Images are names; where there is no container engine somebody must say what they stand for. */
export async function knowImages(
  run: PhaseRun,
  ports: PhasePorts,
  side: VersionSide,
): Promise<Outcome | undefined> {
  for (const part of side.parts) {
    const [found] = await ports.prepareImages(run.namespace, part);
    if (found) return { kind: 'failed', reason: found.code, message: `${found.message}. ${found.advice}` };
  }
  return undefined;
}

/** What tasks and pods of the slices of this move need. */
export function supportOf(run: PhaseRun, side: VersionSide): readonly SideObject[] {
  return sideObjects(side, slicesOfMove(run, side)).filter(
    ({ role }) => role === 'support' || role === 'kept',
  );
}

/**
 * What a check lent and took back may be there a while, such as a claim until its last Pod is gone: who took it for there would be left
 * without. What somebody else deletes is used as long as it is there.
 */
function isGoing({ metadata }: StoredObject): boolean {
  return metadata.deletionTimestamp !== undefined && metadata.labels?.[phaseLabel] !== undefined;
}

function waitUntilGone(run: PhaseRun, object: StoredObject): Outcome {
  const { finalizers = [] } = object.metadata;
  const by = finalizers.length > 0 ? `, held by ${finalizers.join(', ')}` : '';
  const message = `${sayObject(object)} is on its way out${by}, and is made anew when it is gone.`;
  if (isOverdue(run, defaultDeadlineSeconds)) return { kind: 'failed', reason: 'DeadlineExceeded', message };
  return { kind: 'wait', reason: 'ObjectGoes', message, afterSeconds: 1 };
}

async function createOnly(
  { cluster }: PhasePorts,
  object: ClusterObject,
  found: StoredObject | undefined,
): Promise<void> {
  if (found) return;
  try {
    await cluster.create(object, { fieldManager: 'afloat' });
  } catch (error) {
    if (!isReason(error, 'AlreadyExists')) throw error;
  }
}

/**
 * Support that is there for these tasks of this phase alone: owned by it, and made only where nothing of that name is there; what serves uses
 * stays whose it is. A claim that none of them mounts is left out: its volume would be bound, and given back, and such a volume is given to
 * nobody again. What is waited for, where something is on its way out.
 */
export async function lendSupport(
  run: PhaseRun,
  ports: PhasePorts,
  { side, to }: { readonly side: VersionSide; readonly to: readonly ClusterObject[] },
): Promise<Outcome | undefined> {
  const mounted = new Set(to.flatMap(claimsOf));
  for (const { object } of supportOf(run, side)) {
    if (object.kind === 'PersistentVolumeClaim' && !mounted.has(object.metadata.name ?? '')) continue;
    const found = await findObject(ports.cluster, refOf(object));
    if (found && isGoing(found)) return waitUntilGone(run, found);
    const lent = withLabels(object as unknown as JsonObject, { [phaseLabel]: run.name });
    const metadata = { ...(lent['metadata'] as JsonObject), ownerReferences: [{ ...run.owner }] };
    await createOnly(ports, { ...lent, metadata } as unknown as ClusterObject, found);
  }
  return undefined;
}

/** The claims that the Pods of a task mount, whatever kind it is of. */
function claimsOf(task: ClusterObject): readonly string[] {
  type PodSpec = { readonly volumes?: readonly { persistentVolumeClaim?: { claimName?: string } }[] };
  const spec = (task['spec'] ?? {}) as PodSpec & { readonly template?: { readonly spec?: PodSpec } };
  return (
    (spec.template?.spec ?? spec).volumes?.flatMap(one => one.persistentVolumeClaim?.claimName ?? []) ?? []
  );
}

/** Takes away what was lent, so that a check leaves nothing behind. */
export async function takeBackSupport(run: PhaseRun, ports: PhasePorts, side: VersionSide): Promise<void> {
  for (const { object } of supportOf(run, side)) {
    const found = await findObject(ports.cluster, refOf(object));
    if (found?.metadata.labels?.[phaseLabel] !== run.name) continue;
    try {
      await ports.cluster.delete(refOf(object), { preconditions: { uid: found.metadata.uid } });
    } catch (error) {
      if (!isReason(error, 'NotFound', 'Conflict')) throw error;
    }
  }
}
