import { type FlowEnd, lookingTasks, type Question } from '../api/flow-kinds.ts';
import type { Flow } from './flow.ts';
import type { Gate, Move, Way } from './move.ts';

/** What a move reports. A move nobody has begun is pending. */
export type MoveState = 'pending' | 'running' | 'done' | 'failed';

/** What is known now, beside the moves themselves. Observed anew on every pass. */
export interface FlowFacts {
  readonly states: ReadonlyMap<string, MoveState>;
  /** What a person answered. */
  readonly answers: Readonly<Partial<Record<Question, 'yes' | 'no'>>>;
  /** Whether clients may have written to the data since its last backup: true from the moment traffic was offered. */
  readonly clientsWrote: boolean;
  /** Whether this flow created a database that no client has written to. */
  readonly createdHere: boolean;
  /** Whether a process or connection of the old version still uses the data. */
  readonly oldProcesses: boolean;
}

/** What to do next. */
export type NextMove =
  | { readonly do: 'act'; readonly move: Move }
  | { readonly do: 'wait'; readonly move: Move }
  | { readonly do: 'ask'; readonly move: Move; readonly question: Question; readonly because: string }
  | { readonly do: 'end'; readonly end: FlowEnd; readonly because: string };

/** What a gate says: open, passed over, a question to a person, another path, or the end of the flow. */
type Passage =
  | { readonly kind: 'open' }
  | { readonly kind: 'skip' }
  | { readonly kind: 'ask'; readonly question: Question; readonly because: string }
  | { readonly kind: 'leads'; readonly path: string }
  | { readonly kind: 'end'; readonly end: FlowEnd; readonly because: string };

const open: Passage = { kind: 'open' };
const skip: Passage = { kind: 'skip' };

/**
 * The next move of a flow, from what is observed and nothing else: called again with the same facts it says the same,
 * so a pass may be cut off anywhere. Follows the path from `main`; a move that failed leads to its way back. Paths
 * never lead back to one already walked, so this always comes to a move, a question or an end.
 */
export function nextMove(flow: Flow, facts: FlowFacts): NextMove {
  let way: Way = { path: 'main' };
  let because = 'every move is done';
  const walked = new Set<string>();
  while ('path' in way) {
    if (walked.has(way.path))
      return { do: 'end', end: 'irreconcilable', because: `the way leads in a circle at ${way.path}` };
    walked.add(way.path);
    const step = walk(flow, way.path, facts);
    if ('do' in step) return step;
    if (step.failed) because = `${step.failed.id} failed`;
    way = step.way;
  }
  return { do: 'end', end: way.end, because };
}

function stateOf({ states }: FlowFacts, { id }: Pick<Move, 'id'>): MoveState {
  return states.get(id) ?? 'pending';
}

function isBegun(facts: FlowFacts, move: Pick<Move, 'id'>): boolean {
  return stateOf(facts, move) !== 'pending';
}

/**
 * Walks one path: something to do now, or where it leads. A stop that was passed by, in a flow that an older Afloat began, is not made up for:
 * by then it would stop what serves.
 */
function walk(
  flow: Flow,
  name: string,
  facts: FlowFacts,
): NextMove | { readonly way: Way; readonly failed?: Move } {
  const path = flow.paths[name];
  if (!path) return { do: 'end', end: 'irreconcilable', because: `the flow has no path ${name}` };
  for (const [index, move] of path.moves.entries()) {
    const state = stateOf(facts, move);
    if (state === 'done') continue;
    if (state === 'running') return { do: 'wait', move };
    if (state === 'failed') return { way: move.onFailure, failed: move };
    if (move.task === 'stop' && path.moves.slice(index).some(later => isBegun(facts, later))) continue;
    const passage = passThrough(flow, move, facts);
    if (passage.kind === 'open') return { do: 'act', move };
    if (passage.kind === 'ask')
      return { do: 'ask', move, question: passage.question, because: passage.because };
    if (passage.kind === 'leads') return { way: { path: passage.path } };
    if (passage.kind === 'end')
      return { do: 'end', end: endOf(flow, passage.end, facts), because: passage.because };
  }
  return { way: path.leadsTo };
}

