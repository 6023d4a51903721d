import type { LifecyclePlan } from '../api/lifecycle-plan.ts';
import type { CloudObjects } from './cloud-objects.ts';
import { endFacts } from './end-facts.ts';
import { closedStages, nameOfPlanWait, planState } from './name-of-wait.ts';
import type { PlanView } from './view.ts';

/** The plan as a person is shown it beside the services. A step is done when its flow came to the end it was asked for, or only soaks. */
export function planView(plan: LifecyclePlan, { flows }: CloudObjects): PlanView {
  const { spec, status } = plan;
  const { approval } = spec;
  const state = planState(plan);
  const settled = new Set(
    flows.filter(flow => flow.status?.settledAt !== undefined).map(({ metadata }) => metadata.name),
  );
  const wait = nameOfPlanWait(plan);
  return {
    name: plan.metadata.name,
    state,
    digest: spec.digest,
    steps: spec.plan.steps.length,
    done: (status?.steps ?? []).filter(({ end, flow }) =>
      end === undefined ? settled.has(flow ?? '') : !endFacts[end].held,
    ).length,
    estimateSeconds: spec.plan.estimateSeconds,
    impact: spec.plan.impact,
    approval: {
      needed: state === 'WaitingForApproval',
      ...(approval === undefined ? {} : { by: approval.approvedBy }),
      ...(approval?.expiresAt === undefined ? {} : { expiresAt: approval.expiresAt }),
      missing: missingConsents(plan),
    },
    closedStages: closedStages(plan),
    waits: [
      ...(wait ? [wait] : []),
      ...spec.plan.waiting.map(({ service, reason, message, advice }) => ({
        service,
        reason,
        message,
        advice,
      })),
    ],
  };
}

/**
 * Consents that steps of a plan need before it starts and nobody gave, as `afloat approve --consent` takes them. A restore is not among
 * them: its flow asks, before it touches anything, when it can say what would be lost.
 */
export function missingConsents({ spec }: Pick<LifecyclePlan, 'spec'>): string[] {
  const given = new Set((spec.approval?.consents ?? []).map(({ step, consent }) => `${step}=${consent}`));
  return spec.plan.steps
    .flatMap(({ id, consents }) =>
      consents.filter(consent => consent !== 'restore').map(consent => `${id}=${consent}`),
    )
    .filter(needed => !given.has(needed));
}

/** Steps that ask a person about a restore when they have begun, because nobody agreed to it before. */
export function stepsThatAsk({ spec }: Pick<LifecyclePlan, 'spec'>): string[] {
  const agreed = (spec.approval?.consents ?? []).filter(({ consent }) => consent === 'restore');
  return spec.plan.steps
    .filter(({ id, consents }) => consents.includes('restore') && !agreed.some(({ step }) => step === id))
    .map(({ id }) => id);
}
