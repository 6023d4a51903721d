import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Question } from '../api/flow-kinds.ts';
import { everyFlow } from '../testing/every-flow.ts';
import { runFlow, type Script } from '../testing/flow-world.ts';
import { type Flow, opensWrites } from './flow.ts';
import type { Move } from './move.ts';

const flows = everyFlow();

interface Run {
  readonly flow: Flow;
  readonly script: Script;
}

/** A flow and a world that answers at random: any move may fail, a person may say yes, no or nothing. */
const anyRun = fc
  .record({
    flow: fc.constantFrom(...flows.map(entry => entry.flow)),
    failures: fc.array(fc.boolean(), { minLength: 1, maxLength: 60 }),
    answers: fc.array(fc.constantFrom('yes', 'no', undefined), { minLength: 1, maxLength: 6 }),
    oldProcesses: fc.boolean(),
    databaseWasThere: fc.boolean(),
  })
  .map(({ flow, failures, answers, oldProcesses, databaseWasThere }): Run => {
    let moves = 0;
    let questions = 0;
    return {
      flow,
      script: {
        fails: () => failures[moves++ % failures.length] ?? false,
        answer: () => answers[questions++ % answers.length] as 'yes' | 'no' | undefined,
        oldProcesses,
        databaseWasThere,
        clientsWroteBefore: flow.kind === 'rollback',
      },
    };
  });

/** Runs, watching every act. Fails the property when a promise is broken. */
function watch(run: Run, onAct: Script['onAct'], onResult?: Script['onResult']): void {
  runFlow(run.flow, { ...run.script, ...(onAct ? { onAct } : {}), ...(onResult ? { onResult } : {}) });
}

const runs = { numRuns: 4000 };

describe('no flow breaks a promise, whatever the phases answer', () => {
  it('always comes to an end or to a question', () => {
    fc.assert(
      fc.property(anyRun, run => {
        const { last } = runFlow(run.flow, run.script);
        expect(['end', 'ask']).toContain(last.do);
      }),
      runs,
    );
  });

  it('goes on after every question, whatever the answer', () => {
    fc.assert(
      fc.property(anyRun, fc.constantFrom('yes', 'no'), (run, answer) => {
        const { last } = runFlow(run.flow, { ...run.script, answer: () => answer as 'yes' | 'no' });
        expect(last.do).toBe('end');
      }),
      runs,
    );
  });

  it('gives no traffic to a version that was not tested as it is', () => {
    fc.assert(
      fc.property(anyRun, run => {
        const tested = new Tested(run.flow);
        const onAct = (move: Move) => {
          if (move.task === 'give-traffic')
            expect(tested.has(move), `${move.id} in ${run.flow.step}`).toBe(true);
        };
        watch(run, onAct, (move, result) => tested.after(move, result));
      }),
      runs,
    );
  });

  it("contracts and purges only on a person's word, and contracts only when no old process is left", () => {
    fc.assert(
      fc.property(anyRun, run => {
        watch(run, (move, facts) => {
          if (move.task === 'contract') expect(facts.answers.contract).toBe('yes');
          if (move.task === 'contract') expect(facts.oldProcesses).toBe(false);
          if (move.task === 'purge-data') expect(facts.answers.purge).toBe('yes');
        });
      }),
      runs,
    );
  });

  it('restores data over client writes only with consent, and never against the policy', () => {
    fc.assert(
      fc.property(anyRun, run => {
        watch(run, (move, facts) => {
          if (move.task !== 'restore') return;
          expect(run.flow.policy.data).not.toBe('never');
          if (facts.clientsWrote || run.flow.policy.data === 'ask') expect(facts.answers.restore).toBe('yes');
          if (facts.clientsWrote) expect(run.flow.policy.neverOverWrites).toBe(false);
        });
      }),
      runs,
    );
  });

  it('brings a backup back unasked only where nothing could write since before it was taken', () => {
    fc.assert(
      fc.property(anyRun, run => {
        let written = run.flow.kind !== 'install';
        let atStake = false;
        const onAct = (move: Move, facts: Parameters<NonNullable<Script['onAct']>>[1]) => {
          if (move.task === 'stop') written = false;
          if (move.task === 'back-up') atStake = false;
          if (opensWrites(run.flow, move)) written = true;
          atStake ||= written && move.task !== 'restore';
          if (move.task === 'restore' && atStake) expect(facts.answers.restore).toBe('yes');
        };
        // What the world says of clients must follow from the moves alone here.
        const script = { ...run.script, clientsWroteBefore: run.flow.kind === 'rollback' };
        watch({ ...run, script }, onAct);
      }),
      runs,
    );
  });

  it('removes only data that this flow created and no client wrote to', () => {
    fc.assert(
      fc.property(anyRun, run => {
        watch(run, (move, facts) => {
          if (move.task !== 'remove-data') return;
          expect(facts.createdHere).toBe(true);
          expect(facts.clientsWrote).toBe(false);
          expect(run.script.databaseWasThere).toBe(false);
        });
      }),
      runs,
    );
  });

  it('changes no schema before the backup of that very data was proved', () => {
    const changing = new Set(['expand', 'migrate', 'contract', 'purge-data']);
    fc.assert(
      fc.property(anyRun, run => {
        const proved = new Set<string>();
        const onAct = (move: Move) => {
          if (!changing.has(move.task)) return;
          for (const database of move.databases ?? []) expect(proved.has(database)).toBe(true);
        };
        watch(run, onAct, (move, result) => {
          if (move.task !== 'verify-backup' || result !== 'done') return;
          for (const database of move.databases ?? []) proved.add(database);
        });
      }),
      runs,
    );
  });

  it('takes traffic away before it stops or changes a version that serves', () => {
    fc.assert(
      fc.property(anyRun, run => {
        const serving = new Serving(run.flow);
        const onAct = (move: Move) => {
          const stops = ['apply', 'remove', 'restore', 'migrate', 'stop'].includes(move.task);
          if (stops) expect(serving.blocks(move), `${move.id} in ${run.flow.step}`).toBe(false);
        };
        watch(run, onAct, (move, result) => serving.after(move, result));
      }),
      runs,
    );
  });

  it('does the same again when a pass is cut off and repeated', () => {
    fc.assert(
      fc.property(anyRun, run => {
        // Every act is preceded by a fresh decision in runFlow; a second run with the same answers must match it.
        const fixed = new Map<string, boolean>();
        const fails = (move: Move) => {
          if (!fixed.has(move.id)) fixed.set(move.id, run.script.fails(move));
          return fixed.get(move.id) ?? false;
        };
        const answers = new Map<Question, 'yes' | 'no' | undefined>();
        const answer = (question: Question) => {
          if (!answers.has(question)) answers.set(question, run.script.answer?.(question));
          return answers.get(question);
        };
        const first = runFlow(run.flow, { ...run.script, fails, answer });
        const second = runFlow(run.flow, { ...run.script, fails, answer });
        expect(second.last).toEqual(first.last);
      }),
      { numRuns: 500 },
    );
  });
});

