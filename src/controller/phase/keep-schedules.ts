import type { OperationalStatus, ScheduledRun } from '../../api/phase-kinds.ts';
import { sameJson } from '../../base/json.ts';
import { isReason } from '../../cluster/cluster-error.ts';
import { runSchedules } from '../../phase/act/run-schedules.ts';
import type { PhasePorts, PhaseRun } from '../../phase/phase-run.ts';
import { setCondition } from '../../status/conditions.ts';
import type { EngineWorld } from '../engine-world.ts';
import type { PhaseObject } from '../our-objects.ts';
import { tellEvent } from '../runtime/events.ts';
import { forgetOldRuns } from './forget-old-runs.ts';

/** What is due every minute is looked at no later than this; what runs tells of itself when it ends. */
const longestSeconds = 3600;

/**
 * Repeats what the package of an operational service wants repeated, says on the phase that keeps it what came of it, and returns after how
 * many seconds there is more to do.
 */
export async function keepSchedules(
  world: Pick<EngineWorld, 'reconciling' | 'clock'>,
  object: PhaseObject,
  run: PhaseRun,
  ports: PhasePorts,
): Promise<number> {
  const status = (object.status ?? {}) as OperationalStatus;
  const before = status.scheduled ?? [];
  const since = Date.parse(status.finishedAt ?? new Date(run.now).toISOString());
  const { runs, nextAt } = await runSchedules(run, ports, { before, since });
  if (!sameJson(runs, before)) await tellRuns(world, object, runs);
  if (runs.length > 0) await forgetOldRuns(run, ports);
  const left = nextAt === undefined ? longestSeconds : (nextAt - run.now) / 1000;
  return Math.min(longestSeconds, Math.max(1, left));
}

async function tellRuns(
  { reconciling, clock }: Pick<EngineWorld, 'reconciling' | 'clock'>,
  object: PhaseObject,
  runs: readonly ScheduledRun[],
): Promise<void> {
  const now = clock.wall();
  for (const { what, dueAt, state, message = '' } of runs) {
    if (state === 'running') continue;
    const failed = state === 'failed';
    const reason = `Scheduled${what === 'test' ? 'Test' : 'Backup'}${failed ? 'Failed' : 'Done'}`;
    await tellEvent(
      reconciling,
      object,
      { type: failed ? 'Warning' : 'Normal', reason, message, key: dueAt },
      now,
    );
  }
  const { conditions, ...status } = (object.status ?? {}) as OperationalStatus;
  const healthy = healthOf(runs);
  const next = {
    ...status,
    scheduled: runs,
    conditions: healthy
      ? setCondition(conditions, { type: 'Healthy', ...healthy }, new Date(now).toISOString())
      : (conditions ?? []),
  };
  try {
    await reconciling.updateStatus({ ...object, status: next });
  } catch (error) {
    // Somebody else wrote it meanwhile: there is another pass, which finds the same runs.
    if (!isReason(error, 'Conflict', 'NotFound')) throw error;
  }
}

/** What the last runs say together; undefined while none has ended. One that goes on leaves what was said. */
function healthOf(
  runs: readonly ScheduledRun[],
): { status: 'True' | 'False'; reason: string; message: string } | undefined {
  const failed = runs.find(({ state }) => state === 'failed');
  if (failed) {
    const reason = failed.what === 'test' ? 'TestFailed' : 'BackupFailed';
    return { status: 'False', reason, message: failed.message ?? '' };
  }
  if (runs.length === 0 || runs.some(({ state }) => state === 'running')) return undefined;
  return { status: 'True', reason: 'ScheduledRunsPassed', message: 'What is repeated went well.' };
}
