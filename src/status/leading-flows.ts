import type { LifecyclePlan } from '../api/lifecycle-plan.ts';
import type { Oslc } from '../api/oslc.ts';
import { byAge, type CloudObjects, newestPlan, type Seen } from './cloud-objects.ts';
import { endFacts } from './end-facts.ts';

/** The part of a service a flow is about: `nova`, or `nova.compute@zone-a`. */
export function partOfFlow({ spec }: Oslc): string {
  const step = spec.planned?.step;
  return step === undefined ? spec.serviceName : step.id.slice(0, -step.flow.length - 1);
}

/** The newest flow of each part of a service, the oldest first. A flow of the whole service counts for all its parts. */
export function newestFlows({ flows }: CloudObjects, service: string): Seen<Oslc>[] {
  const newest = new Map<string, Seen<Oslc>>();
  for (const flow of byAge(flows)) {
    if (flow.spec.serviceName !== service) continue;
    const part = partOfFlow(flow);
    if (part === service) newest.clear();
    newest.delete(part); // so that the order is that of age
    newest.set(part, flow);
  }
  return [...newest.values()];
}

/** Whether what a flow was to bring is kept from being tried again. A newer plan that brings something else makes it void. */
export function holds(flow: Oslc, objects: CloudObjects): boolean {
  const { end } = flow.status ?? {};
  if (end === undefined || flow.spec.released) return false;
  if (!endFacts[end].held && !flow.spec.planned?.holds) return false;
  const plan = newestPlan(objects);
  if (!plan || plan.metadata.name === flow.spec.planned?.plan) return true;
  const isOver = plan.status?.state === 'Expired' || plan.status?.state === 'Aborted';
  return isOver || !changesTarget(plan, flow);
}

/** Whether a plan brings a service to something else than what a flow failed to bring. */
function changesTarget({ spec }: LifecyclePlan, flow: Oslc): boolean {
  const service = flow.spec.serviceName;
  if (!spec.plan.steps.some(step => step.service === service)) return false;
  const target = spec.targets.find(one => one.service === service)?.digest;
  return target === undefined || target !== flow.spec.planned?.target;
}

/** The flow of a service that a person must know of first: one that asks, runs, soaks, holds, or just the newest. */
export function leadingFlow(objects: CloudObjects, service: string): Seen<Oslc> | undefined {
  const urgency = (flow: Oslc): number => {
    const { status } = flow;
    if (status?.question && !status.end) return 5;
    if (status?.end === 'irreconcilable' || status?.end === 'withdrawn') return holds(flow, objects) ? 4 : 0;
    if (!status?.end) return status?.settledAt ? 2 : 3;
    return holds(flow, objects) ? 1 : 0;
  };
  return newestFlows(objects, service).reduce<Seen<Oslc> | undefined>(
    (first, flow) => (first === undefined || urgency(flow) >= urgency(first) ? flow : first),
    undefined,
  );
}
