import { sideObjects } from '../object/side-objects.ts';
import { slicesOfMove } from '../object/slices.ts';
import { type Act, done, sideOf } from '../phase-run.ts';
import { tasksNamed } from './listed-tasks.ts';
import { runTasks } from './run-task.ts';

/** Brings state outside the databases together with data that was brought back. */
export const runReconcile: Act = async (run, ports, notes) => {
  const side = sideOf(run);
  const references = side.parts.flatMap(({ lifecycle }) => lifecycle.reconcile ?? []);
  if (references.length === 0) return done;
  const objects = sideObjects(side, slicesOfMove(run, side));
  return runTasks(run, ports, notes, tasksNamed(objects, [...new Set(references)]));
};
