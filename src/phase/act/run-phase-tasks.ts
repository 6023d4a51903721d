import type { PackageLifecycle } from '../../api/package-lifecycle.ts';
import type { ClusterObject } from '../../cluster/cluster.ts';
import type { SideObject } from '../object/side-objects.ts';
import { sideObjects } from '../object/side-objects.ts';
import { slicesOfMove } from '../object/slices.ts';
import { type Act, done, type PhaseRun, sideOf } from '../phase-run.ts';
import { putSupport } from './put-support.ts';
import { runTasks } from './run-task.ts';

/** `job/db-expand` of an object. */
export function referenceOf({ kind, metadata }: ClusterObject): string {
  return `${kind.toLowerCase()}/${metadata.name}`;
}

/** Tasks that have a place of their own in a flow: they never run because of the phase they are listed in. */
function namedTasks(lifecycle: PackageLifecycle): ReadonlySet<string> {
  const { data, reconcile, preflight, pre, post } = lifecycle;
  const ofData = data.flatMap(({ init, backup, verify, restore, drop, state, migrate = {} }) => [
    ...[init, backup, verify, restore, drop, state],
    ...[migrate.expand, migrate.migrate, migrate.contract, migrate.sync],
  ]);
  return new Set([...ofData, reconcile, ...preflight, ...pre, ...post].flatMap(one => one ?? []));
}

/** The tasks of a package for this phase that nothing names one by one; with `when`, those of that moment. */
export function listedTasks(
  objects: readonly SideObject[],
  phase: PhaseRun['phase'],
  when?: 'before' | 'after',
): ClusterObject[] {
  return objects
    .filter(({ role, phases }) => role === 'task' && phases.includes(phase))
    .filter(({ moment = 'before' }) => when === undefined || moment === when)
    .filter(
      one => !namedTasks(one.part.lifecycle).has(referenceOf(one.object)) || isFirstMigration(one, phase),
    )
    .map(({ object }) => object);
}

/** A chart has no task but its whole migration that gives a new database its schema: it was given a moment in the install, too. */
function isFirstMigration({ object, part, moment }: SideObject, phase: PhaseRun['phase']): boolean {
  if (phase !== 'install' || moment === undefined) return false;
  return part.lifecycle.data.some(({ migrate }) => migrate?.sync === referenceOf(object));
}

/** The tasks of a package that are named, in the order they are named. */
export function tasksNamed(objects: readonly SideObject[], references: readonly string[]): ClusterObject[] {
  return references.flatMap(reference =>
    objects.filter(({ object }) => referenceOf(object) === reference).map(({ object }) => object),
  );
}

/**
 * What a package runs around a change of its software: `pre` and what the phase lists before it, `post` after it. With a change that goes
 * slice by slice: before the first slice and after the last one.
 */
export function runPhaseTasks(when: 'before' | 'after'): Act {
  return async (run, ports, notes) => {
    const { slice } = run.move;
    const isTime = slice === undefined || (when === 'before' ? slice === 1 : slice === run.step.slices);
    if (!isTime) return done;
    const side = sideOf(run);
    const objects = sideObjects(side, slicesOfMove(run, side));
    const { pre = [], post = [] } = side.parts[0]?.lifecycle ?? {};
    const listed = listedTasks(objects, run.phase, when);
    const tasks = [...tasksNamed(objects, when === 'before' ? pre : post), ...listed];
    if (tasks.length === 0) return done;
    // What they need comes before them; what serves may be using what is there.
    const support = await putSupport('missing')(run, ports, notes);
    return support.kind === 'done' ? runTasks(run, ports, notes, tasks) : support;
  };
}
