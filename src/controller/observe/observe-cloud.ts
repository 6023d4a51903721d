import type { PackageLifecycle } from '../../api/package-lifecycle.ts';
import type { Backup, SecretDigest } from '../../api/service-revision.ts';
import { compareText } from '../../base/json.ts';
import type {
  ObservedDatabase,
  ObservedRevision,
  ObservedService,
  ObservedState,
} from '../../plan/observed-state.ts';
import { leftOf } from '../../status/left-of.ts';
import type { FlowObject, RevisionObject } from '../our-objects.ts';
import { backupFits } from './backup-fits.ts';
import { isStuck, type ServiceState } from './service-state.ts';

/** What is looked up beside the objects of the service itself. */
export interface ObservedFacts {
  /** The lifecycle of what runs, by service. */
  readonly lifecycles: ReadonlyMap<string, PackageLifecycle>;
  /** Pods of another version than the one that serves, by service. */
  readonly oldProcesses: ReadonlyMap<string, number>;
  readonly contents: readonly SecretDigest[];
}

/** What planning needs to know of the world, from what the objects say. */
export function observeCloud(services: readonly ServiceState[], facts: ObservedFacts): ObservedState {
  return {
    services: services
      .filter(({ revisions, flows }) => revisions.length > 0 || flows.length > 0)
      .map(state => observeService(state, facts))
      .sort((a, b) => compareText(a.name, b.name)),
    contents: [...facts.contents],
  };
}

function observeService(state: ServiceState, { lifecycles, oldProcesses }: ObservedFacts): ObservedService {
  const { service, current, soaking, schemas } = state;
  const lifecycle = lifecycles.get(service);
  const parts = current?.spec.parts ?? [];
  const hold = holdOf(state);
  return {
    name: service,
    state: stateOf(state),
    ...leftBy(state),
    ...(current ? { version: current.spec.version, revision: current.spec.number } : {}),
    ...(lifecycle ? { lifecycle } : {}),
    parts: parts.map(({ component, hostGroup, version, packageDigest, inventory, slices }) => ({
      component,
      ...(hostGroup === undefined ? {} : { hostGroup }),
      version,
      packageDigest,
      inventory,
      ...(slices.length === 0 ? { found: true } : {}),
    })),
    secretDigests: current?.spec.secretDigests ?? [],
    databases: schemas.map(({ database, expandedTo, contractedTo }) => ({
      name: database,
      ...(expandedTo === undefined ? {} : { expandedTo }),
      ...(contractedTo === undefined ? {} : { contractedTo }),
      rowsToMove: rowsAreLeft(state),
      oldProcesses: oldProcesses.get(service) ?? 0,
      ...lastBackupOf(state, database),
    })),
    revisions: state.revisions
      .filter(({ spec }) => spec.parts.length > 0)
      .map(revision => observeRevision(revision, state.revisions)),
    ...(hold ? { hold } : {}),
    soaking,
    durations: state.flows.flatMap(durationOf).slice(0, 100),
  };
}

function stateOf(state: ServiceState): ObservedService['state'] {
  if (state.running && !state.soaking) return 'InFlow';
  if (isStuck(state)) return 'Irreconcilable';
  return (state.current?.spec.parts.length ?? 0) > 0 ? 'Operational' : 'Absent';
}

/** Where the flow that needs a person left the service. */
function leftBy(state: ServiceState): Pick<ObservedService, 'left'> {
  return state.hold && isStuck(state) ? { left: leftOf(state.hold) } : {};
}

function holdOf({ hold }: ServiceState): ObservedService['hold'] {
  const { planned } = hold?.spec ?? {};
  if (!hold || planned?.target === undefined) return undefined;
  const { end, because = '' } = hold.status ?? {};
  const isAsked = end === undefined || end === 'operational';
  return { target: planned.target, by: 'rollback', message: isAsked ? 'A person asked for it.' : because };
}

