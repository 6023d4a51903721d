import type { LifecyclePlan } from '../../api/lifecycle-plan.ts';
import type { Oslc } from '../../api/oslc.ts';
import { sayDuration } from '../../base/duration.ts';
import { newestPlan, planIsOver } from '../../status/cloud-objects.ts';
import { holds, newestFlows } from '../../status/leading-flows.ts';
import { sayBecause } from '../../status/name-of-wait.ts';
import { sayImpacts } from '../../status/recommend.ts';
import type { Intent } from '../operator-verbs.ts';
import { nameOfFlow, sayAbort } from './say-abort.ts';
import { type Desk, notSo, writeSpec } from './write-spec.ts';

/** No further step of the plan starts. */
export function pause(desk: Desk, name?: string): Intent {
  const plan = openPlan(desk, name);
  if (plan.spec.paused) throw notSo(`plan ${plan.metadata.name} is paused already`);
  const running = openFlows(desk).map(flow => nameOfFlow(flow));
  return {
    says: [
      `No further step of plan ${plan.metadata.name} starts.`,
      running.length > 0
        ? `What runs goes on to its end: ${running.join(', ')}.`
        : 'Nothing runs: the cloud stays exactly as it is.',
    ],
    asks: true,
    carryOut: () => writePlan(desk, plan, { paused: true }, 'paused'),
  };
}

/** The plan goes on where it was paused. */
export function resume(desk: Desk, name?: string): Intent {
  const plan = openPlan(desk, name);
  if (!plan.spec.paused) throw notSo(`plan ${plan.metadata.name} is not paused`);
  const left = plan.spec.plan.steps.filter(
    ({ id }) => plan.status?.steps?.find(step => step.id === id)?.end === undefined,
  );
  return {
    says: [
      `Plan ${plan.metadata.name} goes on: ${left.map(({ id }) => id).join(', ') || 'no step is left'}.`,
    ],
    asks: true,
    carryOut: () => writePlan(desk, plan, { paused: false }, 'resumed'),
  };
}

/** The plan, or the flow of one service, goes to its safest state and ends. */
export function abort(desk: Desk, service: string | undefined): Intent {
  if (service !== undefined) return abortService(desk, service);
  const plan = openPlan(desk);
  const flows = openFlows(desk);
  return {
    says: [
      `No further step of plan ${plan.metadata.name} starts; what is done stays done.`,
      ...flows.map(sayAbort),
    ],
    asks: true,
    carryOut: () => writePlan(desk, plan, { aborted: true }, 'aborted'),
  };
}

function abortService(desk: Desk, service: string): Intent {
  const flows = openFlows(desk).filter(({ spec }) => spec.serviceName === service);
  if (flows.length === 0) throw notSo(`no flow of ${service} runs`);
  return {
    says: flows.map(sayAbort),
    asks: true,
    carryOut: async () => {
      for (const { metadata } of flows) await writeSpec(desk, 'Oslc', metadata.name, { aborted: true });
      return flows.map(flow => `aborting ${nameOfFlow(flow)}`);
    },
  };
}

/** Releases what a service holds. */
export function retry(desk: Desk, service: string): Intent {
  const { objects } = desk.snapshot;
  const held = newestFlows(objects, service).filter(flow => holds(flow, objects));
  if (held.length === 0) throw notSo(`${service} is not held: there is nothing to retry`);
  return {
    says: held.map(flow => {
      const { spec } = flow;
      const step = spec.planned?.step;
      const wanted = objects.record?.spec.services.find(({ name }) => name === service)?.version;
      const what =
        wanted === undefined ? `the ${step?.flow ?? spec.flowKind} of ${service}` : `${service} ${wanted}`;
      const how =
        step === undefined
          ? ''
          : ` It takes about ${sayDuration(step.estimateSeconds)}, ${sayImpacts(step.impact)}.`;
      const why = sayBecause(flow);
      const last = why === undefined ? '' : ` Last time: ${why}.`;
      return `A new plan tries ${what} again.${how}${last}`;
    }),
    asks: true,
    carryOut: async () => {
      for (const { metadata } of held) await writeSpec(desk, 'Oslc', metadata.name, { released: true });
      return [`released the hold of ${service}`];
    },
  };
}

function openPlan({ snapshot }: Desk, name?: string): LifecyclePlan {
  const plan = newestPlan(snapshot.objects);
  if (!plan || planIsOver(plan)) throw notSo('no plan is under way');
  if (name !== undefined && name !== plan.metadata.name)
    throw notSo(`the plan under way is ${plan.metadata.name}, and not ${name}`);
  return plan;
}

function openFlows({ snapshot }: Desk): Oslc[] {
  return snapshot.objects.flows.filter(
    ({ status, spec }) => status?.end === undefined && spec.planned !== undefined,
  );
}

async function writePlan(
  desk: Desk,
  plan: LifecyclePlan,
  spec: { readonly paused?: boolean; readonly aborted?: boolean },
  done: string,
): Promise<string[]> {
  await writeSpec(desk, 'LifecyclePlan', plan.metadata.name, { ...spec });
  return [`${done} plan ${plan.metadata.name}`];
}
