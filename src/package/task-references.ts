import { ownDataTask } from '../api/data-task.ts';
import type { LifecycleDatabase, PackageLifecycle } from '../api/package-lifecycle.ts';
import type { PhaseName } from '../api/phase-names.ts';
import type { FieldPath } from '../api/schema/problem.ts';

/** A place in `lifecycle.yaml` that names an object of the package. */
export interface TaskReference {
  /** `job/db-expand`. */
  readonly reference: string;
  readonly path: FieldPath;
  /** The phase that runs it; none for `keep`, which is no task. */
  readonly phase?: PhaseName;
  /** Whether it takes something away, so that no list may put it into a phase of its own choice. */
  readonly destructive: boolean;
}

const databasePhases = {
  init: 'install',
  backup: 'upgrade',
  verify: 'upgrade',
  restore: 'rollback',
  loss: 'planning',
  drop: 'delete',
  state: 'planning',
} as const satisfies Partial<Record<keyof LifecycleDatabase, PhaseName>>;

const migrations = ['expand', 'migrate', 'contract', 'sync'] as const;
const destructive: ReadonlySet<string> = new Set(['contract', 'restore', 'drop']);

/** Every reference of a lifecycle to an object of the package, in the order of the schema. */
export function taskReferences(lifecycle: PackageLifecycle): TaskReference[] {
  const { data, reconcile, preflight, pre, post, keep } = lifecycle;
  return [
    ...data.flatMap(databaseReferences),
    ...(reconcile === undefined ? [] : [named(reconcile, ['reconcile'], 'rollback')]),
    ...preflight.map((task, index) => named(task, ['preflight', index], 'planning')),
    ...pre.map((task, index) => named(task, ['pre', index], 'upgrade')),
    ...post.map((task, index) => named(task, ['post', index], 'upgrade')),
    ...keep.map((object, index) => named(object, ['keep', index])),
  ];
}

function databaseReferences(database: LifecycleDatabase, index: number): TaskReference[] {
  const moves = migrations.flatMap(step => {
    const reference = database.migrate?.[step];
    return reference === undefined ? [] : [named(reference, ['data', index, 'migrate', step], 'upgrade')];
  });
  const others = Object.entries(databasePhases).flatMap(([use, phase]) => {
    const reference = database[use as keyof typeof databasePhases];
    return reference === undefined ? [] : [named(reference, ['data', index, use], phase)];
  });
  return [...moves, ...others, ...ownReferences(database, index)];
}

/** What runs our own program for a database: nothing but what is done to that database runs it. */
function ownReferences(database: LifecycleDatabase, index: number): TaskReference[] {
  const reference = ownDataTask(database);
  if (reference === undefined) return [];
  const path = ['data', index, database.task === undefined ? 'driver' : 'task'];
  return [{ reference, path, phase: 'upgrade', destructive: true }];
}

function named(reference: string, path: FieldPath, phase?: PhaseName): TaskReference {
  const isDestructive = path[0] === 'data' && destructive.has(`${path.at(-1)}`);
  return { reference, path, ...(phase === undefined ? {} : { phase }), destructive: isDestructive };
}