/** Which version, slice by slice, was tested since it was last changed. */
class Tested {
  readonly #tested = new Set<string>();
  readonly #slices: readonly (number | undefined)[];

  constructor(flow: Flow) {
    this.#slices = flow.strategy === 'rolling' ? [1, 2, 3] : [undefined];
    // What serves when a flow begins went through its own test when it came.
    if (flow.kind !== 'install') for (const slice of this.#slices) this.#tested.add(key('old', slice));
  }

  after({ task, side, slice }: Move, result: 'done' | 'failed'): void {
    if (task === 'test' && result === 'done') {
      for (const each of slice === undefined ? this.#slices : [slice]) this.#tested.add(key(side, each));
    }
    if (task === 'apply' || task === 'stop') this.#tested.delete(key(side, slice));
    // A migration in one piece, or a restore, takes the ground away from under what was tested before.
    if (task === 'migrate' || task === 'restore' || task === 'contract') this.#tested.clear();
  }

  has({ side, slice }: Move): boolean {
    return this.#tested.has(key(side, slice));
  }
}

/** Which version has traffic, slice by slice. */
class Serving {
  readonly #serving = new Set<string>();

  constructor(flow: Flow) {
    if (flow.kind === 'install') return;
    for (const slice of flow.strategy === 'rolling' ? [1, 2, 3] : [undefined])
      this.#serving.add(key('old', slice));
  }

  after({ task, side, slice }: Move, result: 'done' | 'failed'): void {
    if (task === 'give-traffic') this.#serving.add(key(side, slice));
    if (task === 'take-traffic' && result === 'done') this.#serving.delete(key(side, slice));
  }

  /** In the one place where a version stands, putting another there stops it; beside it, it does not. */
  blocks({ task, side, slice }: Move): boolean {
    const other = side === 'old' ? 'new' : 'old';
    if (task === 'remove') return this.#serving.has(key(side, slice));
    if (task === 'apply')
      return (
        this.#serving.has(key(side, slice)) || (slice !== undefined && this.#serving.has(key(other, slice)))
      );
    return this.#serving.size > 0;
  }
}

function key(side: string, slice: number | undefined): string {
  return `${side}#${slice ?? 0}`;
}
