import { identityOf, stillKinds } from '../object-kinds.ts';
import type { PlaceDraft, UnplacedObject } from './placed-object.ts';
import { dependenciesOf, isAbout } from './pod-dependencies.ts';
import { workloadsBehind } from './traffic-service.ts';

/** Drafts whose tasks run at a moment at which what they wait for is there; and those for which there is none. */
export interface SettledMoments {
  readonly drafts: readonly PlaceDraft[];
  readonly unplaced: readonly UnplacedObject[];
}

/**
 * Settles whether tasks run before the software or after it, by what waits for what: a task that software waits for goes before it, with all
 * that the task itself waits for; one that waits for the software goes after it. A task of which both is true has no place.
 */
export function settleMoments(given: readonly PlaceDraft[]): SettledMoments {
  const waits = waitsOf(given);
  const software = given.filter(isSoftware);
  const early = new Map<PlaceDraft, PlaceDraft>(); // by who waits
  for (const one of software) closeOver(one, one, waits, early);
  const late = lateTasks(given, waits, software);
  const drafts: PlaceDraft[] = [];
  const unplaced: UnplacedObject[] = [];
  const leave = ({ chartObject }: PlaceDraft, because: string) => unplaced.push({ chartObject, because });
  for (const draft of given) {
    const waiter = early.get(draft);
    const awaited = late.get(draft);
    const never = (waits.get(draft) ?? []).find(job => comesLater(draft, job));
    if (never) leave(draft, `it waits for ${say(never)}, which runs only in ${never.phases.join(', ')}`);
    else if (!mayMove(draft)) drafts.push(draft);
    else if (waiter && awaited) leave(draft, `${say(waiter)} waits for it, and it waits for ${say(awaited)}`);
    else if (waiter) drafts.push(moved(draft, 'before', `${say(waiter)} waits for it`));
    else if (awaited) drafts.push(moved(draft, 'after', `it waits for ${say(awaited)}`));
    else drafts.push(draft);
  }
  return { drafts, unplaced };
}

/** Whether its moment can be another: what runs at the end of a service finds the software there only before that goes. */
function mayMove({ moment, phases }: PlaceDraft): boolean {
  return moment !== undefined && phases.some(phase => phase !== 'delete');
}

/** The tasks of the chart that each object waits for. */
export function waitsOf(drafts: readonly PlaceDraft[]): ReadonlyMap<PlaceDraft, readonly PlaceDraft[]> {
  const tasks = drafts.filter(({ role }) => role === 'task');
  return new Map(
    drafts.map(draft => {
      const { object } = draft.chartObject;
      const awaited = dependenciesOf(object).filter(({ what }) => what === 'Job');
      const found = tasks.filter(task => awaited.some(one => isAbout(one, task.chartObject.object)));
      return [draft, found.filter(task => task !== draft)];
    }),
  );
}

/** Workloads that must be ready for a change to go on. What runs on a timer comes later by itself. */
function isSoftware({ role, phases, chartObject }: PlaceDraft): boolean {
  const { kind } = identityOf(chartObject.object);
  return role === 'workload' && phases.includes('install') && !stillKinds.has(kind);
}

/** Everything that one waits for, and what that waits for. */
function closeOver(
  at: PlaceDraft,
  waiter: PlaceDraft,
  waits: ReadonlyMap<PlaceDraft, readonly PlaceDraft[]>,
  found: Map<PlaceDraft, PlaceDraft>,
): void {
  for (const job of waits.get(at) ?? []) {
    if (found.has(job)) continue;
    found.set(job, waiter);
    closeOver(job, job, waits, found);
  }
}

/** Tasks that can only run when the software is there, by what of it they wait for: itself, or a task that runs only then. */
function lateTasks(
  drafts: readonly PlaceDraft[],
  waits: ReadonlyMap<PlaceDraft, readonly PlaceDraft[]>,
  software: readonly PlaceDraft[],
): ReadonlyMap<PlaceDraft, PlaceDraft> {
  const late = new Map<PlaceDraft, PlaceDraft>();
  for (const draft of drafts) {
    const awaited = mayMove(draft) ? softwareAwaited(draft, drafts, software) : undefined;
    if (awaited) late.set(draft, awaited);
  }
  const isLate = (task: PlaceDraft) => task.moment === 'after' || late.has(task);
  for (let before = -1; before < late.size; ) {
    before = late.size;
    for (const draft of drafts) {
      if (!mayMove(draft) || isLate(draft)) continue;
      const job = waits.get(draft)?.find(isLate);
      if (job) late.set(draft, job);
    }
  }
  return late;
}

/** The workload of the chart, or the Service with one behind it, that a task waits for. */
function softwareAwaited(
  { chartObject }: PlaceDraft,
  drafts: readonly PlaceDraft[],
  software: readonly PlaceDraft[],
): PlaceDraft | undefined {
  const awaited = dependenciesOf(chartObject.object).filter(({ what }) => what !== 'Job');
  const pods = software.map(one => one.chartObject.object);
  const answers = drafts.filter(one => workloadsBehind(one.chartObject.object, pods).length > 0);
  return [...answers, ...software].find(one => awaited.some(wait => isAbout(wait, one.chartObject.object)));
}

/** Whether a task has not run when the one that waits for it begins, whatever their order: they share no phase, and it is none of the first. */
function comesLater(waiter: PlaceDraft, job: PlaceDraft): boolean {
  const isEarly = job.phases.includes('planning') || job.phases.includes('install');
  if (isEarly) return waiter.phases.includes('planning') && !job.phases.includes('planning');
  return waiter.phases.some(phase => !job.phases.includes(phase));
}

function moved(draft: PlaceDraft, moment: NonNullable<PlaceDraft['moment']>, why: string): PlaceDraft {
  if (draft.moment === moment) return draft;
  return { ...draft, moment, because: `${draft.because}; ${moment} the software, for ${why}` };
}

function say({ chartObject }: PlaceDraft): string {
  const { kind, name } = identityOf(chartObject.object);
  return `${kind} ${name}`;
}
