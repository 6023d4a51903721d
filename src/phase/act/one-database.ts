import type { LifecycleDatabase } from '../../api/package-lifecycle.ts';
import type { Backup, SchemaState } from '../../api/service-revision.ts';
import type { DataReport, DataVerb, RunTask } from '../../data/data.ts';
import { sideObjects } from '../object/side-objects.ts';
import { slicesOfMove } from '../object/slices.ts';
import {
  done,
  type Notes,
  type Outcome,
  otherSideOf,
  type PhasePorts,
  type PhaseRun,
  sideOf,
  type VersionSide,
} from '../phase-run.ts';
import { tasksNamed } from './listed-tasks.ts';
import { runTask } from './run-task.ts';

/** Tasks come from the side of the move; where that has nothing (a removal that failed), from the other one. */
export function sideThatKnows(run: PhaseRun): VersionSide {
  const side = sideOf(run);
  return side.parts.length > 0 ? side : otherSideOf(run);
}

/** What a verb on the databases of a move goes by. */
export interface DataScope {
  readonly run: PhaseRun;
  readonly ports: PhasePorts;
  readonly notes: Notes;
  readonly side: VersionSide;
}

/** Does one thing to one database, and notes what came of it. */
export async function oneDatabase(verb: DataVerb, name: string, scope: DataScope): Promise<Outcome> {
  const { run, ports, notes } = scope;
  const database = databaseOf(scope.side, name);
  if (!database)
    return {
      kind: 'failed',
      reason: 'DatabaseUnknown',
      message: `The package knows no database ${name}.`,
    };
  const driver = ports.data(database.driver);
  if (!driver)
    return {
      kind: 'failed',
      reason: 'DataDriverUnknown',
      message: `Database ${name} wants the driver ${database.driver}, which this manager does not have.`,
    };
  const to = schemaWanted(verb, name, run);
  const before = run.schemas.find(schema => schema.database === name);
  const backup = backupFor(verb, name, run);
  const report = await driver.run(verb, {
    database,
    ...(to === undefined ? {} : { to }),
    ...(before ? { before } : {}),
    ...(backup ? { backup } : {}),
    ...(verb === 'back-up' || verb === 'verify' ? { needed: neededOf(name, run) } : {}),
    ...(verb === 'restore' ? { keepsWrites: run.keepsWrites } : {}),
    // What is told of losses is as of when they were asked for: it may be read long after.
    now: new Date(verb === 'list-loss' ? run.startedAt : run.now).toISOString(),
    runTask: taskRunner(scope),
  });
  keep(notes, verb === 'back-up' ? withSchema(report, run, before) : report);
  return outcomeOf(name, report);
}

/** The schema the database shall have; where a migration is taken back, the one it had. */
function schemaWanted(verb: DataVerb, name: string, { step }: PhaseRun): string | undefined {
  const entry = step.data.find(({ database }) => database === name);
  return verb === 'restore' && entry?.action !== 'restore' ? entry?.from : entry?.to;
}

/** A verb may run tasks that it names; their progress is the phase's. */
export function taskRunner({ run, ports, notes, side }: DataScope): RunTask {
  const objects = sideObjects(side, slicesOfMove(run, side));
  return async (reference, env, key) => {
    const [manifest] = tasksNamed(objects, [reference]);
    if (!manifest)
      return { state: 'failed', reason: 'TaskUnknown', message: `The package has no task ${reference}.` };
    const { outcome, result } = await runTask(run, ports, notes, manifest, {
      env,
      ...(key === undefined
        ? {}
        : { key: [...(run.taskKey === undefined ? [] : [run.taskKey]), key].join('/') }),
    });
    if (outcome.kind === 'done')
      return {
        state: 'done',
        reason: 'Complete',
        message: `${reference} is done`,
        ...(result === undefined ? {} : { result }),
      };
    const state = outcome.kind === 'failed' ? 'failed' : 'running';
    return { state, reason: outcome.reason, message: outcome.message };
  };
}

/** What is verified is this flow's own backup; what is restored too, unless the flow returns to a revision that has one. */
export function backupFor(verb: DataVerb, name: string, run: PhaseRun): Backup | undefined {
  const own = run.backups.find(({ database }) => database === name);
  const kept = run.restoreFrom.find(({ database }) => database === name);
  const isBack = verb === 'restore' || verb === 'list-loss';
  return isBack && run.step.flow === 'rollback' ? kept : own;
}

/** Backups that this flow or a later one may bring back: taking and proving another one must not push them out. */
function neededOf(name: string, { restoreFrom, keptBackups }: PhaseRun): string[] {
  const needed = [...restoreFrom, ...keptBackups].filter(({ database }) => database === name);
  return [...new Set(needed.map(({ location }) => location))];
}

/** What the package of a side says of a database. */
export function databaseOf(side: VersionSide, name: string): LifecycleDatabase | undefined {
  for (const { lifecycle } of side.parts) {
    const found = lifecycle.data.find(database => database.name === name);
    if (found) return found;
  }
  return undefined;
}

/** A backup says which schema is in it: that decides later for which versions it can be brought back. */
function withSchema(
  report: DataReport,
  { unsure = [] }: PhaseRun,
  before: SchemaState | undefined,
): DataReport {
  const { backup } = report;
  if (!backup) return report;
  if (unsure.includes(backup.database)) return { ...report, backup: { ...backup, unsure: true } };
  if (!before) return report;
  const { database: _database, ...schema } = before;
  return { ...report, backup: { ...backup, ...schema } };
}

function keep(notes: Notes, { backup, schema, loss }: DataReport): void {
  if (loss) notes.losses.push(loss);
  if (backup) notes.backups.push(backup);
  if (schema) notes.schemas.push(schema);
}

function outcomeOf(database: string, { state, reason, message }: DataReport): Outcome {
  if (state === 'done') return done;
  const text = `Database ${database}: ${message}`;
  return state === 'failed'
    ? { kind: 'failed', reason, message: text }
    : { kind: 'wait', reason, message: text };
}
