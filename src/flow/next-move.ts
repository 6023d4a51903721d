import type { FlowEnd, Question } from '../api/flow-kinds.ts';
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

/** What a gate says: open, passed over, a question to a person, or the end of the flow. */
type Passage =
  | { readonly kind: 'open' }
  | { readonly kind: 'skip' }
  | { readonly kind: 'ask'; readonly question: Question; readonly because: string }
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

/** Walks one path: something to do now, or where it leads. */
function walk(
  flow: Flow,
  name: string,
  facts: FlowFacts,
): NextMove | { readonly way: Way; readonly failed?: Move } {
  const path = flow.paths[name];
  if (!path) return { do: 'end', end: 'irreconcilable', because: `the flow has no path ${name}` };
  for (const move of path.moves) {
    const state = facts.states.get(move.id) ?? 'pending';
    if (state === 'done') continue;
    if (state === 'running') return { do: 'wait', move };
    if (state === 'failed') return { way: move.onFailure, failed: move };
    const passage = passThrough(flow, move, facts);
    if (passage.kind === 'open') return { do: 'act', move };
    if (passage.kind === 'ask')
      return { do: 'ask', move, question: passage.question, because: passage.because };
    if (passage.kind === 'end') return { do: 'end', end: passage.end, because: passage.because };
  }
  return { way: path.leadsTo };
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
      return (facts.states.get(gate.move) ?? 'pending') === 'pending' ? skip : open;
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
