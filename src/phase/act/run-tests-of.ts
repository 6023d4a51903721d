import type { ClusterObject } from '../../cluster/cluster.ts';
import { isOverdue } from '../deadlines.ts';
import { deadlineOf, type TaskExtras, taskObject } from '../object/task-object.ts';
import { done, type Notes, type Outcome, type PhasePorts, type PhaseRun } from '../phase-run.ts';
import { comeBackSeconds, longestTroubleSeconds, nodeTrouble } from './node-trouble.ts';
import { runTask } from './run-task.ts';

/** A slice that is tested: which one, what tests of it are given, and whether anybody may answer there now, as far as is known. */
export interface TestOf {
  readonly slice: string;
  readonly extras: TaskExtras;
  readonly isServed: () => Promise<boolean>;
}

/** What befell a slice just before its test began may still hold on. */
const beforeSeconds = 60;

/**
 * Runs the tests of one slice, one after the other. One that failed while a node was in trouble says nothing about the version: it is run once
 * more, when the slice answers again, and that counts, however it ends.
 */
export async function runTestsOf(
  run: PhaseRun,
  ports: PhasePorts,
  notes: Notes,
  tests: readonly ClusterObject[],
  of: TestOf,
): Promise<Outcome> {
  for (const test of tests) {
    const { outcome } = await runTask(run, ports, notes, test, { ...of.extras, key: of.slice });
    const counts =
      outcome.kind === 'failed' ? await onceMore({ run, ports, notes, test, of }, outcome) : outcome;
    if (counts.kind !== 'done') return counts;
  }
  return done;
}

interface OneTest {
  readonly run: PhaseRun;
  readonly ports: PhasePorts;
  readonly notes: Notes;
  readonly test: ClusterObject;
  readonly of: TestOf;
}

async function onceMore({ run, ports, notes, test, of }: OneTest, failed: Outcome): Promise<Outcome> {
  const extras = { ...of.extras, key: `${of.slice} again` };
  const object = taskObject(run, test, extras);
  const isThere = (await ports.drivers.for(object).observe(object)).state !== 'absent';
  if (!isThere) {
    const since = run.startedAt - beforeSeconds * 1000;
    const trouble = await nodeTrouble(run, ports, { slice: of.slice, since });
    if (!trouble) return failed;
    const mayComeBack =
      run.now < trouble.at + comeBackSeconds * 1000 &&
      !isOverdue(run, deadlineOf(test) + longestTroubleSeconds);
    if (mayComeBack && !(await of.isServed())) {
      const message = `The test failed while a node was in trouble. ${trouble.says}. It is run once more when slice ${of.slice} answers.`;
      return { kind: 'wait', reason: 'NodeTrouble', message, afterSeconds: 1 };
    }
  }
  return (await runTask(run, ports, notes, test, extras)).outcome;
}
