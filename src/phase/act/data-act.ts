import { errorCatalog } from '../../api/error-catalog.ts';
import type { LifecycleDatabase } from '../../api/package-lifecycle.ts';
import type { Backup, SchemaState } from '../../api/service-revision.ts';
import type { DataReport, DataVerb, RunTask } from '../../data/data.ts';
import { sideObjects } from '../object/side-objects.ts';
import { slicesOfMove } from '../object/slices.ts';
import {
  type Act,
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
import { putSupport } from './put-support.ts';
import { runTask } from './run-task.ts';

/** Does one thing to each database of the move, one after the other, with what the package of the move's side brings for it. */
export function dataAct(verb: DataVerb): Act {
  return async (run, ports, notes) => {
    const side = sideThatKnows(run);
    const support = await putSupport('missing')(run, ports, notes);
    if (support.kind !== 'done') return support;
    for (const name of run.move.databases ?? []) {
      const outcome = await oneDatabase(verb, name, { run, ports, notes, side });
      if (outcome.kind !== 'done') return outcome;
    }
    return done;
  };
}

/**
 * Drops the databases that this flow created. One that the package brings nothing to drop is left, and that is said: nobody but tasks of this
 * flow wrote to it. Where no task makes it either, the next install takes it for its own, and its migration goes on from what it finds.
 */
export async function dropCreated(run: PhaseRun, ports: PhasePorts, notes: Notes): Promise<Outcome> {
  const side = sideThatKnows(run);
  const support = await putSupport('missing')(run, ports, notes);
  if (support.kind !== 'done') return support;
  for (const name of run.move.databases ?? []) {
    const outcome = await oneDatabase('drop', name, { run, ports, notes, side });
    const isLeft = outcome.kind === 'failed' && outcome.reason === 'TaskMissing';
    if (outcome.kind !== 'done' && !isLeft) return outcome;
    if (!isLeft) continue;
    const message = 'left as it is: no client wrote to it, and the package brings no task that drops it';
    notes.progress.push({ name: `database ${name}`, state: 'done', message });
    if (databaseOf(side, name)?.init === undefined) notes.schemas.push({ database: name });
  }
  return done;
}

/** Why a backup cannot be brought back, whatever a person says. */
const backupFailures: ReadonlySet<string> = new Set([
  'BackupUnknown',
  ...(['BackupDamaged', 'BackupKeyWrong', 'BackupDiffers'] as const).map(code => errorCatalog[code].reason),
]);

/**
 * Asks each database of the move what a restore would drop. A database that cannot be asked is at stake as a whole, and that is said: it
 * is no reason not to ask the person. But on the main path a backup that is not there, or is damaged, ends the flow here, where nothing is
 * touched: a person would agree to something that cannot be. On the way back it is too late for that.
 */
export async function listLoss(run: PhaseRun, ports: PhasePorts, notes: Notes): Promise<Outcome> {
  const scope = { run, ports, notes, side: sideThatKnows(run) };
  for (const name of run.move.databases ?? []) {
    const outcome = await oneDatabase('list-loss', name, scope);
    if (outcome.kind === 'wait') return outcome;
    const unfit = run.move.id.startsWith('main/') ? backupFailure(name, run, outcome) : undefined;
    if (unfit) return unfit;
    if (notes.losses.some(({ database }) => database === name)) continue;
    const why = outcome.kind === 'failed' ? outcome.message : 'its package brings nothing that tells it';
    const toldAt = new Date(run.now).toISOString();
    notes.losses.push({
      ...{ database: name, toldAt, known: false, tables: [] },
      message: `what was written since the backup cannot be told: ${why}`.slice(0, 1024),
    });
  }
  return done;
}

/** The backup's own failure, where that is what a database was asked in vain for. */
function backupFailure(name: string, run: PhaseRun, outcome: Outcome): Outcome | undefined {
  if (outcome.kind === 'failed' && backupFailures.has(outcome.reason)) return outcome;
  if (backupFor('list-loss', name, run)) return undefined;
  const message = `Database ${name}: no proved backup of it is known that could be restored.`;
  return { kind: 'failed', reason: 'BackupUnknown', message };
}

/** Tasks come from the side of the move; where that has nothing (a removal that failed), from the other one. */
function sideThatKnows(run: PhaseRun): VersionSide {
  const side = sideOf(run);
  return side.parts.length > 0 ? side : otherSideOf(run);
}

interface DataScope {
  readonly run: PhaseRun;
  readonly ports: PhasePorts;
  readonly notes: Notes;
  readonly side: VersionSide;
}

async function oneDatabase(verb: DataVerb, name: string, scope: DataScope): Promise<Outcome> {
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
    now: new Date(run.now).toISOString(),
    runTask: taskRunner(scope),
  });
  keep(notes, report);
  return outcomeOf(name, report);
}

/** The schema the database shall have; where a migration is taken back, the one it had. */
function schemaWanted(verb: DataVerb, name: string, { step }: PhaseRun): string | undefined {
  const entry = step.data.find(({ database }) => database === name);
  return verb === 'restore' && entry?.action !== 'restore' ? entry?.from : entry?.to;
}

/** A verb may run tasks that it names; their progress is the phase's. */
function taskRunner({ run, ports, notes, side }: DataScope): RunTask {
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
function backupFor(verb: DataVerb, name: string, run: PhaseRun): Backup | undefined {
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

function databaseOf(side: VersionSide, name: string): LifecycleDatabase | undefined {
  for (const { lifecycle } of side.parts) {
    const found = lifecycle.data.find(database => database.name === name);
    if (found) return found;
  }
  return undefined;
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

/** Asks each database that can tell which schema it has. */
export async function readSchemas(run: PhaseRun, ports: PhasePorts, notes: Notes): Promise<Outcome> {
  const side = sideOf(run);
  const scope = { run, ports, notes, side };
  const known = new Set(run.schemas.map(schema => schema.database));
  for (const database of side.parts.flatMap(part => part.lifecycle.data)) {
    // What is not there yet cannot be asked.
    if (database.state === undefined || !known.has(database.name)) continue;
    const { state, result, reason, message } = await taskRunner(scope)(database.state, {});
    if (state === 'failed') return { kind: 'failed', reason, message };
    if (state === 'running') return { kind: 'wait', reason, message };
    const schema = schemaIn(database.name, result);
    if (schema) notes.schemas.push(schema);
  }
  return done;
}

/** What a state task says, as its termination message. */
function schemaIn(database: string, result: string | undefined): SchemaState | undefined {
  if (result === undefined) return undefined;
  try {
    const { expandedTo, contractedTo } = JSON.parse(result) as Record<string, unknown>;
    // Without any schema it would be told of as a database that is gone.
    if (!isSchema(expandedTo) && !isSchema(contractedTo)) return undefined;
    return {
      database,
      ...(isSchema(expandedTo) ? { expandedTo } : {}),
      ...(isSchema(contractedTo) ? { contractedTo } : {}),
    };
  } catch {
    // Whoever writes no JSON says nothing about the schema; what is known stays.
    return undefined;
  }
}

function isSchema(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= 128;
}
