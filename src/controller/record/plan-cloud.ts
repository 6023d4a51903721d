import type { Finding } from '../../api/finding.ts';
import type { Plan } from '../../api/lifecycle-plan.ts';
import type { PackageLifecycle } from '../../api/package-lifecycle.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import { gatherTargets } from '../../package/gather-targets.ts';
import type { ServiceTarget } from '../../package/package.ts';
import type { Refusal } from '../../package/read-packages.ts';
import type { PackageSource } from '../../package/source.ts';
import type { Machine } from '../../plan/check-machine.ts';
import { contentNames } from '../../plan/contents.ts';
import { makeContractPlan } from '../../plan/contract-plan.ts';
import type { ObservedState } from '../../plan/observed-state.ts';
import type { PlanInput, PlanResult } from '../../plan/plan.ts';
import { planTheRest } from '../../plan/plan-the-rest.ts';
import { makeRollbackPlan } from '../../plan/rollback-plan.ts';
import { targetDigest } from '../../plan/target-digest.ts';
import type { ResolvedRecord } from '../../record/record.ts';
import type { Manifests } from '../flow/flow-sides.ts';
import { observeCloud } from '../observe/observe-cloud.ts';
import { countOldPods } from '../observe/old-pods.ts';
import type { ServiceState } from '../observe/service-state.ts';
import { keyedDigest } from '../store/digest-key.ts';
import { contentsNow } from '../store/values-from.ts';

/** Where a cloud is planned from. */
export interface PlanningWorld {
  readonly cluster: Cluster;
  /** Reads the Secrets and ConfigMaps that give values; the cluster itself where it is absent. */
  readonly reader?: Cluster;
  readonly packages: PackageSource;
  readonly manifests: Manifests;
  readonly machine?: Machine;
  /** The routers that packages may name. */
  readonly routers?: readonly string[];
  /** What of these services may not be written, where that is looked at before anything begins. */
  readonly missingRights?: (targets: readonly ServiceTarget[]) => Promise<readonly Refusal[]>;
}

/** What is planned instead of what the record asks for. */
export type AskedFor = { readonly contract: string } | { readonly rollback: string; readonly to?: number };

/** A plan and what it was made from; or why there is none. */
export type PlannedCloud =
  | {
      readonly plan: Plan;
      readonly observed: ObservedState;
      readonly targets: readonly ServiceTarget[];
      /** What each service shall be by the record, as a hold names it. */
      readonly digests: readonly { readonly service: string; readonly digest: string }[];
      /** A right is missing for a part of it: nothing tells when it is given. */
      readonly lacksRights: boolean;
    }
  | {
      readonly findings: readonly Finding[];
      readonly observed: ObservedState;
      readonly lacksRights: boolean;
    };

/** The walk of everything that is decided before anything is done, with what the cluster says in the place of files. */
export async function planCloud(
  world: PlanningWorld,
  record: ResolvedRecord,
  services: readonly ServiceState[],
  asked?: AskedFor,
): Promise<PlannedCloud> {
  const observed = await observeFor(world, record, services);
  const { targets, findings, refused } = await gatherTargets(record, world.packages);
  // What a person asks for beside the record is one service: what is wrong there is the answer.
  if (asked && refused.some(({ service }) => service === serviceOf(asked)))
    return { findings, observed, lacksRights: false };
  const input: PlanInput = {
    record,
    targets,
    observed,
    ...(world.machine ? { machine: world.machine } : {}),
    ...(world.routers ? { routers: world.routers } : {}),
  };
  const wished = asked ? planAsked(input, asked) : planTheRest(input, refused);
  // A way back writes what was kept, and is not held up.
  const more = asked ? [] : await lackingFor(world, wished, targets);
  const lacksRights = more.length > 0;
  const result = lacksRights ? planTheRest(input, [...refused, ...more]) : wished;
  if ('findings' in result) return { findings: result.findings, observed, lacksRights };
  return { plan: result.plan, observed, targets, digests: digestsOf(record, targets, observed), lacksRights };
}

/** Only what is about to be changed needs to be written. */
async function lackingFor(
  { missingRights }: PlanningWorld,
  wished: PlanResult,
  targets: readonly ServiceTarget[],
): Promise<readonly Refusal[]> {
  if (!missingRights || !('plan' in wished)) return [];
  const changing = new Set(wished.plan.steps.map(({ service }) => service));
  return missingRights(targets.filter(({ service }) => changing.has(service)));
}

function serviceOf(asked: AskedFor): string {
  return 'contract' in asked ? asked.contract : asked.rollback;
}

function planAsked(input: PlanInput, asked: AskedFor): PlanResult {
  return 'contract' in asked
    ? makeContractPlan(input, asked.contract)
    : makeRollbackPlan(input, asked.rollback, asked.to);
}

function digestsOf(
  record: ResolvedRecord,
  targets: readonly ServiceTarget[],
  { contents }: ObservedState,
): { service: string; digest: string }[] {
  const known = new Map(contents.map(({ kind, name, digest }) => [`${kind}/${name}`, digest]));
  return targets.map(target => {
    const wanted = record.services.find(({ name }) => name === target.service);
    const names = wanted ? contentNames(wanted) : [];
    const own = names.flatMap(name => {
      const digest = known.get(name);
      return digest === undefined ? [] : [{ name, digest }];
    });
    return { service: target.service, digest: targetDigest(target, own) };
  });
}

/** What runs, as planning wants to know it. */
export async function observeFor(
  { cluster, reader = cluster, manifests }: Pick<PlanningWorld, 'cluster' | 'reader' | 'manifests'>,
  record: ResolvedRecord,
  services: readonly ServiceState[],
): Promise<ObservedState> {
  const { namespace } = record;
  const lifecycles = new Map<string, PackageLifecycle>();
  for (const { service, current } of services) {
    const [first] = await manifests.of(namespace, current?.spec.parts[0]?.manifests ?? []);
    if (first) lifecycles.set(service, first.lifecycle);
  }
  const readsContents = record.services.some(({ valuesFrom }) => valuesFrom.length > 0);
  const contents = readsContents
    ? await contentsNow(record.services, {
        cluster: reader,
        namespace,
        digestOf: await keyedDigest(cluster, namespace),
      })
    : [];
  return observeCloud(services, {
    lifecycles,
    contents,
    oldProcesses: await oldProcesses(cluster, namespace, services),
  });
}

/** Pods in slices that no part of the serving revision has, by service. Only a pending contract makes them matter. */
async function oldProcesses(
  cluster: Cluster,
  namespace: string,
  services: readonly ServiceState[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const state of services) {
    const isPending = state.schemas.some(({ expandedTo, contractedTo }) => expandedTo !== contractedTo);
    if (!isPending) continue;
    counts.set(state.service, await countOldPods(cluster, namespace, state));
  }
  return counts;
}
