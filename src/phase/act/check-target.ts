import { ownDataTask } from '../../api/data-task.ts';
import { sideObjects } from '../object/side-objects.ts';
import { slicesOfMove } from '../object/slices.ts';
import type { TaskExtras } from '../object/task-object.ts';
import { type Act, done, type Outcome, type PhaseRun, sideOf } from '../phase-run.ts';
import { backedUpByUs, findRoom } from './find-room.ts';
import { listedTasks, tasksNamed } from './listed-tasks.ts';
import { knowImages, lendSupport, takeBackSupport } from './put-support.ts';
import { readSchemas } from './read-schemas.ts';
import { runTasks } from './run-task.ts';

/**
 * Pre-flight: the checks that the target's own package brings, run with its own software. Nothing that is there is changed, and what
 * the checks needed is taken away again, whatever they found. Where nothing comes (an uninstall) there is nothing to check with.
 */
export const checkTarget: Act = async (asked, ports, notes) => {
  const run = besideAll(asked);
  const side = sideOf(run);
  if (run.move.side === 'old' || side.parts.length === 0) return done;
  const unknown = await knowImages(run, ports, side);
  if (unknown) return unknown;
  const objects = sideObjects(side, slicesOfMove(run, side));
  const preflight = side.parts.flatMap(part => part.lifecycle.preflight);
  const tasks = [...tasksNamed(objects, [...new Set(preflight)]), ...listedTasks(objects, 'planning')];
  const readsState = side.parts.some(part => part.lifecycle.data.some(database => database.state));
  if (tasks.length === 0 && !readsState && backedUpByUs(run).length === 0) return done;
  const ofData = side.parts
    .flatMap(part => part.lifecycle.data)
    .flatMap(database => [
      ...(database.state === undefined ? [] : [database.state]),
      ...(backedUpByUs(run).includes(database.name) ? [ownDataTask(database) ?? []].flat() : []),
    ]);
  const waits = await lendSupport(run, ports, { side, to: [...tasks, ...tasksNamed(objects, ofData)] });
  if (waits) return waits;
  const outcome = await inOrder([
    () => runTasks(run, ports, notes, tasks, restoredNames(run)),
    () => readSchemas(run, ports, notes),
    () => findRoom(run, ports, notes),
  ]);
  if (outcome.kind !== 'wait') await takeBackSupport(run, ports, side);
  return outcome;
};

/** Checks must not judge data that a backup is going to take the place of: `AFLOAT_RESTORES` names those databases. */
function restoredNames({ step }: PhaseRun): TaskExtras | undefined {
  const restored = step.data.filter(({ action }) => action === 'restore').map(({ database }) => database);
  return restored.length === 0 ? undefined : { env: { AFLOAT_RESTORES: restored.join(' ') } };
}

/**
 * The same run in a slice that nothing else is in: what the checks need has its own names there, beside a version that serves, or that
 * is kept for its soak, in the slice that the target will have.
 */
export function besideAll(run: PhaseRun): PhaseRun {
  return { ...run, new: { ...run.new, slices: [checkSlice] } };
}

const checkSlice = 'check';

async function inOrder(works: readonly (() => Promise<Outcome>)[]): Promise<Outcome> {
  for (const work of works) {
    const outcome = await work();
    if (outcome.kind !== 'done') return outcome;
  }
  return done;
}
