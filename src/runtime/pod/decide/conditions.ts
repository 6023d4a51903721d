import { type Container, isSidecar, type Pod } from '../pod-shape.ts';
import type { ContainerStatus, Phase, PodCondition } from '../pod-status-shape.ts';

/** What conditions are worked out from. */
export interface ConditionInput {
  readonly pod: Pod;
  readonly phase: Phase;
  /** Of init containers and main ones. */
  readonly statuses: readonly ContainerStatus[];
  /** There is a place to start containers in. */
  readonly hasRoom: boolean;
  readonly now: number;
}

type Condition = Omit<PodCondition, 'lastTransitionTime' | 'observedGeneration'>;

/** These are a kubelet's own; all others belong to whoever wrote them. */
const ownTypes = ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'];

/** The conditions of a Pod in Kubernetes' own words, those of others kept. */
export function conditionsOf(input: ConditionInput): readonly PodCondition[] {
  const before = input.pod.status?.conditions ?? [];
  const others = before.filter(({ type }) => !ownTypes.includes(type));
  const containersReady = containersReadyOf(input);
  const own: Condition[] = [
    { type: 'PodReadyToStartContainers', status: input.hasRoom ? 'True' : 'False' },
    initializedOf(input),
    readyOf(input, containersReady, others),
    containersReady,
    { type: 'PodScheduled', status: 'True' },
  ];
  return [...others, ...own.map(condition => dated(condition, before, input))];
}

/** With the time it last changed: a new reason is no change. */
export function dated(
  condition: Condition,
  before: readonly PodCondition[],
  { pod, now }: Pick<ConditionInput, 'pod' | 'now'>,
): PodCondition {
  const known = before.find(({ type, status }) => type === condition.type && status === condition.status);
  const { generation } = pod.metadata;
  return {
    ...condition,
    lastTransitionTime: known?.lastTransitionTime ?? isoSeconds(now),
    ...(generation === undefined ? {} : { observedGeneration: generation }),
  };
}

/** A time as Kubernetes writes it. */
export function isoSeconds(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}

function containersReadyOf({ pod, phase, statuses }: ConditionInput): Condition {
  const type = 'ContainersReady';
  if (phase === 'Succeeded') return { type, status: 'False', reason: 'PodCompleted' };
  if (phase === 'Failed') return { type, status: 'False', reason: 'PodFailed' };
  const { initContainers = [], containers } = pod.spec;
  const counted = [...initContainers.filter(isSidecar), ...containers];
  const unready = counted.filter(container => !statusOf(statuses, container)?.ready);
  if (unready.length === 0) return { type, status: 'True' };
  const message = `containers with unready status: ${listed(unready)}`;
  return { type, status: 'False', reason: 'ContainersNotReady', message };
}

function readyOf(
  { pod }: ConditionInput,
  containersReady: Condition,
  others: readonly Condition[],
): Condition {
  if (containersReady.status !== 'True') return { ...containersReady, type: 'Ready' };
  const messages = (pod.spec.readinessGates ?? []).flatMap(({ conditionType }) => {
    const gate = others.find(({ type }) => type === conditionType);
    if (!gate) return `corresponding condition of pod readiness gate "${conditionType}" does not exist.`;
    if (gate.status === 'True') return [];
    return `the status of pod readiness gate "${conditionType}" is not "True", but ${gate.status}`;
  });
  if (messages.length === 0) return { type: 'Ready', status: 'True' };
  return { type: 'Ready', status: 'False', reason: 'ReadinessGatesNotReady', message: messages.join(', ') };
}

function initializedOf({ pod, phase, statuses }: ConditionInput): Condition {
  const type = 'Initialized';
  if (phase === 'Succeeded') return { type, status: 'True', reason: 'PodCompleted' };
  const hasBegun = pod.spec.containers.some(container => {
    const status = statusOf(statuses, container);
    return status?.state.running ?? status?.state.terminated ?? status?.lastState.terminated;
  });
  const incomplete = (pod.spec.initContainers ?? []).filter(container => {
    const status = statusOf(statuses, container);
    return !(isSidecar(container) ? status?.started : status?.ready);
  });
  if (hasBegun || incomplete.length === 0) return { type, status: 'True' };
  const message = `containers with incomplete status: ${listed(incomplete)}`;
  return { type, status: 'False', reason: 'ContainersNotInitialized', message };
}

function statusOf(statuses: readonly ContainerStatus[], { name }: Container): ContainerStatus | undefined {
  return statuses.find(status => status.name === name);
}

/** As Go prints a list. */
function listed(containers: readonly Container[]): string {
  return `[${containers.map(({ name }) => name).join(' ')}]`;
}
