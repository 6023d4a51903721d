import type { Oslc } from '../api/oslc.ts';
import type { MoveStatus } from '../api/phase-kinds.ts';
import type { CloudObjects, PhaseObject, Seen } from './cloud-objects.ts';
import { secondsBetween } from './moments.ts';
import { moveWords, sayMoveId } from './move-words.ts';
import { sayLosses } from './say-losses.ts';
import type { FlowView, MoveView } from './view.ts';

/** One flow as a person is shown it. */
export function flowView(flow: Seen<Oslc>, objects: CloudObjects): FlowView {
  const { spec, status } = flow;
  const step = spec.planned?.step;
  const moves = status?.moves ?? [];
  const began = status?.startedAt ?? flow.metadata.creationTimestamp;
  const elapsed = secondsBetween(began, status?.finishedAt ?? objects.now);
  const phase = moves.at(-1)?.phase ?? status?.actualPhase;
  const optional = <K extends string, V>(key: K, value: V | undefined) =>
    (value === undefined ? {} : { [key]: value }) as { [P in K]?: V };
  return {
    name: flow.metadata.name,
    service: spec.serviceName,
    ...optional('step', step?.id),
    kind: step?.flow ?? spec.flowKind,
    ...optional('from', step?.from?.version),
    ...optional('to', step?.to?.version),
    state: stateOf(flow),
    ...optional('end', status?.end),
    ...optional('because', status?.because),
    ...(status?.end === undefined && status?.question
      ? { question: { ...status.question, losses: lossesAsked(flow, objects.now) } }
      : {}),
    ...optional('heard', status?.end === undefined ? status?.heard : undefined),
    ...optional('phase', phase),
    bar: barOf(flow, objects),
    ...optional('elapsedSeconds', elapsed),
    ...optional('estimateSeconds', step?.estimateSeconds),
    ...optional('leftSeconds', leftOf(flow, elapsed)),
    ...optional('soakUntil', status?.soakUntil),
    ...optional('writesSince', status?.writesSince),
    moves: moves.map(move => moveView(move, flow, objects)),
  };
}

/** What a yes would drop, where the question is about a restore. */
export function lossesAsked({ status }: Pick<Oslc, 'status'>, now: string): string[] {
  return status?.question?.question === 'restore' ? sayLosses(status.losses ?? [], now) : [];
}

function stateOf({ status }: Oslc): FlowView['state'] {
  if (status?.end !== undefined) return 'ended';
  if (status?.question !== undefined) return 'asking';
  return isSoaking(status?.moves ?? []) ? 'soaking' : 'running';
}

/** True while the old version is kept beside the new one and nothing else is done. */
export function isSoaking(moves: readonly MoveStatus[]): boolean {
  const last = moves.at(-1);
  return last?.state === 'running' && moveWords(last.id)?.task === 'soak';
}

/** Moves done of moves known. A way back counts what it began on top of what was done before. */
function barOf({ spec, status }: Oslc, { movesOf }: CloudObjects): FlowView['bar'] {
  const moves = status?.moves ?? [];
  const done = moves.filter(({ state }) => state === 'done').length;
  const ahead = spec.planned === undefined ? [] : (movesOf?.(spec.planned.step) ?? []);
  const begun = new Set(moves.map(({ id }) => id));
  const turnedBack = moves.some(({ state }) => state === 'failed') || moves.some(isOnWayBack);
  const known = turnedBack || status?.end ? moves.length : new Set([...begun, ...ahead]).size;
  return { done, known };
}

/** Whether a move belongs to a way back. */
export function isOnWayBack({ id }: MoveStatus): boolean {
  return (moveWords(id)?.path ?? 'main') !== 'main';
}

/** What is left of the estimate; nothing is promised for a way back, a question, a window or a soak. */
function leftOf({ spec, status }: Oslc, elapsed: number | undefined): number | undefined {
  const estimate = spec.planned?.step.estimateSeconds;
  const { end, question, heard, settledAt } = status ?? {};
  const isUnder = [end, question, heard, settledAt].every(one => one === undefined);
  const isBack = (status?.moves ?? []).some(isOnWayBack);
  if (estimate === undefined || elapsed === undefined || !isUnder || isBack) return undefined;
  return Math.max(0, estimate - elapsed);
}

function phaseOf(move: MoveStatus, { phases }: CloudObjects): PhaseObject | undefined {
  return phases.find(
    ({ metadata, kind }) => metadata.name === move.name && kind.toLowerCase().startsWith(move.phase),
  );
}

function moveView(move: MoveStatus, { spec }: Oslc, objects: CloudObjects): MoveView {
  const status = phaseOf(move, objects)?.status;
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  const message = move.message ?? ready?.message ?? status?.reason;
  const seconds = secondsBetween(move.startedAt, move.finishedAt ?? objects.now);
  return {
    id: move.id,
    phase: move.phase,
    says: sayMoveId(move.id, spec.planned?.step.flow),
    state: move.state,
    ...(message === undefined || message === '' ? {} : { message }),
    ...(seconds === undefined ? {} : { seconds }),
    things: (status?.progress ?? []).map(({ name, state, message: said }) => ({
      name,
      state,
      ...(said === undefined ? {} : { message: said }),
    })),
    traffic: (status?.traffic?.slices ?? []).map(({ slice, weight, requests, errors, inFlight }) => ({
      slice,
      weight,
      requests,
      errors,
      ...(inFlight === undefined ? {} : { inFlight }),
    })),
  };
}
