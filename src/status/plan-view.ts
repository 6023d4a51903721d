import type { LifecyclePlan } from '../api/lifecycle-plan.ts';
import { closedStages, nameOfPlanWait } from './name-of-wait.ts';
import type { PlanView } from './view.ts';

/** The plan as a person is shown it beside the services. */
export function planView(plan: LifecyclePlan): PlanView {
  const { spec, status } = plan;
  const { approval } = spec;
  const state = status?.state ?? 'WaitingForApproval';
  const wait = nameOfPlanWait(plan);
  return {
    name: plan.metadata.name,
    state,
    digest: spec.digest,
    steps: spec.plan.steps.length,
    done: (status?.steps ?? []).filter(({ end }) => end !== undefined).length,
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

/** Consents that steps of a plan need and nobody gave, as `afloat approve --consent` takes them. */
export function missingConsents({ spec }: LifecyclePlan): string[] {
  const given = new Set((spec.approval?.consents ?? []).map(({ step, consent }) => `${step}=${consent}`));
  return spec.plan.steps
    .flatMap(({ id, consents }) => consents.map(consent => `${id}=${consent}`))
    .filter(needed => !given.has(needed));
}
