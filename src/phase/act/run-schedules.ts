import type { PackageLifecycle } from '../../api/package-lifecycle.ts';
import type { ScheduledRun } from '../../api/phase-kinds.ts';
import { parseSchedule } from '../../base/cron-schedule.ts';
import { lastDue, nextDue } from '../../base/due-moment.ts';
import { sideObjects } from '../object/side-objects.ts';
import {
  done,
  type Notes,
  type Outcome,
  type PartBundle,
  type PhasePorts,
  type PhaseRun,
  sideOf,
} from '../phase-run.ts';
import { dataAct } from './data-act.ts';
import { listedTasks } from './listed-tasks.ts';
import { knowImages } from './put-support.ts';
import { runTasks } from './run-task.ts';

/** What is repeated, where it is, and when to look again. */
export interface Schedules {
  readonly runs: readonly ScheduledRun[];
  /** Milliseconds since 1970; undefined where nothing is due any more. */
  readonly nextAt: number | undefined;
}

type What = ScheduledRun['what'];
type Work = (run: PhaseRun, ports: PhasePorts, notes: Notes) => Promise<Outcome>;

/**
 * Repeats the test and the backups of a service that is operational, when its package says that they are due: once for each moment, and
 * the next only when the one before has ended. `before`: what earlier passes wrote down. `since`: when the service was put in order.
 */
export async function runSchedules(
  run: PhaseRun,
  ports: PhasePorts,
  { before, since }: { readonly before: readonly ScheduledRun[]; readonly since: number },
): Promise<Schedules> {
  const runs: ScheduledRun[] = [];
  const next: number[] = [];
  for (const what of ['test', 'backup'] as const) {
    const last = before.find(one => one.what === what);
    const words = scheduleOf(run, what);
    const schedule = words === undefined ? undefined : parseSchedule(words);
    if (words !== undefined && !schedule) runs.push(unreadable(what, words, since));
    if (!schedule) continue;
    const now = await runLast(run, ports, what, { last, due: lastDue(schedule, since, run.now) });
    if (now) runs.push(now);
    const following = nextDue(schedule, since, run.now);
    if (following !== undefined) next.push(following);
  }
  return { runs, nextAt: next.length > 0 ? Math.min(...next) : undefined };
}

/** When something is due, as the package says it; undefined where there is nothing to repeat. */
function scheduleOf(run: PhaseRun, what: What): string | undefined {
  const { parts } = sideOf(run);
  const words = parts[0]?.lifecycle.schedule?.[what];
  const work = what === 'test' ? testsOf(run).length : databasesOf(run).length;
  return work === 0 ? undefined : words;
}

async function runLast(
  run: PhaseRun,
  ports: PhasePorts,
  what: What,
  { last, due }: { readonly last: ScheduledRun | undefined; readonly due: number | undefined },
): Promise<ScheduledRun | undefined> {
  if (due === undefined && last === undefined) return undefined;
  const dueAt = due === undefined ? '' : new Date(due).toISOString();
  const isOver = last !== undefined && last.state !== 'running';
  if (last && isOver && (due === undefined || Date.parse(last.dueAt) >= due)) return last;
  // What is going on is seen through before the next one begins.
  const moment = last && !isOver ? last.dueAt : dueAt;
  const keyed: PhaseRun = { ...run, taskKey: `${what} ${moment}` };
  const notes: Notes = { progress: [], backups: [], schemas: [], losses: [] };
  const outcome = await works[what](keyed, ports, notes);
  const [backup] = notes.backups;
  const well = what === 'test' ? 'The test passed.' : `Backed up to ${backup?.location ?? 'nowhere'}.`;
  return {
    what,
    dueAt: moment,
    state: outcome.kind === 'wait' ? 'running' : outcome.kind,
    message: (outcome.kind === 'done' ? well : outcome.message).slice(0, 1024),
  };
}

/** The tests go the way of clients: what serves now is what is asked. */
const test: Work = async (run, ports, notes) => {
  const unknown = await knowImages(run, ports, sideOf(run));
  return unknown ?? runTasks(run, ports, notes, testsOf(run));
};

/** A backup that is not proved is none. */
const backup: Work = async (run, ports, notes) => {
  const databases = databasesOf(run);
  const about = (all: typeof databases) => ({
    ...run,
    move: { ...run.move, databases: all.map(({ name }) => name) },
    backups: notes.backups,
  });
  const taken = await dataAct('back-up')(about(databases), ports, notes);
  const proved = databases.filter(({ verify }) => verify !== undefined);
  if (taken.kind !== 'done' || proved.length === 0) return taken;
  const verified = await dataAct('verify')(about(proved), ports, notes);
  return verified.kind === 'done' ? done : verified;
};

const works: Record<What, Work> = { test, backup };

function testsOf(run: PhaseRun): ReturnType<typeof listedTasks> {
  return listedTasks(sideObjects(sideOf(run)), 'test');
}

/** The databases belong to the service as a whole: its first component looks after them. */
function databasesOf(run: PhaseRun): PackageLifecycle['data'] {
  const first = sideOf(run).parts.find(isFirst);
  return (first?.lifecycle.data ?? []).filter(database => database.backup !== undefined);
}

function isFirst({ lifecycle, component }: PartBundle): boolean {
  const [first] = lifecycle.components;
  return first === undefined || first.name === component;
}

function unreadable(what: What, words: string, since: number): ScheduledRun {
  const message = `\`schedule.${what}\` of the package is no schedule: ${JSON.stringify(words)}. Write it as in a crontab, for example "0 3 * * *".`;
  return { what, dueAt: new Date(since).toISOString(), state: 'failed', message: message.slice(0, 1024) };
}
