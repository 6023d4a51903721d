import { errorCatalog } from '../../api/error-catalog.ts';
import { CodedError } from '../../base/coded-error.ts';
import { isReason } from '../../cluster/cluster-error.ts';
import { besideAll } from '../../phase/act/check-target.ts';
import { takeBackSupport } from '../../phase/act/put-support.ts';
import { runPhase } from '../../phase/phase.ts';
import type { Notes, Outcome, PhaseOutcome, PhasePorts, PhaseRun } from '../../phase/phase-run.ts';
import type { Again } from '../../reconcile/work-queue.ts';
import type { EngineWorld } from '../engine-world.ts';
import { type FlowObject, one, type PhaseObject } from '../our-objects.ts';
import { asAccount } from '../runtime/as-account.ts';
import { newestEpoch } from '../runtime/epoch.ts';
import { tellEvent } from '../runtime/events.ts';
import { FencedCluster } from '../runtime/fenced-cluster.ts';
import { finish } from '../runtime/finish.ts';
import type { StepOutcome } from '../runtime/outcome.ts';
import { endTasks } from './end-tasks.ts';
import { lookAtHand } from './look-at-hand.ts';
import { phaseRunOf } from './phase-run-of.ts';
import { quietSeconds } from './quiet-seconds.ts';

/** Moves that are seen through even when a person wants out: half of them would be worse than either end. */
const seenThrough: ReadonlySet<string> = new Set([
  'create-data',
  'expand',
  'migrate',
  'contract',
  'restore',
  'move-rows',
]);

/** One pass over a phase of a flow that this manager has claimed. */
export async function carryOutPhase(world: EngineWorld, object: PhaseObject): Promise<Again> {
  const run = await phaseRunOf(world, object);
  if (!run) return undefined;
  const ports = portsOf(world, run);
  const waits = run.aborted ? undefined : await lookAtHand(world, ports, atHand => runPhase(run, atHand));
  const { outcome: came, notes } = waits ?? (await onePass(run, ports, object));
  const outcome = came.kind === 'failed' ? await clearAway(run, ports, came) : came;
  const now = world.clock.wall();
  const isOver = outcome.kind !== 'wait';
  // Of what is seen through it must be known that it has begun.
  const quiet = seenThrough.has(run.move.task) ? 0 : quietSeconds(object, notes, outcome, now);
  if (!isOver && quiet > 0) return { afterSeconds: Math.min(quiet, outcome.afterSeconds ?? quiet) };
  const { conditions: _conditions, ...before } = object.status ?? {};
  if (isOver) await tellEnd(world, object, outcome, now);
  return finish({
    reconciling: world.reconciling,
    object,
    status: {
      ...before,
      ...noted(notes),
      ...(run.move.task === 'test' && isOver
        ? { testResults: outcome.kind === 'done' ? 'passed' : 'failed' }
        : {}),
      actualState: outcome.kind === 'done' ? doneWord(run) : outcome.kind === 'failed' ? 'failed' : 'running',
      satisfied: outcome.kind === 'done',
      reason: outcome.kind === 'done' ? '' : outcome.message.slice(0, 1024),
      ...(isOver ? { finishedAt: new Date(now).toISOString() } : {}),
    },
    outcome: toStep(outcome),
    well: { reason: 'Done', message: `${run.move.task} is done.` },
    now,
  });
}

/** What acts wrote down, as a status has it. */
function noted({ progress, traffic, ...lists }: Notes): object {
  const found = Object.entries(lists).filter(([, list]) => list.length > 0);
  return { progress: progress.slice(0, 64), ...Object.fromEntries(found), ...(traffic ? { traffic } : {}) };
}

