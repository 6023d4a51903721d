import { errorCatalog } from '../../api/error-catalog.ts';
import { managedBy, managedByLabel } from '../../api/labels.ts';
import type { Plan } from '../../api/lifecycle-plan.ts';
import { digestJson } from '../../base/digest.ts';
import { sameJson } from '../../base/json.ts';
import { isReason } from '../../cluster/cluster-error.ts';
import { planDigest } from '../../plan/plan.ts';
import { leftOf } from '../../status/left-of.ts';
import { byPlan } from '../indexes.ts';
import { isStuck } from '../observe/service-state.ts';
import {
  byAge,
  type FlowObject,
  type PlanObject,
  planType,
  type RecordObject,
  under,
} from '../our-objects.ts';
import { planName } from '../plan/plan-name.ts';
import { asAccount } from '../runtime/as-account.ts';
import { done, type Step, type StepOutcome } from '../runtime/outcome.ts';
import { indexName } from '../store/package-index.ts';
import { missingRights } from './missing-rights.ts';
import { type PlannedCloud, planCloud } from './plan-cloud.ts';
import { recordFromObject } from './record-from-object.ts';
import type { RecordScope } from './record-scope.ts';
import { lookForRightsSeconds } from './record-status.ts';

/** One record per namespace: the older one counts. */
async function beTheOnlyOne({ world, object, namespace }: RecordScope): Promise<StepOutcome> {
  const others = world.records
    .all()
    .filter(other => other.metadata.namespace === namespace) as RecordObject[];
  const [first] = others.toSorted(byAge);
  if (!first || first.metadata.uid === object.metadata.uid) return done;
  return {
    kind: 'blocked',
    reason: 'SecondRecord',
    message: `Namespace ${namespace} already has the record ${first.metadata.name}; a second one is not carried out. Remove one of them.`,
  };
}

/** The record, checked as one from a file is. */
async function resolve(scope: RecordScope): Promise<StepOutcome> {
  const { record, findings } = recordFromObject(scope.object);
  if (record) {
    scope.record = record;
    return done;
  }
  const [first] = findings;
  return {
    kind: 'blocked',
    reason: first?.code ?? 'InputInvalid',
    message: findings
      .map(({ field, message, advice }) => `${field ?? 'record'}: ${message}. ${advice}`)
      .join(' '),
  };
}

/** While a plan is under way nothing is planned: when it ends, or when the record changes, it is. */
async function plan(scope: RecordScope): Promise<StepOutcome> {
  const { object, open, record } = scope;
  if (!record) return done;
  const current = open.find(
    ({ spec, status }) =>
      !spec.holds &&
      (spec.recordGeneration === object.metadata.generation || status?.startedAt !== undefined),
  );
  if (current && isUnderWay(scope, current)) return done;
  const planned = await planOnce(scope).catch(forbiddenIn);
  if ('kind' in planned) return planned;
  scope.planned = planned;
  if ('findings' in planned) {
    const [first] = planned.findings;
    return {
      kind: 'blocked',
      ...(planned.lacksRights
        ? { reason: errorCatalog.ClusterForbidden.reason, afterSeconds: lookForRightsSeconds }
        : { reason: first?.code ?? 'PlanRefused' }),
      message: planned.findings
        .map(({ message, advice }) => `${message}. ${advice}`)
        .join(' ')
        .slice(0, 8000),
    };
  }
  await releaseVoid(scope, planned);
  await withdrawStale(scope, planned.plan);
  if (planned.plan.steps.length > 0) await propose(scope, planned.plan, planned);
  return done;
}

/** What an account may not do is told in the record, with its name, which the server says. */
function forbiddenIn(error: unknown): StepOutcome {
  if (!isReason(error, 'Forbidden')) throw error;
  const { reason, advice } = errorCatalog.ClusterForbidden;
  const message = `${error.message}. ${advice}`;
  return { kind: 'blocked', reason, message, afterSeconds: lookForRightsSeconds };
}

/** A plan has begun with its first flow: its status says so only when all flows of that pass are there. */
function isUnderWay({ world, namespace }: RecordScope, { status, metadata }: PlanObject): boolean {
  if (status?.startedAt !== undefined) return true;
  return under<FlowObject>(world.flows, byPlan, `${namespace}/${metadata.name}`).length > 0;
}

/** What was planned last for a record, and from what: planning a large cloud takes a while, and nothing changes most of the time. */
const lastPlanned = new WeakMap<
  object,
  Map<
    string,
    { readonly from: string; readonly record: RecordScope['record']; readonly planned: PlannedCloud }
  >
>();

