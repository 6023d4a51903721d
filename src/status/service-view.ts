import type { Oslc } from '../api/oslc.ts';
import type { CloudObjects, Seen } from './cloud-objects.ts';
import { endFacts } from './end-facts.ts';
import { flowView, isOnWayBack, isSoaking } from './flow-view.ts';
import { holds, leadingFlow } from './leading-flows.ts';
import { sayBecause, waitsOf } from './name-of-wait.ts';
import { servingOf } from './serving.ts';
import type { ServiceView, StateWord } from './view.ts';

/** Every service of the record, in its order, then those that the record no longer has and that something is known of. */
export function serviceNames({ record, flows, revisions }: CloudObjects): string[] {
  return [
    ...new Set([
      ...(record?.spec.services.map(({ name }) => name) ?? []),
      ...[...revisions.map(({ spec }) => spec.service), ...flows.map(({ spec }) => spec.serviceName)].sort(
        (a, b) => (a < b ? -1 : 1),
      ),
    ]),
  ];
}

/** One service as a person is shown it; what the controller writes into the record's status is taken from here too. */
export function serviceView(objects: CloudObjects, name: string): ServiceView {
  const wished = objects.record?.spec.services.find(service => service.name === name);
  const flow = leadingFlow(objects, name);
  const by = servingOf(objects, name)[0]?.by.at(-1);
  const { state, reason } = wordsOf(flow, objects, {
    isServed: by !== undefined,
    isPaused: wished?.paused ?? false,
  });
  const isShown = flow !== undefined && (flow.status?.end === undefined || holds(flow, objects));
  return {
    name,
    ...(by?.version === undefined ? {} : { serves: by.version }),
    ...(by?.revision === undefined ? {} : { revision: by.revision }),
    ...(wished === undefined ? {} : { wanted: wished.version }),
    state,
    reason,
    waits: waitsOf(objects, name, flow),
    ...(flow && holds(flow, objects) ? { hold: holdOf(flow, wished?.version) } : {}),
    ...(isShown ? { flow: flowView(flow, objects) } : {}),
  };
}

/** What is held back: the version that failed, or, where a person asked for another, the one the record says. */
function holdOf(flow: Oslc, wanted: string | undefined): NonNullable<ServiceView['hold']> {
  const { spec, status } = flow;
  const end = status?.end ?? 'held';
  const to = endFacts[end].held ? spec.planned?.step.to?.version : wanted;
  return {
    end,
    because: sayBecause(flow) ?? endFacts[end].says,
    ...(to === undefined ? {} : { target: to }),
  };
}

interface Words {
  readonly state: StateWord;
  readonly reason: string;
}

function wordsOf(
  flow: Seen<Oslc> | undefined,
  objects: CloudObjects,
  { isServed, isPaused }: { readonly isServed: boolean; readonly isPaused: boolean },
): Words {
  const status = flow?.status;
  if (flow && status?.end === undefined) return openWords(flow);
  if (flow && status?.end !== undefined && holds(flow, objects)) {
    const { held, state, reason } = endFacts[status.end];
    return held ? { state, reason } : { state: 'Held', reason: 'HeldAfterRollback' };
  }
  if (isPaused) return { state: 'Paused', reason: 'PausedByRecord' };
  return isServed
    ? { state: 'Operational', reason: 'Operational' }
    : { state: 'Absent', reason: status?.end === 'removed' ? 'Removed' : 'NotInstalled' };
}

/** The words for a flow that has not ended. */
function openWords({ status }: Oslc): Words {
  const moves = status?.moves ?? [];
  if (status?.question) return { state: 'Asking', reason: 'WaitsForAnswer' };
  if (isSoaking(moves)) return { state: 'Soaking', reason: 'Soaking' };
  if (moves.some(isOnWayBack)) return { state: 'GoingBack', reason: 'GoingBack' };
  return { state: 'InFlow', reason: 'FlowRunning' };
}