/** What is left of a phase that failed goes. Where the account may not even do that the phase ends all the same, and says so. */
async function clearAway(
  run: PhaseRun,
  ports: PhasePorts,
  outcome: Extract<Outcome, { kind: 'failed' }>,
): Promise<Outcome> {
  try {
    await endTasks(run, ports);
    // A check that was broken off must not leave behind what it lent: it would go with the phase, under whoever uses it by then.
    const lent = besideAll(run);
    await takeBackSupport(lent, ports, lent.new);
    return outcome;
  } catch (error) {
    if (!isReason(error, 'Forbidden')) throw error;
    return {
      ...outcome,
      message: `${outcome.message} What it left could not be cleared away: ${error.message}.`,
    };
  }
}

function doneWord({ phase }: PhaseRun): 'deployed' | 'uninstalled' {
  return phase === 'delete' ? 'uninstalled' : 'deployed';
}

async function onePass(run: PhaseRun, ports: PhasePorts, object: PhaseObject): Promise<PhaseOutcome> {
  const nothing = { progress: [], backups: [], schemas: [], losses: [] };
  const hasBegun = object.status?.progress !== undefined;
  if (run.aborted && (!seenThrough.has(run.move.task) || !hasBegun)) {
    const message = 'A person broke it off.';
    return { outcome: { kind: 'failed', reason: 'Aborted', message }, notes: nothing };
  }
  try {
    return await runPhase(run, ports);
  } catch (error) {
    const refusal = refusalIn(error);
    if (!refusal) throw error;
    return { outcome: refusal, notes: nothing };
  }
}

/** What the cluster refuses it refuses again: that is the end of the phase. Everything else passes, and is tried again. */
export function refusalIn(error: unknown): Outcome | undefined {
  if (!(error instanceof CodedError)) return undefined;
  const entry = Object.hasOwn(errorCatalog, error.code)
    ? errorCatalog[error.code as keyof typeof errorCatalog]
    : undefined;
  if (entry?.class !== 'terminal') return undefined;
  return { kind: 'failed', reason: entry.reason, message: `${error.message}. ${entry.advice}` };
}

/** What a phase acts through: everything it writes is written in the name of the record's account. */
export function portsOf(world: EngineWorld, run: PhaseRun): PhasePorts {
  const flow = one<FlowObject>(world.flows, run.namespace, run.oslc);
  return portsAs(world, run.namespace, flow?.spec.planned?.serviceAccountName ?? 'default');
}

/** What is written through these is written in the name of that account, and only as long as this manager is the newest. */
export function portsAs(world: EngineWorld, namespace: string, account: string): PhasePorts {
  const own = asAccount(world.cluster, namespace, account);
  const cluster = new FencedCluster(own, mayWrite(world));
  return {
    cluster,
    drivers: world.drivers(cluster),
    traffic: world.traffic(cluster),
    data: world.data,
    prepareImages: world.prepareImages,
    warmUp: world.warmUp,
    answers: world.answers,
  };
}

/** Writes that follow each other this closely are let through by one look: an answer may be under way as long. */
const oneLookMilliseconds = 100;

/** Whether this manager is the newest, looked at anew for writes that are not close together. */
function mayWrite(world: EngineWorld): () => Promise<boolean> {
  let lookedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const now = world.clock.monotonic();
    if (now - lookedAt < oneLookMilliseconds) return true;
    const isNewest = (await newestEpoch(world.cluster, world.home)) <= world.epoch;
    if (isNewest) lookedAt = now;
    return isNewest;
  };
}

function toStep(outcome: Outcome): StepOutcome {
  return outcome;
}

async function tellEnd(
  world: EngineWorld,
  object: PhaseObject,
  outcome: Outcome,
  now: number,
): Promise<void> {
  // Who was relieved in the middle of a pass has nothing to tell any more.
  if ((await newestEpoch(world.cluster, world.home)) > world.epoch) return;
  const failed = outcome.kind === 'failed';
  const message = failed ? outcome.message : `${object.spec.move?.id} is done`;
  const reason = failed ? outcome.reason : 'PhaseDone';
  await tellEvent(
    world.reconciling,
    object,
    { type: failed ? 'Warning' : 'Normal', reason, message, key: 'end' },
    now,
  );
}
