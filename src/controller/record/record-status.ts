import type { Plan } from '../../api/lifecycle-plan.ts';
import type { OpenstackDeployment } from '../../api/openstack-deployment.ts';
import { ends } from '../../flow/ends.ts';
import { isDead, isWeak, sayWay } from '../../status/ways.ts';
import type { ServiceState } from '../observe/service-state.ts';
import { isStuck } from '../observe/service-state.ts';
import { done, type StepOutcome } from '../runtime/outcome.ts';
import type { RecordScope } from './record-scope.ts';

/** Nothing tells when a right was given: it is looked at again so often. */
export const lookForRightsSeconds = 30;

export type RecordStatus = NonNullable<OpenstackDeployment['status']>;
type ServiceStatus = NonNullable<RecordStatus['services']>[number];

/** The cloud, service by service. */
export function recordStatus(scope: RecordScope): RecordStatus {
  const [newest] = scope.open.length > 0 ? scope.open : scope.plans;
  return {
    ...(newest ? { plan: newest.metadata.name } : {}),
    services: scope.services.map(state => serviceStatus(scope, state)).slice(0, 1024),
  };
}

function serviceStatus(scope: RecordScope, state: ServiceState): ServiceStatus {
  const { service, current, running, soaking } = state;
  const hold = holdThatCounts(scope, state);
  const wanted = scope.object.spec.services.find(({ name }) => name === service)?.version;
  const serves = (current?.spec.parts.length ?? 0) > 0;
  const version = serves ? current?.spec.version : undefined;
  const waiting = waitingFor(scope, service);
  const because = hold?.status?.because;
  const message = waiting?.message ?? (hold ? because : undefined) ?? running?.status?.reason;
  const reason = hold ? 'HeldAfterRollback' : waiting?.reason;
  return {
    name: service,
    ...(version === undefined ? {} : { version }),
    ...(serves && current ? { revision: current.spec.number } : {}),
    state: stateWord(state, serves, hold !== undefined),
    ...(reason === undefined ? {} : { reason }),
    ...(message === undefined || message === '' ? {} : { message: message.slice(0, 1024) }),
    ...(wanted === undefined || wanted === version ? {} : { wanted }),
    ...(running ? { flow: running.metadata.name } : {}),
    ...(soaking && running?.status?.soakUntil !== undefined ? { soakUntil: running.status.soakUntil } : {}),
  };
}

/** A hold counts as long as the record still asks for what failed: who changed the record has heard of it. */
function holdThatCounts(scope: RecordScope, state: ServiceState): ServiceState['hold'] {
  const isWished = waitingFor(scope, state.service)?.reason === 'HeldAfterRollback';
  return isWished || isStuck(state) ? state.hold : undefined;
}

type WaitingWish = Plan['waiting'][number];

function waitingFor({ planned }: RecordScope, service: string): WaitingWish | undefined {
  return planned && 'plan' in planned ? planned.plan.waiting.find(one => one.service === service) : undefined;
}

function stateWord(state: ServiceState, serves: boolean, isHeld: boolean): string {
  if (state.running && !state.soaking) return 'InFlow';
  if (isStuck(state)) return 'Irreconcilable';
  if (isHeld) return serves ? 'Held' : 'Absent';
  if (!serves) return 'Absent';
  return state.soaking ? 'Soaking' : 'Operational';
}

/** Whether the cloud is as its record says, and what is waited for or stands in the way where it is not. */
export function cloudOutcome(scope: RecordScope, outcome: StepOutcome): StepOutcome {
  if (outcome.kind !== 'done') return outcome;
  const held = scope.services.find(state => holdThatCounts(scope, state));
  return (
    planOutcome(scope) ??
    (held ? holdOutcome(held, waitingFor(scope, held.service)) : undefined) ??
    waitOutcome(scope)
  );
}

