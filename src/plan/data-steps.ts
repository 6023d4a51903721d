import { type Finding, finding } from '../api/finding.ts';
import type { DataStep, Waiting } from '../api/lifecycle-plan.ts';
import type { LifecycleDatabase, PackageLifecycle } from '../api/package-lifecycle.ts';
import type { ResolvedRecord } from '../record/record.ts';
import type { ObservedDatabase, ObservedRevision } from './observed-state.ts';
import { placeOf } from './place.ts';
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

/** Whether old code may no longer work on this database because more was contracted than that code knows. */
export function needsRestore(database: ObservedDatabase, head: string | undefined): boolean {
  return database.contractedTo !== undefined && head !== undefined && database.contractedTo !== head;
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
 * What the flow of this service does to its databases. They move once per service, with the first part that is
 * installed, upgraded or rolled back; a reconfigure never touches them.
 */
export function decideData(record: ResolvedRecord, wish: ServiceWish): DataDecision {
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
  const steps: DataStep[] = [];
  const findings: Finding[] = [];
  for (const database of lifecycle.data) {
    const there = wish.running?.databases.find(candidate => candidate.name === database.name);
    const head = headOf(database, lifecycle);
    if (!there) {
      steps.push({ database: database.name, action: 'create', to: head, backup: false });
      continue;
    }
    const from = there.expandedTo ?? there.contractedTo;
    if (from === head || (!database.migrate && !database.head)) {
      steps.push({ database: database.name, action: 'keep', backup: false });
      continue;
    }
    if (contractIsPending(there, wish.running?.lifecycle) && !database.goesOnUncontracted) {
      return { steps: [], findings: [], waiting: contractFirst(wish, database.name) };
    }
    if (!database.migrate) {
      const message = `${wish.service} ${lifecycle.version}: the database ${database.name} has the schema ${from} and needs ${head}, but the package brings no migration`;
      findings.push(finding('PackageInvalid', message, placeOf(record, wish.wanted, 'version')));
      continue;
    }
    const action = database.migrate.sync === undefined ? 'expand' : 'migrate';
    steps.push({
      database: database.name,
      action,
      ...(from === undefined ? {} : { from }),
      to: head,
      backup: true,
    });
  }
  return { steps, findings };
}

function contractFirst({ service, running }: ServiceWish, database: string): Waiting {
  return {
    service,
    reason: 'ContractPending',
    message: `The database ${database} of ${service} is still expanded for ${running?.version ?? 'an older version'}; the next schema change comes after its contract.`,
    advice: `Make and approve the contract's own plan first: afloat plan --contract ${service}`,
  };
}

function rollbackData(record: ResolvedRecord, wish: ServiceWish, revision: ObservedRevision): DataDecision {
  const lifecycle = wish.running?.lifecycle;
  const steps: DataStep[] = [];
  const findings: Finding[] = [];
  for (const database of wish.running?.databases ?? []) {
    const head = revision.schemas.find(schema => schema.database === database.name)?.head;
    if (!needsRestore(database, head)) {
      steps.push({ database: database.name, action: 'keep', backup: false });
      continue;
    }
    const refused = whyNoRestore(wish, revision, database.name, lifecycle);
    if (refused) {
      const message = `${wish.service} ${revision.version} needs the schema ${head}, the database ${database.name} was contracted to ${database.contractedTo}, and ${refused}`;
      findings.push(finding('RestoreRefused', message, placeOf(record, wish.wanted, 'version')));
      continue;
    }
    steps.push({
      database: database.name,
      action: 'restore',
      ...(database.contractedTo === undefined ? {} : { from: database.contractedTo }),
      ...(head === undefined ? {} : { to: head }),
      backup: true,
    });
  }
  return { steps, findings };
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
