import { type Finding, finding } from '../api/finding.ts';
import type { DataStep, Waiting } from '../api/lifecycle-plan.ts';
import type { LifecycleDatabase, PackageLifecycle } from '../api/package-lifecycle.ts';
import type { ResolvedRecord } from '../record/record.ts';
import type { ObservedDatabase, ObservedRevision, ObservedService } from './observed-state.ts';
import { placeOf } from './place.ts';
import { moveBetween } from './version-facts.ts';
import type { ServiceWish } from './wish.ts';

/** What happens to the databases of one service, or why nothing may happen to them. */
export interface DataDecision {
  readonly steps: readonly DataStep[];
  readonly waiting?: Waiting;
  readonly findings: readonly Finding[];
}

const nothing: DataDecision = { steps: [], findings: [] };

/** The mark of the schema a version knows: the package's word for it, or the version, so that any change counts as one. */
export function headOf(database: LifecycleDatabase, lifecycle: PackageLifecycle): string {
  return database.head ?? lifecycle.version;
}

/**
 * Whether the code of a revision may no longer work on this database. It works where the schema was expanded beyond what
 * it knows, and fails where more was contracted. What cannot be told counts as failed.
 */
function needsRestore(database: ObservedDatabase, head: string, running: ObservedService): boolean {
  const { expandedTo, contractedTo } = database;
  if (head === contractedTo) return false;
  if (contractedTo === undefined) return head !== expandedTo && !isSplit(database, running.lifecycle);
  // Revisions are listed newest first: a schema that came before the revision's own leaves it all it knows.
  const heads = running.revisions
    .toReversed()
    .flatMap(revision => revision.schemas.filter(schema => schema.database === database.name));
  const at = (mark: string) => heads.findIndex(schema => schema.head === mark);
  const [own, contracted] = [at(head), at(contractedTo)];
  return own < 0 || contracted < 0 ? head !== expandedTo : contracted > own;
}

function isSplit(database: ObservedDatabase, lifecycle: PackageLifecycle | undefined): boolean {
  return lifecycle?.data.find(entry => entry.name === database.name)?.migrate?.expand !== undefined;
}

/** Whether data moves in a way that no other version of the service survives: all of it changes together, without traffic. */
export function movesAsOne(steps: readonly DataStep[]): boolean {
  return steps.some(step => step.action === 'migrate' || step.action === 'restore');
}

/** A database whose contract is still to come. */
export function contractIsPending(
  database: ObservedDatabase,
  lifecycle: PackageLifecycle | undefined,
): boolean {
  const known = lifecycle?.data.find(entry => entry.name === database.name);
  return (
    known?.migrate?.contract !== undefined &&
    database.expandedTo !== undefined &&
    database.expandedTo !== database.contractedTo
  );
}

/**
 * What the flow of this service does to its databases. They move once per service: with the first part that comes, or,
 * where only one version survives the move, with all of them as one (merge-parts.ts). A reconfigure never touches them.
 */
export function decideData(record: ResolvedRecord, wish: ServiceWish): DataDecision {
  const decision = decideActions(record, wish);
  return { ...decision, steps: withBackupEstimates(decision.steps, wish.running) };
}

/** The same steps, with what their backups will take, where one was taken before. */
export function withBackupEstimates(
  steps: readonly DataStep[],
  running: ObservedService | undefined,
): readonly DataStep[] {
  return steps.map(step => {
    const last = running?.databases.find(({ name }) => name === step.database)?.lastBackup;
    return step.backup && last ? { ...step, backupBytes: last.bytes, backupSeconds: last.seconds } : step;
  });
}

function decideActions(record: ResolvedRecord, wish: ServiceWish): DataDecision {
  const flows = new Set(wish.parts.map(part => part.flow));
  if (wish.target && (flows.has('upgrade') || flows.has('install')))
    return forwardData(record, wish, wish.target.lifecycle);
  const revision = wish.parts.find(part => part.flow === 'rollback')?.revision;
  if (revision) return rollbackData(record, wish, revision);
  if (!wish.wanted && flows.has('uninstall')) return removalData(wish);
  return nothing;
}

function forwardData(record: ResolvedRecord, wish: ServiceWish, lifecycle: PackageLifecycle): DataDecision {
  // A component pinned to an older version does not move the schema; the service as a whole does.
  const moves = wish.parts.some(
    part =>
      (part.flow === 'upgrade' || part.flow === 'install') && part.target?.version === lifecycle.version,
  );
  if (!moves) return nothing;
  const answers = lifecycle.data.map(database => forwardDatabase(record, wish, lifecycle, database));
  const waiting = answers.find(answer => 'reason' in answer);
  if (waiting) return { steps: [], findings: [], waiting };
  return {
    steps: answers.filter(answer => 'action' in answer),
    findings: answers.filter(answer => 'code' in answer),
  };
}

