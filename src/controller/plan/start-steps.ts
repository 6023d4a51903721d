import { managedBy, managedByLabel, serviceLabel } from '../../api/labels.ts';
import type { PlanStep } from '../../api/lifecycle-plan.ts';
import { digestJson } from '../../base/digest.ts';
import { isReason } from '../../cluster/cluster-error.ts';
import { flowType } from '../our-objects.ts';
import { type PlanScope, readySteps } from './plan-scope.ts';

/** What holds further steps back, where something does. */
export interface HeldBack {
  readonly reason: 'stage' | 'parallel';
  readonly message: string;
}

/** Begins the steps whose turn it is: no more at once than the record allows, and none of a stage whose gate is shut. */
export async function startSteps(scope: PlanScope): Promise<HeldBack | undefined> {
  const { object, record, flows } = scope;
  const { plan, openedStages } = object.spec;
  const going = [...flows.values()].filter(
    ({ status }) => status?.end === undefined && status?.settledAt === undefined,
  ).length;
  let free = (record?.spec.maxParallel ?? 1) - going;
  let held: HeldBack | undefined;
  for (const step of readySteps(scope)) {
    const stage = plan.stages.find(({ name }) => name === step.stage);
    if (stage?.gate === 'manual' && !openedStages.includes(stage.name)) {
      const message = `Stage ${stage.name} begins when a person lets it: afloat approve ${object.metadata.name} --stage ${stage.name}`;
      held = { reason: 'stage', message };
      continue;
    }
    if (free <= 0) {
      held ??= {
        reason: 'parallel',
        message: `No more than ${record?.spec.maxParallel ?? 1} flows run at once.`,
      };
      continue;
    }
    free--;
    await startStep(scope, step);
  }
  return held;
}

/** The name of the flow of a step: the same whenever it is asked for. */
export function flowName(plan: string, step: PlanStep): string {
  const hash = digestJson([plan, step.id]).slice(7, 17);
  return `${step.service.slice(0, 35)}-${step.flow}-${hash}`;
}

async function startStep({ world, object, namespace, record }: PlanScope, step: PlanStep): Promise<void> {
  const { spec, metadata } = object;
  const target = spec.targets.find(({ service }) => service === step.service)?.digest;
  const by = spec.approval?.approvedBy;
  const agreedTo = (spec.approval?.consents ?? [])
    .filter(given => given.step === step.id)
    .map(({ consent }) => consent);
  try {
    await world.reconciling.create({
      ...flowType,
      metadata: {
        name: flowName(metadata.name, step),
        namespace,
        labels: { [managedByLabel]: managedBy, [serviceLabel]: step.service },
      },
      spec: {
        serviceName: step.service,
        source: { type: 'plan', location: metadata.name },
        flowKind: step.flow,
        planned: {
          deployment: spec.deployment,
          plan: metadata.name,
          step,
          ...(target === undefined ? {} : { target }),
          holds: spec.holds,
          ...(by === undefined ? {} : { by }),
          agreedTo,
          serviceAccountName: record?.spec.serviceAccountName ?? 'default',
        },
      },
    });
  } catch (error) {
    if (!isReason(error, 'AlreadyExists')) throw error;
  }
}