async function planOnce(scope: RecordScope): Promise<PlannedCloud> {
  const { world, object, namespace, services, record } = scope;
  const memory = lastPlanned.get(world) ?? new Map();
  lastPlanned.set(world, memory);
  const key = `${namespace}/${object.metadata.name}`;
  // It is followed: a newer one is another pass.
  const index = world.reconciling.informer({ apiVersion: 'v1', kind: 'ConfigMap' }).get(namespace, indexName);
  const from = digestJson([
    object.metadata.uid,
    object.metadata.generation,
    index?.metadata.resourceVersion,
    services.map(({ service, current, running, soaking, hold, schemas }) => [
      service,
      current?.metadata.name,
      running?.metadata.name,
      soaking,
      hold?.metadata.name,
      schemas,
    ]),
  ]);
  const last = memory.get(key);
  const readsContents = object.spec.services.some(({ valuesFrom }) => valuesFrom.length > 0);
  if (last?.from === from && last.record === record && !readsContents) return last.planned;
  if (!record) return { findings: [], observed: { services: [], contents: [] }, lacksRights: false };
  const { serviceAccountName: account } = object.spec;
  const planned = await planCloud(
    {
      cluster: world.cluster,
      reader: asAccount(world.cluster, namespace, account),
      packages: world.packages(namespace),
      manifests: world.manifests,
      ...(world.machine ? { machine: world.machine } : {}),
      ...(world.routers ? { routers: world.routers } : {}),
      ...(world.checksRights
        ? { missingRights: targets => missingRights(world.cluster, { namespace, account }, targets) }
        : {}),
    },
    record,
    services,
  );
  // A right that is given later is in nothing that this was planned from.
  if (planned.lacksRights) memory.delete(key);
  else memory.set(key, { from, record, planned });
  return planned;
}

/**
 * A record that asks for what serves again leaves nothing to hold: what could go neither on nor back beside it needs no person any more, and
 * what serves is kept in order again. A record that says what it said when that happened is no such word.
 */
async function releaseVoid(
  { world, namespace, services }: RecordScope,
  { plan: made, digests }: Extract<PlannedCloud, { plan: Plan }>,
): Promise<void> {
  for (const state of services) {
    const { service, hold } = state;
    const asked = digests.find(one => one.service === service)?.digest;
    const isOpen = [...made.steps, ...made.waiting].some(one => one.service === service);
    if (!hold || !isStuck(state) || asked === undefined || isOpen) continue;
    if (leftOf(hold) !== 'before' || asked === hold.spec.planned?.target) continue;
    const ref = { apiVersion: hold.apiVersion, kind: hold.kind, name: hold.metadata.name, namespace };
    await world.reconciling.patch(ref, { type: 'merge', value: { spec: { released: true } } });
  }
}

/** A plan that nobody started yet, and that would no longer be made so, is void: nobody must approve what is not true any more. */
async function withdrawStale(scope: RecordScope, made: Plan): Promise<void> {
  for (const plan of scope.open) {
    const { apiVersion, kind, metadata, spec } = plan;
    // A contract is a plan of its own, which the record does not ask for; so is a way back.
    const isOwn = spec.holds || spec.plan.steps.some(({ flow }) => flow === 'contract');
    if (isOwn || spec.superseded || isUnderWay(scope, plan) || sameJson(spec.plan.steps, made.steps))
      continue;
    const ref = { apiVersion, kind, name: metadata.name, namespace: scope.namespace };
    await scope.world.reconciling.patch(ref, { type: 'merge', value: { spec: { superseded: true } } });
  }
}

/** Puts a plan before people, or lets it begin: that is the business of the plan. One that is there stands. */
async function propose(
  { world, object, namespace, plans, open }: RecordScope,
  made: Plan,
  { digests }: Extract<PlannedCloud, { plan: Plan }>,
): Promise<void> {
  const digest = planDigest(made);
  const generation = object.metadata.generation ?? 0;
  const isOpen = open.some(
    ({ spec }) =>
      spec.recordGeneration === generation && !spec.superseded && sameJson(spec.plan.steps, made.steps),
  );
  if (isOpen) return;
  const before = plans.filter(({ spec }) => spec.digest === digest).length;
  const name = planName(object.metadata.name, digest, before);
  try {
    await world.reconciling.create({
      ...planType,
      metadata: { name, namespace, labels: { [managedByLabel]: managedBy } },
      spec: {
        deployment: object.metadata.name,
        recordGeneration: generation,
        digest,
        plan: made,
        targets: digests.filter(({ service }) => made.steps.some(step => step.service === service)),
      },
    });
  } catch (error) {
    if (!isReason(error, 'AlreadyExists')) throw error;
  }
}

/** The steps of a pass over a record, in order. */
export const recordSteps: readonly Step<RecordScope>[] = [
  beTheOnlyOne, // two records would fight over one namespace
  resolve, // what a file would be refused for is refused here too
  plan, // what is to be done, put before people
];
