import { lookingTasks } from '../../api/flow-kinds.ts';
import type { PhaseName } from '../../api/phase-names.ts';
import { sameJson } from '../../base/json.ts';
import { canAbort } from '../../flow/can-abort.ts';
import { ends } from '../../flow/ends.ts';
import { opensWrites } from '../../flow/flow.ts';
import type { Move } from '../../flow/move.ts';
import { type NextMove, nextMove } from '../../flow/next-move.ts';
import { lossDigest } from '../../status/loss-digest.ts';
import { phasesOfFlow } from '../indexes.ts';
import { countOldPods } from '../observe/old-pods.ts';
import { isSoaking } from '../observe/service-state.ts';
import { byAge, type FlowObject } from '../our-objects.ts';
import { done, type Step, type StepOutcome } from '../runtime/outcome.ts';
import { backupsAfter, flowFacts, lossesAfter, schemasAfter } from './flow-facts.ts';
import { type FlowScope, timeText } from './flow-scope.ts';
import { beginMove, moveStates, moveStatuses } from './phase-objects.ts';
import { prepareFlow, whyNotFrom, whyNotNow } from './prepare-flow.ts';
import { recordRevision } from './record-revision.ts';
import { waitForWindow } from './wait-for-window.ts';

/** One flow at a time per service: the older goes first. Beside one that only soaks, the next one may check its target. */
async function waitForTurn(scope: FlowScope): Promise<StepOutcome> {
  if (scope.object.status?.startedAt !== undefined) return done;
  const first = flowsBefore(scope).find(flow => !isSoaking(flow));
  return first ? waitsFor(first) : done;
}

/** Flows of the same service that have not ended and go first. */
function flowsBefore({ object, state }: FlowScope): readonly FlowObject[] {
  return state.flows.filter(
    flow =>
      // One that a person wrote, and that is laid out or cannot begin, holds nobody back.
      flow.spec.planned !== undefined &&
      flow.metadata.name !== object.metadata.name &&
      flow.status?.end === undefined &&
      isBefore(flow, object),
  );
}

function waitsFor({ metadata }: FlowObject): StepOutcome & { kind: 'wait' } {
  const message = `Waits for ${metadata.name}: a service has one flow at a time.`;
  return { kind: 'wait', reason: 'WaitsForFlow', message };
}

/**
 * The soak before ends when the checks of this flow have passed, and no sooner: a target that is refused touches nothing, and leaves the
 * way back of the version that soaks as it was. What is waited for, where that has not come to its end yet.
 */
async function endSoakBefore(scope: FlowScope): Promise<StepOutcome | undefined> {
  const { world, namespace } = scope;
  const before = flowsBefore(scope);
  for (const flow of before) {
    if (!isSoaking(flow) || flow.spec.endSoak) continue;
    const ref = { apiVersion: flow.apiVersion, kind: flow.kind, name: flow.metadata.name, namespace };
    await world.reconciling.patch(ref, { type: 'merge', value: { spec: { endSoak: true } } });
  }
  const [first] = before;
  return first ? waitsFor(first) : undefined;
}

/** A flow that has started goes before one that has not; of two that both have, or have not, the older. */
function isBefore(a: FlowObject, b: FlowObject): boolean {
  const hasStarted = ({ status }: FlowObject) => status?.startedAt !== undefined;
  return hasStarted(a) === hasStarted(b) ? byAge(a, b) < 0 : hasStarted(a);
}

/** What the phases say becomes what the flow says. */
async function gather(scope: FlowScope): Promise<StepOutcome> {
  const { phases, status } = scope;
  const backups = backupsAfter(phases);
  const losses = lossesAfter(phases);
  scope.status = {
    ...status,
    schemas: schemasAfter(status.schemas ?? [], phases),
    moves: moveStatuses(phases),
    ...(backups.length > 0 ? { backups } : {}),
    ...(losses.length > 0 ? { losses } : {}),
  };
  return done;
}