function observeRevision({ spec }: RevisionObject, all: readonly RevisionObject[]): ObservedRevision {
  const backups = backupsOf(spec.number, all);
  return {
    number: spec.number,
    version: spec.version,
    packageDigest: spec.parts[0]?.packageDigest ?? '',
    schemas: spec.schemas.flatMap(({ database }) => {
      const head = headKnown(spec, database, all);
      return head === undefined ? [] : [{ database, head }];
    }),
    backups: backups.map(({ database }) => database),
    takenAt: backups.map(({ database, takenAt }) => ({ database, takenAt })),
  };
}

/**
 * The schema that the code of a revision knows: the one that it came with. What the database had when the revision was made may be more, where a
 * newer version was taken back and left it expanded. Revisions of older versions of ours do not say
 * it: they know what the flow that brought them left, and where that is forgotten, what was not contracted then.
 */
export function headKnown(
  { version, number, flow, schemas, heads = [] }: RevisionObject['spec'],
  database: string,
  all: readonly RevisionObject[],
): string | undefined {
  const said = heads.find(one => one.database === database);
  if (said) return said.head;
  const brings = (kind: string) => kind === 'install' || kind === 'upgrade';
  const had = (of: RevisionObject['spec']['schemas']) => of.find(schema => schema.database === database);
  const own = had(schemas);
  if (brings(flow)) return own?.expandedTo;
  const [brought] = all
    .filter(({ spec }) => spec.number < number && spec.version === version && brings(spec.flow))
    .toSorted((a, b) => b.spec.number - a.spec.number);
  return (brought && had(brought.spec.schemas)?.expandedTo) ?? own?.contractedTo ?? own?.expandedTo;
}

/**
 * What a return to a revision restores: of each database the newest proved backup that its code works on, for that one loses least. One of
 * which it is not known what it holds counts only as the first after the revision: it was taken before the next change of the database.
 */
export function backupsOf(number: number, all: readonly RevisionObject[]): RevisionObject['spec']['backups'] {
  const target = all.find(({ spec }) => spec.number === number)?.spec;
  const found = new Map<string, Backup>();
  const seen = new Set<string>();
  for (const { spec } of all.toSorted((a, b) => a.spec.number - b.spec.number)) {
    if (spec.number <= number) continue;
    for (const backup of spec.backups.filter(
      ({ verifiedAt, unsure }) => verifiedAt !== undefined && !unsure,
    )) {
      const { database, expandedTo } = backup;
      const head = target && headKnown(target, database, all);
      const isKnown = expandedTo !== undefined && head !== undefined;
      if (isKnown ? backupFits(backup, head, all) : !seen.has(database)) found.set(database, backup);
      seen.add(database);
    }
  }
  return [...found.values()];
}

/** What the last backup of a database came to, whatever became of the flow that took it. */
function lastBackupOf(
  { flows, revisions }: ServiceState,
  name: string,
): Pick<ObservedDatabase, 'lastBackup'> {
  const taken = [
    ...flows.flatMap(({ status }) => status?.backups ?? []),
    ...revisions.flatMap(({ spec }) => spec.backups),
  ].filter(({ database }) => database === name);
  const [newest] = taken.toSorted((a, b) => compareText(b.takenAt, a.takenAt));
  const { bytes, seconds } = newest ?? {};
  return bytes === undefined || seconds === undefined ? {} : { lastBackup: { bytes, seconds } };
}

/** Whether rows were still to be moved when the last flow that moves some ended. */
function rowsAreLeft({ flows }: ServiceState): boolean {
  const last = flows.find(({ spec }) => spec.planned?.step.data.some(entry => entry.movesRows));
  const moves = last?.status?.moves ?? [];
  return moves.some(({ id, state }) => id.includes('/move-rows:') && state === 'failed');
}

function durationOf({ spec, status }: FlowObject): ObservedService['durations'] {
  const { planned } = spec;
  const { startedAt, settledAt, finishedAt, end } = status ?? {};
  const ended = settledAt ?? finishedAt;
  if (!planned || startedAt === undefined || ended === undefined || end !== 'operational') return [];
  const seconds = Math.max(0, Math.round((Date.parse(ended) - Date.parse(startedAt)) / 1000));
  const { flow, component } = planned.step;
  return [{ flow, ...(component === undefined ? {} : { component }), seconds }];
}
