import { isReason } from '../../cluster/cluster-error.ts';
import type { EngineWorld } from '../engine-world.ts';
import type { PhaseObject } from '../our-objects.ts';

/**
 * Puts this manager's number on a phase before it acts, on this very version of it. Undefined where a newer manager has it, or where
 * it changed meanwhile: then there is another pass, and an old manager never gets further than this.
 */
export async function claimPhase(world: EngineWorld, object: PhaseObject): Promise<PhaseObject | undefined> {
  const { status } = object;
  if (status?.epoch !== undefined && status.epoch > world.epoch) return undefined;
  if (status?.epoch === world.epoch && status.startedAt !== undefined) return object;
  const now = new Date(world.clock.wall()).toISOString();
  const next = {
    ...status,
    epoch: world.epoch,
    claimedAt: now,
    startedAt: status?.startedAt ?? now,
    actualState: 'running' as const,
    satisfied: false,
  };
  try {
    return (await world.reconciling.updateStatus({ ...object, status: next })) as PhaseObject;
  } catch (error) {
    if (isReason(error, 'Conflict', 'NotFound')) return undefined;
    throw error;
  }
}
