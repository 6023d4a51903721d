import { ownDataTask } from '../../api/data-task.ts';
import { errorCatalog } from '../../api/error-catalog.ts';
import type { JsonObject } from '../../base/json.ts';
import type { DataDriver, DataReport, DataRun, DataVerb, TaskEnd } from '../data.ts';
import { envOf, lossEnv, reportOf, resultOf, textIn } from '../task-report.ts';

/** How long a change of the schema may wait for somebody who holds a table. Clients wait behind it, and have patience for five seconds. */
const lockWaitSeconds = '3';
/** How long it is waited, before that, for transactions that are open for long: nobody waits behind this. */
const clearWaitSeconds = '5';
/** So often a change that found a table held gives way to who waits behind it, and is tried again. */
const attempts = 3;

/** Where a verb is: done with what its last step left, or what it waits for or failed at. */
type Steps = JsonObject | DataReport;

/**
 * MariaDB: backups, proofs and restores are built in, as tasks that run our own program (`program/run-data-task.ts`) in an image that has
 * the database's programs; migrations are tasks of the package, tried on a copy first.
 */
export const mariadbData: DataDriver = {
  async run(verb, run) {
    if ((verb === 'verify' || verb === 'list-loss') && !run.backup) return reportOf(verb, run, {});
    const left = await work(verb, run);
    return isReport(left) ? left : reportOf(verb, run, left);
  },
};

function work(verb: DataVerb, run: DataRun): Promise<Steps> {
  const { init, migrate } = run.database;
  switch (verb) {
    case 'create':
      return init === undefined ? ours('create', run) : task(init, run);
    case 'estimate':
    case 'back-up':
    case 'verify':
    case 'drop':
      return ours(verb, run);
    case 'list-loss':
      return ours('loss', run);
    case 'restore':
      return ours(verb, run, lossEnv(run));
    case 'expand':
      return changeSchema(migrate?.expand, 'expand', run);
    case 'migrate':
      return changeSchema(migrate?.sync, 'migrate', run);
    case 'contract':
      return changeSchema(migrate?.contract, 'contract', run);
    case 'move-rows':
      return migrate?.migrate === undefined ? Promise.resolve({}) : task(migrate.migrate, run);
  }
}

/** Runs our program for one verb. */
async function ours(
  verb: string,
  run: DataRun,
  more: Readonly<Record<string, string>> = {},
  attempt = 1,
): Promise<Steps> {
  const { name } = run.database;
  const reference = ownDataTask({ ...run.database, driver: 'mariadb' }) ?? '';
  // What is told must not change while a verb is asked for again, so the schema to reach, which it does not need, is left out.
  const { AFLOAT_SCHEMA: _, ...env } = envOf(run);
  const given = { ...env, ...more, AFLOAT_DATA_VERB: verb };
  return left(await run.runTask(reference, given, keyOf(`${name}/${verb}`, attempt)));
}

/** Every attempt is a task of its own. */
const keyOf = (key: string, attempt: number) => (attempt === 1 ? key : `${key}/${attempt}`);

/** Runs a task of the package, on the database or on a copy of it. */
async function task(reference: string, run: DataRun, copy?: string, attempt = 1): Promise<Steps> {
  const { name } = run.database;
  const env = { ...envOf(run), AFLOAT_LOCK_WAIT_SECONDS: lockWaitSeconds };
  const onCopy = copy === undefined ? {} : { AFLOAT_DATABASE: copy, AFLOAT_COPY: 'yes' };
  return left(
    await run.runTask(
      reference,
      { ...env, ...onCopy },
      keyOf(copy === undefined ? name : `${name}/copy`, attempt),
    ),
  );
}

/**
 * A change of the schema: on a copy first, where there is a backup to make one of, so that rows that break it are found there; then, when
 * no transaction that is long open stands in the way, for real: again where somebody held a table all the same. Where that fails half way,
 * what is left is said.
 */
async function changeSchema(
  reference: string | undefined,
  verb: 'expand' | 'migrate' | 'contract',
  run: DataRun,
): Promise<Steps> {
  if (reference === undefined) {
    const message = `the package brings no task to ${verb} ${run.database.name}; name one in \`migrate\` of its lifecycle.yaml`;
    return { state: 'failed', reason: 'TaskMissing', message };
  }
  const tried = run.backup && verb !== 'contract' ? await tryOnCopy(reference, run) : {};
  if (isReport(tried)) return tried;
  let first: JsonObject | undefined;
  for (let attempt = 1; ; attempt++) {
    const wait = { AFLOAT_LOCK_WAIT_SECONDS: clearWaitSeconds };
    const before = await ours('clear-way', run, wait, attempt);
    if (isReport(before)) return before;
    const changed = await task(reference, run, undefined, attempt);
    if (!isReport(changed) || changed.state !== 'failed') return changed;
    first ??= before;
    // What it did until somebody was in its way it knows itself, and goes on from there.
    if (changed.reason !== 'DatabaseBusy' || attempt === attempts)
      return halfWay(verb, run, changed, first, attempt);
  }
}

async function tryOnCopy(reference: string, run: DataRun): Promise<Steps> {
  const copy = await ours('copy', run);
  if (isReport(copy)) return copy;
  const tried = await task(
    reference,
    run,
    textIn(copy, 'database', 64) ?? `${run.database.name}__afloat_copy`,
  );
  if (isReport(tried) && tried.state === 'running') return tried;
  const dropped = await ours('drop-copy', run);
  if (isReport(dropped) && dropped.state === 'running') return dropped;
  if (!isReport(tried)) return dropped;
  return { ...tried, message: `on a copy, so the database is untouched: ${tried.message}` };
}

/** Tells a change that left nothing behind from one that did. */
async function halfWay(
  verb: string,
  run: DataRun,
  failed: DataReport,
  before: JsonObject,
  attempt: number,
): Promise<DataReport> {
  const after = await ours('read-schema', run, {}, attempt);
  if (isReport(after)) return after.state === 'running' ? after : failed;
  if (textIn(after, 'schema', 128) === textIn(before, 'schema', 128)) return failed;
  const message = `${verb} failed half way, and left a part of the new schema behind, which the old version goes on with: ${failed.message}`;
  return { ...failed, reason: verb === 'expand' ? 'SchemaHalfExpanded' : 'SchemaHalfMigrated', message };
}

function left(end: TaskEnd): Steps {
  if (end.state === 'done') return resultOf(end);
  return { state: end.state, reason: reasonOf(end), message: end.message };
}

/** Our program's last words begin with a code, which says more than that its container failed. */
function reasonOf({ reason, message }: TaskEnd): string {
  const [, code = ''] = /(?:^|: )([A-Z][A-Za-z]+): /.exec(message) ?? [];
  return Object.hasOwn(errorCatalog, code) ? errorCatalog[code as keyof typeof errorCatalog].reason : reason;
}

function isReport(steps: Steps): steps is DataReport {
  return steps['state' as keyof Steps] !== undefined && 'reason' in steps && 'message' in steps;
}
