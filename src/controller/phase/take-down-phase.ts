import { group } from '../../api/group.ts';
import { managedBy, managedByLabel, phaseLabel } from '../../api/labels.ts';
import type { MadeObject } from '../../api/phase-kinds.ts';
import type { Cluster, ClusterObject } from '../../cluster/cluster.ts';
import { isReason } from '../../cluster/cluster-error.ts';
import { findObject, refOf } from '../../cluster/find-object.ts';
import { removeOwned } from '../../phase/act/remove-owned.ts';
import type { Outcome } from '../../phase/phase-run.ts';
import type { Again } from '../../reconcile/work-queue.ts';
import type { EngineWorld } from '../engine-world.ts';
import { accountFor } from '../hand-made.ts';
import type { PhaseObject } from '../our-objects.ts';
import { tellAlone } from './alone-status.ts';
import { portsAs, refusalIn } from './carry-out-phase.ts';
import { aloneLabel } from './own-objects.ts';

/** On a phase that made something: it is not forgotten before that is gone. */
export const phaseFinalizer = `${group}/takedown`;

/** Kubernetes' own, until what the object owned has lost its owner: whoever deletes with it keeps that. */
const orphanFinalizer = 'orphan';

/** How long until a refusal is looked at again: rights may have been given. */
const lookAgainSeconds = 10;

/**
 * A phase that is being deleted takes along what it made, in reverse, and nothing else. What no longer has it as its owner stays: with
 * `--cascade=orphan` that is everything in its own namespace.
 */
export async function letGo(world: EngineWorld, object: PhaseObject): Promise<Again> {
  const { finalizers = [] } = object.metadata;
  if (!finalizers.includes(phaseFinalizer)) return undefined;
  if (finalizers.includes(orphanFinalizer)) return { afterSeconds: 1 };
  const outcome = await removal(world, object);
  if (outcome.kind === 'done') return release(world, object);
  if (outcome.kind === 'wait') return { afterSeconds: outcome.afterSeconds ?? 1 };
  // Told, and tried again: it would hang without a word otherwise.
  const told = { kind: 'blocked', reason: outcome.reason, message: outcome.message } as const;
  await tellAlone(world, object, { outcome: told, state: 'error' });
  return { afterSeconds: lookAgainSeconds };
}

/** What the phase made goes, and the phase stays. */
export async function takeDown(world: EngineWorld, object: PhaseObject): Promise<Again> {
  return tellAlone(world, object, { outcome: await removal(world, object) });
}

/** What a phase made, as far as it is needed to find it and to see whose it is. */
export function refsOf(object: PhaseObject, made: readonly MadeObject[]): ClusterObject[] {
  const labels = { [managedByLabel]: managedBy, [phaseLabel]: aloneLabel(object) };
  return made.map(({ apiVersion, kind, name, namespace }) => ({
    ...{ apiVersion, kind },
    metadata: { name, labels, ...(namespace === undefined ? {} : { namespace }) },
  }));
}

async function removal(world: EngineWorld, object: PhaseObject): Promise<Outcome> {
  const { namespace = '' } = object.metadata;
  const ports = portsAs(world, namespace, accountFor(world, object));
  try {
    const made: ClusterObject[] = [];
    for (const one of refsOf(object, object.status?.made ?? []))
      if (await isStillOwn(ports.cluster, object, one)) made.push(one);
    return await removeOwned(ports, made);
  } catch (error) {
    const refusal = refusalIn(error);
    if (!refusal) throw error;
    return refusal;
  }
}

/** What lies in another namespace, or in none, has no owner: its label tells. One that is gone may have left Pods. */
async function isStillOwn(cluster: Cluster, phase: PhaseObject, made: ClusterObject): Promise<boolean> {
  if (made.metadata.namespace !== phase.metadata.namespace) return true;
  const live = await findObject(cluster, refOf(made));
  return !live || (live.metadata.ownerReferences ?? []).some(({ uid }) => uid === phase.metadata.uid);
}

async function release(world: EngineWorld, object: PhaseObject): Promise<Again> {
  const { apiVersion, kind, metadata } = object;
  const { name, namespace, resourceVersion, finalizers = [] } = metadata;
  const ref = { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }) };
  const left = finalizers.filter(one => one !== phaseFinalizer);
  try {
    await world.reconciling.patch(ref, {
      type: 'merge',
      value: { metadata: { resourceVersion, finalizers: left } },
    });
  } catch (error) {
    if (isReason(error, 'Conflict')) return { afterSeconds: 0 };
    if (!isReason(error, 'NotFound')) throw error;
  }
  return undefined;
}
