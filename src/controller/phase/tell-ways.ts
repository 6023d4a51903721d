import type { OperationalStatus, WayStatus } from '../../api/phase-kinds.ts';
import { sameJson } from '../../base/json.ts';
import { isReason } from '../../cluster/cluster-error.ts';
import type { EngineWorld } from '../engine-world.ts';
import type { PhaseObject } from '../our-objects.ts';

/**
 * Says on the phase that keeps a service who answers its clients, where that changed; undefined takes the word back, for a phase that no
 * longer keeps it. Returns the phase as it is now.
 */
export async function tellWays(
  { reconciling }: Pick<EngineWorld, 'reconciling'>,
  object: PhaseObject,
  ways: readonly WayStatus[] | undefined,
): Promise<PhaseObject> {
  const { ways: before, ...status } = (object.status ?? {}) as OperationalStatus;
  if (sameJson(ways ?? [], before ?? [])) return object;
  const next = { ...status, ...(ways && ways.length > 0 ? { ways } : {}) };
  try {
    return (await reconciling.updateStatus({ ...object, status: next })) as PhaseObject;
  } catch (error) {
    // Somebody else wrote it meanwhile: there is another pass, which sees the same.
    if (!isReason(error, 'Conflict', 'NotFound')) throw error;
    return object;
  }
}
