import type { DataLoss } from '../../api/data-loss.ts';
import { phaseLabel } from '../../api/labels.ts';
import { isReason } from '../../cluster/cluster-error.ts';
import { listLoss } from '../../phase/act/list-loss.ts';
import { runAnnotation } from '../../phase/object/task-object.ts';
import type { Notes, PhasePorts, PhaseRun } from '../../phase/phase-run.ts';
import type { Again } from '../../reconcile/work-queue.ts';
import type { EngineWorld } from '../engine-world.ts';
import { type FlowObject, one, type PhaseObject } from '../our-objects.ts';
import { portsOf } from './carry-out-phase.ts';
import { forgetOldRuns } from './forget-old-runs.ts';
import { phaseRunOf } from './phase-run-of.ts';

/** So old the list of losses gets while a person is asked about it. */
const keptForSeconds = 120;

/**
 * What a restore would drop is listed anew as long as its question stands, which may be for days, while clients go on writing: who answers
 * reads what is so now. The phase that made the list makes it again, with tasks of their own.
 */
export async function keepLossList(world: EngineWorld, object: PhaseObject): Promise<Again> {
  const { move } = object.spec;
  const { losses: before = [] } = object.status ?? {};
  const flow = move && one<FlowObject>(world.flows, object.metadata.namespace, move.oslc);
  const isAsked = flow?.status?.end === undefined && flow?.status?.question?.question === 'restore';
  const [oldest] = before.map(({ toldAt }) => toldAt).sort();
  if (!isAsked || oldest === undefined) return undefined;
  const leftSeconds = keptForSeconds - (world.clock.wall() - Date.parse(oldest)) / 1000;
  if (leftSeconds > 0) return { afterSeconds: leftSeconds };
  const run = await phaseRunOf(world, object);
  if (!run) return undefined;
  const ports = portsOf(world, run);
  const notes: Notes = { progress: [], backups: [], schemas: [], losses: [] };
  // The moment of the list that is made anew tells its runs apart, and is the same in every pass until the new one is there.
  const startedAt = await askedAt(run, ports, oldest);
  const outcome = await listLoss({ ...run, taskKey: oldest, startedAt }, ports, notes);
  if (outcome.kind === 'wait') return { afterSeconds: outcome.afterSeconds ?? 5 };
  const toldAt = new Date(startedAt).toISOString();
  const losses =
    outcome.kind === 'done'
      ? notes.losses
      : before.map(loss => ({ ...unknown(loss, outcome.message), toldAt }));
  await tell(world, object, losses);
  await forgetOldRuns(run, ports);
  return { afterSeconds: keptForSeconds };
}

/**
 * When the databases were asked anew: with the first task of this run, or now. They are asked one after the other, and the list is as old as
 * its oldest part.
 */
async function askedAt(
  { namespace, name, now }: PhaseRun,
  { cluster }: PhasePorts,
  taskKey: string,
): Promise<number> {
  const labelSelector = `${phaseLabel}=${name}`;
  const { items } = await cluster.list({ apiVersion: 'batch/v1', kind: 'Job' }, { namespace, labelSelector });
  const own = items.filter(({ metadata }) => metadata.annotations?.[runAnnotation] === taskKey);
  return Math.min(now, ...own.map(({ metadata }) => Date.parse(metadata.creationTimestamp)));
}

/** A database of which nothing can be told any more, such as one whose backup went meanwhile. */
function unknown({ message: _message, ...loss }: DataLoss, message: string): DataLoss {
  return { ...loss, known: false, tables: [], message: message.slice(0, 1024) };
}

async function tell(
  { reconciling }: EngineWorld,
  object: PhaseObject,
  losses: readonly DataLoss[],
): Promise<void> {
  try {
    await reconciling.updateStatus({ ...object, status: { ...object.status, losses } });
  } catch (error) {
    // Somebody else wrote it meanwhile: there is another pass, which finds the same runs.
    if (!isReason(error, 'Conflict', 'NotFound')) throw error;
  }
}
