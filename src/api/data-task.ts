import type { LifecycleDatabase } from './package-lifecycle.ts';

/** The task of a package that runs our own program for a database, as `kind/name`; undefined where its driver has none. */
export function ownDataTask({
  driver,
  name,
  task,
}: Pick<LifecycleDatabase, 'driver' | 'name' | 'task'>): string | undefined {
  return driver === 'mariadb' ? (task ?? `job/${name}-data`) : undefined;
}
