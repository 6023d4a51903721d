import type { ClusterObject } from '../../cluster/cluster.ts';
import { sideObjects } from '../object/side-objects.ts';
import { slicesOfMove } from '../object/slices.ts';
import { defaultDeadlineSeconds, type TaskExtras } from '../object/task-object.ts';
import {
  type Act,
  done,
  type Notes,
  type Outcome,
  type PhasePorts,
  type PhaseRun,
  sideOf,
} from '../phase-run.ts';
import { listedTasks, removalTasks, tasksBeforeMigration, tasksNamed } from './listed-tasks.ts';
import { putSupport } from './put-support.ts';
import { runTasks } from './run-task.ts';
import { namesOfSlice, sliceAddresses } from './slice-addresses.ts';
import { slicesAsked, slicesByWay } from './slices-under-test.ts';

/**
 * What a package runs around a change of its software: `pre` and what the phase lists before it, `post` after it. With a change that goes
 * slice by slice: before the first slice and after the last one. To those after it the names of the service lead to their own version, and
 * not to the one that serves.
 */
export function runPhaseTasks(when: 'before' | 'after'): Act {
  return async (run, ports, notes) => {
    const { slice } = run.move;
    const isTime = slice === undefined || (when === 'before' ? slice === 1 : slice === run.step.slices);
    if (!isTime) return done;
    const side = sideOf(run);
    const objects = sideObjects(side, slicesOfMove(run, side));
    const { pre = [], post = [] } = side.parts[0]?.lifecycle ?? {};
    const ran = hasMigrated(run) ? tasksBeforeMigration(objects, run.phase) : [];
    const listed = listedTasks(objects, run.phase, when).filter(task => !ran.includes(task));
    const tasks = [...tasksNamed(objects, when === 'before' ? pre : post), ...listed];
    return runSupported({ run, ports, notes }, tasks, when === 'after' ? defaultDeadlineSeconds : undefined);
  };
}

/** What the whole migration of a chart stands on, where it is a move of its own. */
export const runBeforeMigration: Act = async (run, ports, notes) => {
  const side = sideOf(run);
  const tasks = tasksBeforeMigration(sideObjects(side, slicesOfMove(run, side)), run.phase);
  return runSupported({ run, ports, notes }, tasks, undefined);
};

/** Whether the migration was a move of its own, before this one. */
function hasMigrated({ step, move }: PhaseRun): boolean {
  return move.side === 'new' && step.data.some(({ action }) => action === 'migrate');
}

/** So long a service that is to go may take to answer at an address of its own, if it answers at all. */
const lastAnswerSeconds = 60;

/**
 * What a package runs for its own end: before its software goes, which its names lead to although clients do not come there any more; or
 * after it.
 */
export function runRemovalTasks(when: 'before' | 'after'): Act {
  return async (run, ports, notes) =>
    runSupported(
      { run, ports, notes },
      removalTasks(run, when),
      when === 'before' ? lastAnswerSeconds : undefined,
    );
}

interface Pass {
  readonly run: PhaseRun;
  readonly ports: PhasePorts;
  readonly notes: Notes;
}

/**
 * Runs tasks when what they need is there. With `within` the names of the service lead to the side of the move: so many seconds of the phase
 * are waited for its addresses.
 */
async function runSupported(
  { run, ports, notes }: Pass,
  tasks: readonly ClusterObject[],
  within: number | undefined,
): Promise<Outcome> {
  if (tasks.length === 0) return done;
  // What they need comes before them; what serves may be using what is there.
  const support = await putSupport('missing')(run, ports, notes);
  if (support.kind !== 'done') return support;
  const names = within === undefined ? undefined : await namesOfSide(run, ports, within);
  if (names && 'kind' in names) return names;
  return runTasks(run, ports, notes, tasks, names);
}

async function namesOfSide(
  run: PhaseRun,
  ports: PhasePorts,
  within: number,
): Promise<TaskExtras | Outcome | undefined> {
  const side = sideOf(run);
  const [slice] = slicesAsked(run, side);
  if (slice === undefined) return undefined;
  const found = await sliceAddresses(run, ports, slicesByWay(run, side, [slice]), within);
  return 'kind' in found ? found : namesOfSlice(run, found, slice);
}