/** When the wanted version serves and is in order, that is a revision; what waits for this flow may go on. */
async function settle(scope: FlowScope): Promise<StepOutcome> {
  const { status, phases, planned, now } = scope;
  if (status.settledAt !== undefined || status.end !== undefined) return done;
  const settled = moveStates(phases).get('main/settle:new') === 'done';
  if (!settled) return done;
  const revision = await recordRevision(scope);
  const { soakSeconds } = planned.step;
  scope.status = {
    ...scope.status,
    revision,
    settledAt: timeText(now),
    ...(soakSeconds > 0 ? { soakUntil: timeText(now + soakSeconds * 1000) } : {}),
  };
  return done;
}

/** The next move, from what is observed and nothing else. */
async function goOn(scope: FlowScope): Promise<StepOutcome> {
  if (scope.status.end !== undefined) return done;
  const next = nextMove(scope.flow, flowFacts(scope, await hasOldProcesses(scope)));
  const { question: _question, heard: _heard, ...status } = scope.status;
  scope.status = status;
  switch (next.do) {
    case 'act':
      return begin(scope, next.move);
    case 'wait':
      return inMove(scope, next.move);
    case 'ask':
      // Whoever breaks it off before anything was touched has answered.
      if (scope.object.spec.aborted === true && hasOnlyLooked(scope))
        return end(scope, { do: 'end', end: 'refused', because: 'a person broke it off' });
      return ask(scope, next);
    case 'end':
      return end(scope, next);
  }
}

/** Puts a question; one about a restore is about what would be lost by it. */
function ask(scope: FlowScope, { question, because }: NextMove & { do: 'ask' }): StepOutcome {
  const { status, object } = scope;
  const isRestore = question === 'restore' && status.losses !== undefined;
  const of = isRestore ? { of: lossDigest(status.losses ?? []) } : {};
  const isAgain = isRestore && object.spec.answers?.restore === 'yes';
  const why = isAgain
    ? `${because}, and that is no longer what the yes was about, or was told long ago`
    : because;
  scope.status = { ...status, question: { question, because: why, ...of } };
  const message = `A person must answer: ${question}? ${why}.`;
  return { kind: 'blocked', reason: 'WaitsForAnswer', message };
}

/** Whether old code still runs. Only a contract asks: what old code reads is about to be taken away. */
async function hasOldProcesses({ world, namespace, planned, state }: FlowScope): Promise<boolean> {
  return planned.step.flow === 'contract' && (await countOldPods(world.cluster, namespace, state)) > 0;
}

/** Whether nothing was touched yet. */
function hasOnlyLooked({ phases }: FlowScope): boolean {
  return phases.every(({ spec }) => spec.move !== undefined && lookingTasks.has(spec.move.task));
}

async function begin(scope: FlowScope, move: Move): Promise<StepOutcome> {
  const { world, object, namespace, now, status } = scope;
  const aborts = object.spec.aborted === true && canAbort(move);
  const touchesFirst = hasOnlyLooked(scope) && !lookingTasks.has(move.task);
  const closed = aborts ? undefined : waitForWindow(scope, move, touchesFirst);
  if (closed) {
    scope.status = { ...status, ...(closed.heard ? { heard: closed.heard } : {}) };
    return closed.outcome;
  }
  if (touchesFirst) {
    const waits = await endSoakBefore(scope);
    if (waits) return waits;
    // While the checks ran, what soaked may have gone back; while a question stood, the record may have changed.
    const because = object.spec.answers ? whyNotNow(scope) : whyNotFrom(scope);
    if (because !== undefined) return end(scope, { do: 'end', end: 'refused', because });
  }
  // From when on clients may write is written down before they can.
  if (opensWrites(scope.flow, move) && status.writesSince === undefined && !aborts) {
    scope.status = { ...status, writesSince: timeText(now) };
    return { ...moving(scope, move.phase, 'From now on writes are at stake.'), afterSeconds: 0 };
  }
  if (!isWrittenDown(scope))
    return { ...moving(scope, move.phase, `${move.task} is about to begin.`), afterSeconds: 0 };
  await beginMove(scope, move, aborts);
  // The phase is there now: told with this pass it needs no further one, and no further write, to be told.
  const phases = phasesOfFlow(world.phases, namespace, object.metadata.name);
  scope.status = { ...scope.status, moves: moveStatuses(phases) };
  return moving(scope, move.phase, `${move.task} begins.`);
}

