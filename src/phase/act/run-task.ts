import type { ClusterObject } from '../../cluster/cluster.ts';
import type { DriverReport } from '../../driver/driver.ts';
import { sayObject } from '../object/say-object.ts';
import { type TaskExtras, taskObject } from '../object/task-object.ts';
import { done, type Notes, type Outcome, type PhasePorts, type PhaseRun } from '../phase-run.ts';
import { hideSecrets } from './hide-secrets.ts';

/** A task that ended well, with what it left; or where it is. */
export type TaskRun = { readonly outcome: Outcome; readonly result?: string };

/** Runs one task of the phase: starts it where it is not there, and tells where it is. Called again it tells of the same run. */
export async function runTask(
  run: PhaseRun,
  ports: PhasePorts,
  notes: Notes,
  manifest: ClusterObject,
  extras: TaskExtras = { env: {} },
): Promise<TaskRun> {
  const object = taskObject(run, manifest, extras);
  const driver = ports.drivers.for(object);
  let report = await driver.observe(object);
  if (report.state === 'absent') {
    await driver.apply(object);
    report = await driver.observe(object);
  }
  report = await hideSecrets(ports, object, report);
  const what = sayObject(manifest);
  note(notes, what, object, report);
  if (report.state === 'done')
    return { outcome: done, ...(report.result === undefined ? {} : { result: report.result }) };
  if (report.state === 'failed' || report.state === 'stuck')
    return { outcome: failedTask(what, object, report) };
  const message = sayReport(what, object, report);
  return { outcome: { kind: 'wait', reason: 'TaskRunning', message } };
}

/** Runs tasks one after the other; the next starts when the one before is done. */
export async function runTasks(
  run: PhaseRun,
  ports: PhasePorts,
  notes: Notes,
  manifests: readonly ClusterObject[],
  extras?: TaskExtras,
): Promise<Outcome> {
  for (const manifest of manifests) {
    const { outcome } = await runTask(run, ports, notes, manifest, extras);
    if (outcome.kind !== 'done') return outcome;
  }
  return done;
}

/** What failed, why, and the end of what it wrote. */
export function failedTask(what: string, object: ClusterObject, report: DriverReport): Outcome {
  const log =
    report.log === undefined || report.log === '' ? '' : `. It wrote last: ${lastLines(report.log)}`;
  return {
    kind: 'failed',
    reason: report.reason,
    message: `${sayReport(what, object, report)}${log}`.slice(0, 1000),
  };
}

/** A report in a sentence that begins with what people call the thing: drivers begin with the name that it has in the cluster. */
export function sayReport(what: string, { metadata }: ClusterObject, { message }: DriverReport): string {
  const [, rest] = beginning(metadata.name).exec(message) ?? [];
  return rest === undefined ? `${what}: ${message}` : `${what}${rest}`;
}

function beginning(name: string | undefined): RegExp {
  return new RegExp(`^\\w+ ${name?.replaceAll('.', '\\.')}\\b(.*)$`, 's');
}

/** Enough of a log to see what went wrong, short enough for a status. */
function lastLines(log: string): string {
  return log.trimEnd().split('\n').slice(-3).join(' | ').slice(-400);
}

/** Writes down where one thing is. */
export function note(notes: Notes, name: string, object: ClusterObject, report: DriverReport): void {
  const states = {
    absent: 'waiting',
    progressing: 'running',
    done: 'done',
    failed: 'failed',
    stuck: 'failed',
  } as const;
  if (notes.progress.length >= 64) return;
  const message = sayReport('', object, report).replace(/^:? /, '');
  notes.progress.push({
    name: name.slice(0, 320),
    state: states[report.state],
    message: message.slice(0, 1024),
  });
}
