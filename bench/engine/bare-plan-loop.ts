import { managedBy, managedByLabel, serviceLabel } from '../../src/api/labels.ts';
import type { Cluster } from '../../src/cluster/cluster.ts';
import { flowType, type PlanObject, planType } from '../../src/controller/our-objects.ts';

/** The least that can carry out plans: each that comes gets a flow, each that is paused is told to be; no state, no decision. */
export async function barePlanLoop(cluster: Cluster, signal: AbortSignal): Promise<void> {
  const writing: Promise<unknown>[] = [];
  for await (const { type, object } of cluster.watch(planType, { signal })) {
    const plan = object as PlanObject;
    if (type === 'ADDED') writing.push(createFlow(cluster, plan));
    else if (type === 'MODIFIED' && plan.spec.paused && plan.status?.state !== 'Paused')
      writing.push(tellPaused(cluster, plan));
  }
  await Promise.all(writing);
}

/** The flow as the engine writes it. */
async function createFlow(cluster: Cluster, { metadata, spec }: PlanObject): Promise<void> {
  const [step] = spec.plan.steps;
  if (!step) return;
  const labels = { [managedByLabel]: managedBy, [serviceLabel]: step.service };
  await cluster.create({
    ...flowType,
    metadata: {
      name: `${step.service}-${step.flow}-${metadata.name}`,
      namespace: metadata.namespace ?? '',
      labels,
    },
    spec: {
      serviceName: step.service,
      source: { type: 'plan', location: metadata.name },
      flowKind: step.flow,
      planned: { deployment: spec.deployment, plan: metadata.name, step, serviceAccountName: 'default' },
    },
  });
}

async function tellPaused(cluster: Cluster, { apiVersion, kind, metadata }: PlanObject): Promise<void> {
  const ref = { apiVersion, kind, name: metadata.name, namespace: metadata.namespace ?? '' };
  await cluster.patch(
    ref,
    { type: 'merge', value: { status: { state: 'Paused' } } },
    { subresource: 'status' },
  );
}
