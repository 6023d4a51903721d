import { finding } from '../api/finding.ts';
import { managedBy, managedByLabel } from '../api/labels.ts';
import type { LifecyclePlan } from '../api/lifecycle-plan.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { Manifests } from '../controller/flow/flow-sides.ts';
import { type ServiceState, serviceState } from '../controller/observe/service-state.ts';
import {
  type FlowObject,
  flowType,
  planType,
  type RecordObject,
  type RevisionObject,
  recordType,
  revisionType,
} from '../controller/our-objects.ts';
import { planName } from '../controller/plan/plan-name.ts';
import { type AskedFor, observeFor, planCloud } from '../controller/record/plan-cloud.ts';
import { recordFromObject } from '../controller/record/record-from-object.ts';
import type { ObservedState } from '../plan/observed-state.ts';
import { planDigest } from '../plan/plan.ts';
import type { ResolvedRecord } from '../record/record.ts';
import { pushedPackages } from './open-packages.ts';
import type { PlannedBeside, PlansBeside } from './operate/roll-back.ts';

/** What is known of every service of a namespace, read from its objects. */
async function readServices(cluster: Cluster, namespace: string): Promise<readonly ServiceState[]> {
  const { items: revisions } = await cluster.list(revisionType, { namespace });
  const { items: flows } = await cluster.list(flowType, { namespace });
  const of = {
    revisions: revisions as unknown as readonly RevisionObject[],
    flows: flows as unknown as readonly FlowObject[],
  };
  const names = new Set([
    ...of.revisions.map(({ spec }) => spec.service),
    ...of.flows.map(({ spec }) => spec.serviceName),
  ]);
  return [...names].sort().map(service =>
    serviceState(service, {
      revisions: of.revisions.filter(({ spec }) => spec.service === service),
      flows: of.flows.filter(({ spec }) => spec.serviceName === service),
    }),
  );
}

/** What runs of the cloud of a record, as a plan for it wants to know it. */
export async function observeCurrent(cluster: Cluster, record: ResolvedRecord): Promise<ObservedState> {
  const services = await readServices(cluster, record.namespace);
  return observeFor({ cluster, manifests: new Manifests(cluster) }, record, services);
}

/** Makes plans that a person asks for beside the record: back to a revision, or a contract. */
export function plansBeside(cluster: Cluster): PlansBeside {
  return {
    back: ({ namespace, service, toRevision }) =>
      planBeside(cluster, namespace, {
        rollback: service,
        ...(toRevision === undefined ? {} : { to: toRevision }),
      }),
    contract: (namespace, service) => planBeside(cluster, namespace, { contract: service }),
  };
}

async function planBeside(cluster: Cluster, namespace: string, asked: AskedFor): Promise<PlannedBeside> {
  const { items } = await cluster.list(recordType, { namespace });
  const [object] = items as unknown as readonly RecordObject[];
  const resolved = object ? recordFromObject(object) : { findings: [] };
  const { record } = resolved;
  if (!object || !record)
    return {
      findings:
        resolved.findings.length > 0
          ? resolved.findings
          : [finding('NoRecord', `namespace ${namespace} has no record`)],
    };
  const planned = await planCloud(
    { cluster, packages: pushedPackages(cluster, namespace), manifests: new Manifests(cluster) },
    record,
    await readServices(cluster, namespace),
    asked,
  );
  if ('findings' in planned) return { findings: planned.findings };
  const { plan, digests } = planned;
  const digest = planDigest(plan);
  const { items: known } = await cluster.list(planType, { namespace });
  const before = (known as unknown as readonly LifecyclePlan[]).filter(
    ({ spec }) => spec.digest === digest,
  ).length;
  const name = planName(object.metadata.name, digest, before);
  const made = {
    ...planType,
    metadata: { name, namespace, labels: { [managedByLabel]: managedBy } },
    spec: {
      deployment: object.metadata.name,
      recordGeneration: object.metadata.generation ?? 0,
      digest,
      plan,
      targets: digests.filter(({ service }) => plan.steps.some(step => step.service === service)),
      // A contract is in the record's own sense; a way back is against it, and is held.
      holds: 'rollback' in asked,
      openedStages: [],
      paused: false,
      aborted: false,
    },
  };
  return { plan: made as unknown as LifecyclePlan };
}
