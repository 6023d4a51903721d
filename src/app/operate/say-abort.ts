import { lookingTasks } from '../../api/flow-kinds.ts';
import type { Oslc } from '../../api/oslc.ts';
import type { MoveStatus } from '../../api/phase-kinds.ts';
import { answersOnAbort, canAbort } from '../../flow/can-abort.ts';
import { type Flow, makeFlow } from '../../flow/flow.ts';
import type { Move } from '../../flow/move.ts';
import { type MoveState, nextMove } from '../../flow/next-move.ts';
import { isOnWayBack } from '../../status/flow-view.ts';
import { moveWords } from '../../status/move-words.ts';
import { sidesOf } from '../../status/serving.ts';

/** How a person calls a flow: by the step it carries out. */
export function nameOfFlow({ spec, metadata }: Oslc): string {
  return spec.planned?.step.id ?? metadata.name;
}

/** Where a flow ends when a person wants out, from where it is now. Read from the flow itself: each has ways back of its own. */
export function sayAbort(flow: Oslc): string {
  return `${nameOfFlow(flow)}: ${saidOf(flow)}`;
}

/** Whether a flow goes back when a person wants out: from a certain point on it is seen through. */
export function goesBack(flow: Oslc): boolean {
  const step = flow.spec.planned?.step;
  return step !== undefined && wayOut(makeFlow(step), flow).end !== 'operational';
}

function saidOf(flow: Oslc): string {
  const { status, spec } = flow;
  const step = spec.planned?.step;
  const from = step?.from?.version ?? 'what was there before';
  const to = step?.to?.version ?? 'the new version';
  const moves = status?.moves ?? [];
  if (moves.some(isOnWayBack)) return 'it is on its way back already and goes on with that.';
  if (step?.flow === 'install')
    return sidesOf(flow).new
      ? 'traffic is taken away; software and data stay for a look.'
      : 'what it made is taken away again.';
  if (moves.length <= 1 || moves.every(onlyLooked)) return `nothing was changed yet; ${from} serves on.`;
  const way = step ? wayOut(makeFlow(step), flow) : undefined;
  const gives = way?.tasks.includes('give-traffic') === true;
  if (way?.end === 'irreconcilable') return stuckText(gives, { from, to, serves: sidesOf(flow).old });
  if (way?.end === 'removed' && step?.data.some(({ action }) => action === 'purge') && !moves.some(isPurge))
    return 'it is too far for that: what it was asked to do is seen through, but its data is kept.';
  if (way?.end === 'operational' || way?.end === 'removed')
    return 'it is too far for that: what it was asked to do is seen through.';
  if (way?.end === 'undone')
    return gives ? `traffic returns to ${from}, which was not changed.` : `${from} serves on, unchanged.`;
  if (status?.settledAt !== undefined) return `traffic moves back to ${from}, and ${to} is removed.`;
  return `it goes back to ${from}${step?.goingBack.cost === 'writes' ? ', and asks before data is restored' : ''}.`;
}

function onlyLooked({ id }: MoveStatus): boolean {
  const task = moveWords(id)?.task;
  return task !== undefined && lookingTasks.has(task);
}

function isPurge({ id }: MoveStatus): boolean {
  return moveWords(id)?.task === 'purge-data';
}

/** No way leads on by itself: who serves then, and that a person is needed. */
function stuckText(
  gives: boolean,
  { from, to, serves }: { readonly from: string; readonly to: string; readonly serves: boolean },
): string {
  const who = gives
    ? `traffic moves back to ${from}`
    : serves
      ? `${from} serves on`
      : `no traffic is on ${from} or ${to}, and nobody is served`;
  return `${who}; ${to} stays as it is, for a person to look: from here nothing goes back by itself.`;
}

/** What would still be done, and the end, were a person to want out now and every move that can not be broken off to do its work. */
function wayOut(flow: Flow, { status }: Oslc): { readonly tasks: readonly string[]; readonly end: string } {
  const begun = status?.moves ?? [];
  const byId = new Map(Object.values(flow.paths).flatMap(({ moves }) => moves.map(move => [move.id, move])));
  const stateOf = (move: Move | undefined): MoveState => (move && canAbort(move) ? 'failed' : 'done');
  const states = new Map<string, MoveState>(
    begun.map(({ id, state }) => [id, state === 'done' ? 'done' : stateOf(byId.get(id))]),
  );
  const facts = {
    states,
    answers: answersOnAbort({ rollback: 'yes', restore: 'yes' }),
    ...{ clientsWrote: false, createdHere: false, oldProcesses: false },
  };
  const tasks: string[] = [];
  // One move more in every round, and a flow has an end.
  for (;;) {
    const next = nextMove(flow, facts);
    if (next.do === 'end') return { tasks, end: next.end };
    states.set(next.move.id, stateOf(next.move));
    if (stateOf(next.move) === 'done') tasks.push(next.move.task);
  }
}