/** What the phase of a move goes by beside its own spec. */
const readByPhases = [
  ...(['startedAt', 'oldSlices', 'newSlices', 'manifests', 'schemas', 'backups', 'soakUntil'] as const),
  ...(['writesSince', 'settledAt', 'revision'] as const),
];

/**
 * Whether all that the phase of the next move goes by is in the status of the flow already. A phase that is made before that would act on
 * less than is known; after a kill in between, for good.
 */
function isWrittenDown({ object, status }: FlowScope): boolean {
  return readByPhases.every(field => sameJson(status[field], object.status?.[field]));
}

/** A move goes on; where a person wants out, it is told. */
async function inMove(scope: FlowScope, move: Move): Promise<StepOutcome> {
  const { world, object, phases, namespace } = scope;
  const phase = phases.find(({ spec }) => spec.move?.id === move.id);
  const aborts = object.spec.aborted === true && canAbort(move);
  if (aborts && phase && !phase.spec['aborted']) {
    const { apiVersion, kind, metadata } = phase;
    const ref = { apiVersion, kind, name: metadata.name, namespace };
    await world.reconciling.patch(ref, { type: 'merge', value: { spec: { aborted: true } } });
  }
  return moving(scope, move.phase, phase?.status?.reason ?? `${move.task} goes on.`);
}

function moving(scope: FlowScope, phase: PhaseName, message: string): StepOutcome & { kind: 'wait' } {
  scope.status = { ...scope.status, actualPhase: phase };
  return { kind: 'wait', reason: 'InPhase', message: message.slice(0, 1024) };
}

async function end(scope: FlowScope, next: NextMove & { do: 'end' }): Promise<StepOutcome> {
  const changed = next.end === 'operational' || next.end === 'removed' || next.end === 'unsettled';
  if (changed && scope.status.revision === undefined) {
    const revision = await recordRevision(scope);
    scope.status = { ...scope.status, revision };
  }
  if (scope.status.settledAt !== undefined && hasReturned(scope)) {
    const revision = await recordRevision(scope, 'old');
    scope.status = { ...scope.status, revision };
  }
  const because = whyItEnded(scope, next);
  scope.status = { ...scope.status, end: next.end, because, finishedAt: timeText(scope.now) };
  return done;
}

/** Whether traffic went back to what served before: that is what runs, however the flow ends. */
function hasReturned({ phases }: FlowScope): boolean {
  return moveStates(phases).get('return/give-traffic:old') === 'done';
}

/** The move that failed says why, where one did. */
function whyItEnded({ phases }: FlowScope, { because }: { because: string }): string {
  const failed = phases
    .filter(({ status }) => status?.actualState === 'failed')
    .toSorted((a, b) => ((a.status?.startedAt ?? '') < (b.status?.startedAt ?? '') ? -1 : 1));
  const [first] = failed;
  const last = failed.at(-1);
  if (!first || !last) return because;
  const say = (phase: typeof first) => `${phase.spec.move?.id}: ${phase.status?.reason ?? 'failed'}`;
  const text = first === last ? say(first) : `${say(first)}; then ${say(last)}`;
  return text.slice(0, 1024);
}

/** The steps of a pass over a flow, in order. */
export const flowSteps: readonly Step<FlowScope>[] = [
  waitForTurn, // one flow at a time per service
  prepareFlow, // all that must be known, before anything is touched
  gather, // what the phases told
  settle, // the wanted version serves: a revision
  goOn, // the next move, a question or the end
];

/** What an end means, in the older words. */
export function stateWords(scope: FlowScope): {
  readonly actualState: 'pending' | 'running' | 'deployed' | 'uninstalled' | 'failed' | 'error';
  readonly satisfied: boolean;
} {
  const { end, startedAt } = scope.status;
  if (end === undefined)
    return { actualState: startedAt === undefined ? 'pending' : 'running', satisfied: false };
  if (end === 'removed') return { actualState: 'uninstalled', satisfied: true };
  if (end === 'operational') return { actualState: 'deployed', satisfied: true };
  return { actualState: ends[end].held && end === 'irreconcilable' ? 'error' : 'failed', satisfied: false };
}
