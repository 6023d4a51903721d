import type { DataStep, Plan, PlanStep } from '../api/lifecycle-plan.ts';
import type { PartTarget, ServiceTarget } from '../package/package.ts';
import type {
  ObservedDatabase,
  ObservedPart,
  ObservedService,
  ObservedState,
} from '../plan/observed-state.ts';
import { partName } from '../plan/wish.ts';
import type { ResolvedRecord } from '../record/record.ts';

/** What a plan was made from, and the plan. */
export interface CarriedOut {
  readonly record: ResolvedRecord;
  readonly targets: readonly ServiceTarget[];
  readonly observed: ObservedState;
  readonly plan: Plan;
}

/** The state of the cloud after a plan was carried out without a hitch. What the engine will do, in the world of tests. */
export function carryOut({ record, targets, observed, plan }: CarriedOut): ObservedState {
  const services = new Map(observed.services.map(service => [service.name, service]));
  const contents = new Map(observed.contents.map(entry => [`${entry.kind}/${entry.name}`, entry]));
  for (const step of plan.steps) {
    const before = services.get(step.service) ?? unborn(step.service);
    services.set(step.service, afterStep(before, step, targets));
  }
  for (const name of new Set(plan.steps.map(step => step.service))) {
    const service = services.get(name);
    const wanted = record.services.find(candidate => candidate.name === name);
    const target = targets.find(candidate => candidate.service === name);
    if (!service || !wanted || !target) continue;
    const went = wanted.valuesFrom.flatMap(entry => contents.get(`${entry.kind}/${entry.name}`) ?? []);
    const contracted = plan.steps.some(step => step.service === name && step.flow === 'contract');
    services.set(name, contracted ? service : newRevision({ ...service, secretDigests: went }, target));
  }
  return { ...observed, services: [...services.values()] };
}

function unborn(name: string): ObservedService {
  return {
    name,
    state: 'Absent',
    parts: [],
    secretDigests: [],
    databases: [],
    revisions: [],
    soaking: false,
    durations: [],
  };
}

function afterStep(
  service: ObservedService,
  step: PlanStep,
  targets: readonly ServiceTarget[],
): ObservedService {
  const own = new Set(step.parts ?? [step.id.slice(0, step.id.lastIndexOf('/'))]);
  const others = service.parts.filter(part => !own.has(partName(service.name, part)));
  const databases = step.data.reduce(afterData, service.databases);
  if (step.flow === 'contract') return { ...service, databases };
  const target = targets.find(candidate => candidate.service === service.name);
  const came = (target?.parts ?? []).filter(
    part => step.flow !== 'uninstall' && own.has(partName(service.name, part)),
  );
  const parts = [...others, ...came.map(runningPart)];
  return { ...service, databases, parts, state: parts.length === 0 ? 'Absent' : 'Operational' };
}

function runningPart({ component, hostGroup, version, packageDigest, inventory }: PartTarget): ObservedPart {
  return { component, ...(hostGroup === undefined ? {} : { hostGroup }), version, packageDigest, inventory };
}

function afterData(databases: readonly ObservedDatabase[], step: DataStep): readonly ObservedDatabase[] {
  const before = databases.find(database => database.name === step.database);
  const others = databases.filter(database => database.name !== step.database);
  const head = step.to ?? '';
  const fresh = { name: step.database, oldProcesses: 0, rowsToMove: false };
  switch (step.action) {
    case 'create':
    case 'migrate':
    case 'restore':
      return [...others, { ...fresh, expandedTo: head, contractedTo: head }];
    case 'expand':
      return [...others, { ...fresh, ...before, expandedTo: head }];
    case 'contract':
      return [...others, { ...fresh, ...before, contractedTo: head }];
    case 'purge':
      return others;
    case 'keep':
      return databases;
  }
}

/** The finished change becomes a revision, with the schema it found and a verified backup of it. */
function newRevision(service: ObservedService, target: ServiceTarget): ObservedService {
  const number = (service.revision ?? 0) + 1;
  const schemas = target.lifecycle.data.map(data => ({
    database: data.name,
    head: data.head ?? target.version,
  }));
  const revision = {
    number,
    version: target.version,
    packageDigest: target.packageDigest,
    schemas,
    backups: schemas.map(schema => schema.database),
    takenAt: [],
  };
  return {
    ...service,
    version: target.version,
    revision: number,
    lifecycle: target.lifecycle,
    revisions: [revision, ...service.revisions],
  };
}