/** A no before anything was touched changes nothing: what serves goes on as before. */
function endOf({ paths }: Flow, end: FlowEnd, facts: FlowFacts): FlowEnd {
  if (end !== 'held') return end;
  const begun = Object.values(paths)
    .flatMap(({ moves }) => moves)
    .filter(move => isBegun(facts, move));
  return begun.every(({ task }) => lookingTasks.has(task)) ? 'undone' : end;
}

/** The gates of a move, in order; the first that is not open decides. */
function passThrough(flow: Flow, move: Move, facts: FlowFacts): Passage {
  for (const gate of move.gates) {
    const passage = passGate(flow, gate, facts);
    if (passage.kind !== 'open') return passage;
  }
  return open;
}

function passGate(flow: Flow, gate: Gate, facts: FlowFacts): Passage {
  switch (gate.kind) {
    case 'started':
      return isBegun(facts, { id: gate.move }) ? open : skip;
    case 'created-here':
      return facts.createdHere && !facts.clientsWrote ? open : skip;
    case 'no-old-process':
      return facts.oldProcesses
        ? { kind: 'end', end: 'refused', because: 'a process of the old version still uses the data' }
        : open;
    case 'rollback':
      return passRollback(flow, facts);
    case 'restore':
      return passRestore(flow, facts);
    case 'asks-restore':
      return passRestore(flow, facts).kind === 'ask' ? open : skip;
    case 'consent':
      return passConsent(gate.question, facts);
    case 'unclean':
      return passUnclean(gate.otherwise, facts);
  }
}

function passRollback({ policy }: Flow, { answers }: FlowFacts): Passage {
  if (policy.software === 'hold')
    return { kind: 'end', end: 'held', because: 'the software policy is `hold`' };
  if (policy.software === 'auto' || answers.rollback === 'yes') return open;
  if (answers.rollback === 'no')
    return { kind: 'end', end: 'held', because: 'a person said no to the rollback' };
  return { kind: 'ask', question: 'rollback', because: 'the software policy is `ask`' };
}

/** Data is taken back by itself only where no client write can be lost; a person's word is needed for all else. */
function passRestore({ policy }: Flow, { answers, clientsWrote }: FlowFacts): Passage {
  if (policy.data === 'never')
    return { kind: 'end', end: 'irreconcilable', because: 'the data policy is `never`' };
  if (policy.neverOverWrites && clientsWrote) {
    return {
      kind: 'end',
      end: 'irreconcilable',
      because: 'clients wrote, and state outside the databases would no longer fit',
    };
  }
  if (answers.restore === 'yes' || (policy.data === 'auto' && !clientsWrote)) return open;
  if (answers.restore === 'no')
    return { kind: 'end', end: 'held', because: 'a person said no to restoring data' };
  const because = clientsWrote
    ? 'what clients wrote since the backup would be lost'
    : 'the data policy is `ask`';
  return { kind: 'ask', question: 'restore', because };
}

function passConsent(question: 'purge' | 'contract', { answers }: FlowFacts): Passage {
  const answer = answers[question];
  if (answer === 'yes') return open;
  // Saying no to a purge keeps the data and lets the removal go on; saying no to a contract leaves all as it was.
  if (answer === 'no')
    return question === 'purge'
      ? skip
      : { kind: 'end', end: 'undone', because: 'a person said no to the contract' };
  return { kind: 'ask', question, because: 'this cannot be undone' };
}

/** What could not clean up after itself goes only on a person's word: what it made elsewhere stays behind. */
function passUnclean(otherwise: string, { answers, states }: FlowFacts): Passage {
  const keep: Passage = { kind: 'leads', path: otherwise };
  const wasBegun = (path: string) =>
    [...states].some(([id, state]) => id.startsWith(`${path}/`) && state !== 'pending');
  // The way that was begun is gone to its end: a later word does not turn it.
  if (wasBegun(otherwise)) return keep;
  if (answers.unclean === 'yes' || wasBegun('unclean')) return open;
  if (answers.unclean === 'no') return keep;
  const because = 'its clean-up failed, and what it made elsewhere would stay behind';
  return { kind: 'ask', question: 'unclean', because };
}
