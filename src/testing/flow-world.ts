import type { Question } from '../api/flow-kinds.ts';
import { type Flow, opensWrites } from '../flow/flow.ts';
import type { Move } from '../flow/move.ts';
import { type FlowFacts, type MoveState, type NextMove, nextMove } from '../flow/next-move.ts';

/** How the world answers a flow in a test. */
export interface Script {
  /** Whether a move fails. Called once for each move. */
  readonly fails: (move: Move) => boolean;
  /** What a person says to a question. Undefined leaves it unanswered, and the run stops there. */
  readonly answer?: (question: Question) => 'yes' | 'no' | undefined;
  /** Whether an old process uses the data. */
  readonly oldProcesses?: boolean;
  /** Databases that were there before the flow began. */
  readonly databaseWasThere?: boolean;
  /** Whether clients wrote since the last backup when the flow begins: true for a service that serves. */
  readonly clientsWroteBefore?: boolean;
  /** Called before each move is acted on, with what was known then. */
  readonly onAct?: (move: Move, facts: FlowFacts) => void;
  /** Called after each move. */
  readonly onResult?: (move: Move, result: 'done' | 'failed') => void;
}

/** One thing a flow did or asked. */
interface TraceEntry {
  readonly next: NextMove;
  readonly result?: 'done' | 'failed';
}

/** What a flow did to a small world: enough to hold the promises against it. */
export interface FlowWorld {
  readonly trace: readonly TraceEntry[];
  readonly last: NextMove;
}

/** More moves than any flow has: a run that needs more does not end. */
const maxMoves = 2000;

/**
 * Runs a flow to its end, or to a question nobody answers. Before each move it asks again from the facts alone, as an
 * engine does that may be cut off at any line.
 */
export function runFlow(flow: Flow, script: Script): FlowWorld {
  const world = new World(flow, script);
  for (let count = 0; count < maxMoves; count++) {
    const facts = world.facts();
    const next = nextMove(flow, facts);
    if (next.do === 'end' || next.do === 'wait') return world.stop(next);
    if (next.do === 'act') world.act(next, facts);
    else if (!world.ask(next)) return world.stop();
  }
  throw new RangeError(`the flow ${flow.step} did not end within ${maxMoves} moves`);
}

class World {
  readonly #flow: Flow;
  readonly #script: Script;
  readonly #states = new Map<string, MoveState>();
  readonly #answers: Partial<Record<Question, 'yes' | 'no'>> = {};
  readonly #trace: TraceEntry[] = [];
  #clientsWrote: boolean;
  #created = false;

  constructor(flow: Flow, script: Script) {
    this.#flow = flow;
    this.#script = script;
    this.#clientsWrote = script.clientsWroteBefore ?? false;
  }

  facts(): FlowFacts {
    return {
      states: this.#states,
      answers: { ...this.#answers },
      clientsWrote: this.#clientsWrote,
      createdHere: this.#created,
      oldProcesses: this.#script.oldProcesses ?? false,
    };
  }

  act(next: Extract<NextMove, { do: 'act' }>, facts: FlowFacts): void {
    const { move } = next;
    this.#script.onAct?.(move, facts);
    const result = this.#script.fails(move) ? 'failed' : 'done';
    this.#states.set(move.id, result);
    this.#trace.push({ next, result });
    this.#script.onResult?.(move, result);
    // In a rollback the data restored is older than the backup taken on the way: the writes stay at stake.
    if (move.task === 'back-up' && result === 'done' && this.#flow.kind !== 'rollback')
      this.#clientsWrote = false;
    // Traffic that was offered may have been used, also where giving it failed half way.
    if (opensWrites(this.#flow, move)) this.#clientsWrote = true;
    if (move.task === 'create-data' && !this.#script.databaseWasThere) this.#created = true;
  }

  /** Puts a question; false when nobody answers. */
  ask(next: Extract<NextMove, { do: 'ask' }>): boolean {
    this.#trace.push({ next });
    const answer = this.#script.answer?.(next.question);
    if (answer === undefined) return false;
    this.#answers[next.question] = answer;
    return true;
  }

  stop(next?: NextMove): FlowWorld {
    const trace = next ? [...this.#trace, { next }] : this.#trace;
    return { trace, last: (trace.at(-1) as TraceEntry).next };
  }
}