/** What happens to one database on the way up; or why nothing may, or why it cannot. */
function forwardDatabase(
  record: ResolvedRecord,
  wish: ServiceWish,
  lifecycle: PackageLifecycle,
  database: LifecycleDatabase,
): DataStep | Waiting | Finding {
  const { name, migrate } = database;
  const there = wish.running?.databases.find(candidate => candidate.name === name);
  const head = headOf(database, lifecycle);
  if (!there) return { database: name, action: 'create', to: head, backup: false };
  const from = there.expandedTo ?? there.contractedTo;
  // Code also works where the schema was expanded beyond what it knows: after the rollback of a release, what runs is patched on.
  const works = from === head || there.contractedTo === head;
  if (works || (!migrate && !database.head))
    return { database: name, action: 'keep', to: head, backup: false };
  if (isOlderThanData(wish, lifecycle)) {
    return olderThanData(record, wish, lifecycle, `${name} has the schema ${from}`);
  }
  // Where nothing runs, no old code is left that a pending contract could hurt.
  const runs = wish.running?.state !== 'Absent';
  if (runs && contractIsPending(there, wish.running?.lifecycle) && !database.goesOnUncontracted) {
    return contractFirst(wish, there);
  }
  if (!migrate) {
    const message = `${wish.service} ${lifecycle.version}: the database ${name} has the schema ${from} and needs ${head}, but the package brings no migration`;
    return finding('PackageInvalid', message, placeOf(record, wish.wanted, 'version'));
  }
  const isWhole = migrate.sync !== undefined;
  return {
    database: name,
    action: isWhole ? 'migrate' : 'expand',
    ...(from === undefined ? {} : { from }),
    to: head,
    backup: true,
    ...servedHere(name, wish),
    ...(!isWhole && migrate.migrate !== undefined ? { movesRows: true } : {}),
  };
}

/** A database that runs in the service itself, by the package of what runs or of what comes. */
function servedHere(name: string, { running, target }: ServiceWish): Pick<DataStep, 'servedHere'> {
  const lifecycles = [running?.lifecycle, target?.lifecycle];
  const known = lifecycles.flatMap(lifecycle => lifecycle?.data ?? []);
  return known.some(entry => entry.name === name && entry.servedHere) ? { servedHere: true } : {};
}

/** Data that was kept when a newer version went: an older one cannot read it. */
function isOlderThanData({ running }: ServiceWish, lifecycle: PackageLifecycle): boolean {
  if (running?.state !== 'Absent' || running.version === undefined) return false;
  return moveBetween(running.version, lifecycle.version, lifecycle) === 'down';
}

function olderThanData(
  record: ResolvedRecord,
  wish: ServiceWish,
  lifecycle: PackageLifecycle,
  what: string,
): Finding {
  const message = `${wish.service} ${lifecycle.version} cannot read the data that ${wish.running?.version} left: ${what}`;
  const advice = `Install ${wish.running?.version} or a higher version, or purge the data first.`;
  return finding('RestoreRefused', message, placeOf(record, wish.wanted, 'version'), advice);
}

function contractFirst({ service, running }: ServiceWish, database: ObservedDatabase): Waiting {
  const known = running?.lifecycle?.data.find(entry => entry.name === database.name);
  const runsIt = known && running?.lifecycle && headOf(known, running.lifecycle) === database.expandedTo;
  return {
    service,
    reason: 'ContractPending',
    message: `The database ${database.name} of ${service} is expanded to ${database.expandedTo} and not contracted; the next schema change comes after that.`,
    advice: runsIt
      ? `Make and approve the contract's own plan first: afloat plan --contract ${service}`
      : `The version it was expanded for was rolled back: go to that version again first, then contract.`,
  };
}

function rollbackData(record: ResolvedRecord, wish: ServiceWish, revision: ObservedRevision): DataDecision {
  const { running, target } = wish;
  if (!running || !target) return nothing;
  const whole =
    running.version !== undefined &&
    moveBetween(running.version, target.version, target.lifecycle) === 'down';
  const steps: DataStep[] = [];
  const findings: Finding[] = [];
  for (const database of running.databases) {
    const head = headOfRevision(revision, database.name, wish);
    if (!needsRestore(database, head, running)) {
      steps.push({ database: database.name, action: 'keep', backup: false });
      continue;
    }
    const refused = whole
      ? whyNoRestore(wish, revision, database.name, running.lifecycle)
      : 'the rest of the service stays on it';
    if (refused) {
      const now = database.contractedTo ?? database.expandedTo;
      const message = `${wish.service} ${revision.version} needs the schema ${head}, the database ${database.name} has ${now}, and ${refused}`;
      findings.push(finding('RestoreRefused', message, placeOf(record, wish.wanted, 'version')));
      continue;
    }
    const from = database.contractedTo ?? database.expandedTo;
    steps.push({
      database: database.name,
      action: 'restore',
      ...(from === undefined ? {} : { from }),
      to: head,
      ...restoredFrom(revision, database.name),
      backup: true,
      ...servedHere(database.name, wish),
    });
  }
  return { steps, findings };
}

function restoredFrom({ takenAt }: ObservedRevision, name: string): Pick<DataStep, 'restoredFrom'> {
  const taken = takenAt.find(({ database }) => database === name);
  return taken ? { restoredFrom: taken.takenAt } : {};
}

/** The schema a revision had: what it says itself, else what its package says. */
function headOfRevision(revision: ObservedRevision, database: string, wish: ServiceWish): string {
  const said = revision.schemas.find(schema => schema.database === database)?.head;
  const part = wish.parts.find(candidate => candidate.flow === 'rollback');
  const known = part?.target?.lifecycle.data.find(entry => entry.name === database);
  return said ?? known?.head ?? revision.version;
}

function whyNoRestore(
  wish: ServiceWish,
  revision: ObservedRevision,
  database: string,
  lifecycle: PackageLifecycle | undefined,
): string | undefined {
  if (wish.wanted?.rollback?.data === 'never') return 'its data policy is `never`';
  if (lifecycle?.stateOutside && lifecycle.reconcile === undefined) {
    return 'the service has state outside its databases and no reconcile task';
  }
  if (!revision.backups.includes(database))
    return `there is no verified backup of revision ${revision.number}`;
  return undefined;
}

function removalData({ running, purge }: ServiceWish): DataDecision {
  const steps = (running?.databases ?? []).map(database => ({
    database: database.name,
    action: purge ? ('purge' as const) : ('keep' as const),
    backup: purge,
  }));
  return { steps, findings: [] };
}
