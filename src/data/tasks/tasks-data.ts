import type { LifecycleDatabase } from '../../api/package-lifecycle.ts';
import type { DataDriver, DataReport, DataVerb } from '../data.ts';
import { envOf, lossEnv, reportOf, resultOf } from '../task-report.ts';

/** Which task of the package a verb is, and what it means when the package brings none. */
const verbs: Record<
  DataVerb,
  { readonly task: (database: LifecycleDatabase) => string | undefined; readonly mayLack: boolean }
> = {
  create: { task: ({ init }) => init, mayLack: true }, // its first migration, or the code itself, makes it
  estimate: { task: () => undefined, mayLack: true }, // a package that can tell does so in its own checks
  'back-up': { task: ({ backup }) => backup, mayLack: false },
  verify: { task: ({ verify }) => verify, mayLack: false },
  expand: { task: ({ migrate }) => migrate?.expand, mayLack: false },
  migrate: { task: ({ migrate }) => migrate?.sync, mayLack: false },
  'move-rows': { task: ({ migrate }) => migrate?.migrate, mayLack: true },
  contract: { task: ({ migrate }) => migrate?.contract, mayLack: false },
  'list-loss': { task: ({ loss }) => loss, mayLack: true }, // then it cannot be told
  restore: { task: ({ restore }) => restore, mayLack: false },
  drop: { task: ({ drop }) => drop, mayLack: false },
};

/** Databases whose every verb is a task that the package brings: the driver names it, gives it what it must know and reads what it left. */
export const tasksData: DataDriver = {
  async run(verb, run) {
    const { task, mayLack } = verbs[verb];
    const reference = task(run.database);
    if (reference === undefined) return mayLack ? reportOf(verb, run, {}) : lacks(verb, run.database.name);
    if (verb === 'restore' && run.keepsWrites !== false) return refused(run.database.name);
    const env = { ...envOf(run), ...(verb === 'restore' ? lossEnv(run) : {}) };
    const end = await run.runTask(reference, env);
    if (end.state !== 'done') return { state: end.state, reason: end.reason, message: end.message };
    return reportOf(verb, run, resultOf(end));
  },
};

function lacks(verb: DataVerb, database: string): DataReport {
  const message = `the package brings no task to ${verb} ${database}; name one in \`data\` of its lifecycle.yaml`;
  return { state: 'failed', reason: 'TaskMissing', message };
}

/** Only the task could tell whether something would be lost, and nothing makes sure that it looks before it restores. */
function refused(database: string): DataReport {
  const message = `a restore of ${database} may drop what clients wrote since the backup, and nobody consented; nothing was run`;
  return { state: 'failed', reason: 'LossNotAccepted', message };
}