/** A plan is under way, or waits for a person. */
function planOutcome({ open: [plan] }: RecordScope): StepOutcome | undefined {
  if (!plan) return undefined;
  const condition = plan.status?.conditions?.find(({ type }) => type === 'Ready');
  const message = `${plan.metadata.name}: ${condition?.message ?? 'is about to begin'}`;
  const { state } = plan.status ?? {};
  const isPersons = state === 'WaitingForApproval' || state === 'WaitingForStage' || state === 'Paused';
  return isPersons
    ? { kind: 'blocked', reason: state, message }
    : { kind: 'wait', reason: state ?? 'Planned', message };
}

/** A service is kept as it is, although the record says otherwise. */
function holdOutcome(held: ServiceState, waiting: WaitingWish | undefined): StepOutcome {
  const { end, because = '' } = held.hold?.status ?? {};
  const isAsked = end === undefined || end === 'operational';
  const says = isAsked ? 'held: a person asked for the way back' : ends[end].says;
  const reason = isStuck(held) ? 'Irreconcilable' : 'HeldAfterRollback';
  // What came after it, such as a record that was changed since, must not be passed over in silence.
  const since = isStuck(held) && waiting ? `${waiting.message} ${waiting.advice}` : '';
  const message = `${held.service}: ${says}. ${isAsked ? '' : because} ${since}`
    .replaceAll(/ +/g, ' ')
    .trim();
  return { kind: 'blocked', reason, message: message.slice(0, 8000) };
}

/** The record wishes something that is not done now. */
function waitOutcome({ planned }: RecordScope): StepOutcome {
  const waiting = planned && 'plan' in planned ? planned.plan.waiting[0] : undefined;
  if (!waiting) return done;
  return waiting.reason === 'FlowRunning'
    ? { kind: 'wait', reason: waiting.reason, message: waiting.message }
    : {
        ...{ kind: 'blocked', reason: waiting.reason, message: `${waiting.message} ${waiting.advice}` },
        ...(planned?.lacksRights ? { afterSeconds: lookForRightsSeconds } : {}),
      };
}

/** Whether clients are served by every service that the record names. */
export function availability(scope: RecordScope): {
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
} {
  const { object, services } = scope;
  const named = object.spec.services.map(({ name }) => services.find(({ service }) => service === name));
  const missing = named.filter(state => (state?.current?.spec.parts.length ?? 0) === 0);
  if (missing.length > 0) {
    const names = missing.flatMap(state => state?.service ?? []).join(', ');
    return { status: 'False', reason: 'NotThereYet', message: `Not there: ${names}.` };
  }
  // A service that the record no longer names was drained for good.
  const drained = named.flatMap(state => (state && isDrained(state) ? [state.service] : []));
  if (drained.length > 0)
    return { status: 'False', reason: 'Drained', message: `No traffic is on ${drained.join(', ')}.` };
  const ways = object.spec.services.flatMap(({ name }) => scope.ways(name));
  const say = (some: typeof ways) => `${some.map(sayWay).join(', ')}.`;
  const dead = ways.filter(isDead);
  if (dead.length > 0) return { status: 'False', reason: 'NotReady', message: `Requests fail: ${say(dead)}` };
  const weak = ways.filter(isWeak);
  if (weak.length > 0)
    return { status: 'True', reason: 'Degraded', message: `Clients are served; ${say(weak)}` };
  return { status: 'True', reason: 'Served', message: 'Clients are served.' };
}

/** Whether the last flow took all traffic and did not give it back: of moves on traffic, the last one tells. */
function isDrained({ flows }: ServiceState): boolean {
  const last = flows.find(({ status }) => status?.startedAt !== undefined);
  const { strategy, flow } = last?.spec.planned?.step ?? {};
  if (strategy !== 'recreate' && flow !== 'uninstall') return false;
  const moved = (last?.status?.moves ?? []).filter(({ id }) => /\/(take|give)-traffic:/.test(id));
  return moved.at(-1)?.id.includes('/take-traffic:') ?? false;
}
