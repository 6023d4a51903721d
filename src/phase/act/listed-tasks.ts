import { ownDataTask } from '../../api/data-task.ts';
import type { PackageLifecycle } from '../../api/package-lifecycle.ts';
import type { ClusterObject } from '../../cluster/cluster.ts';
import { type SideObject, sideObjects } from '../object/side-objects.ts';
import { type PhaseRun, sideOf } from '../phase-run.ts';

/** `job/db-expand` of an object. */
export function referenceOf({ kind, metadata }: ClusterObject): string {
  return `${kind.toLowerCase()}/${metadata.name}`;
}

/** Tasks that have a place of their own in a flow: they never run because of the phase they are listed in. */
function namedTasks(lifecycle: PackageLifecycle): ReadonlySet<string> {
  const { data, reconcile, preflight, pre, post } = lifecycle;
  const ofData = data.flatMap(database => {
    const { init, backup, verify, restore, loss, drop, state, migrate = {} } = database;
    return [
      ...[init, backup, verify, restore, loss, drop, state, ownDataTask(database)],
      ...[migrate.expand, migrate.migrate, migrate.contract, migrate.sync],
    ];
  });
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

/**
 * The tasks of a chart in this phase that come before its whole migration: what that stands on. A package that is no chart names what its
 * databases need one by one.
 */
export function tasksBeforeMigration(
  objects: readonly SideObject[],
  phase: PhaseRun['phase'],
): ClusterObject[] {
  const at = objects.findIndex(({ object, part }) =>
    part.lifecycle.data.some(({ migrate }) => migrate?.sync === referenceOf(object)),
  );
  const ofChart = objects.slice(0, Math.max(at, 0)).filter(({ moment }) => moment === 'before');
  return listedTasks(ofChart, phase);
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
 * What a package runs for its own end. Only where the service is removed: a version that gives way to another, or an install that is taken
 * back, leaves the rest as it is.
 */
export function removalTasks(run: PhaseRun, when: 'before' | 'after'): ClusterObject[] {
  return run.step.flow === 'uninstall' ? listedTasks(sideObjects(sideOf(run)), 'delete', when) : [];
}
