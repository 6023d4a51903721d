import { apiVersion } from '../api/group.ts';
import type { LifecyclePlan, PlanStep } from '../api/lifecycle-plan.ts';
import { lifecyclePlan } from '../api/lifecycle-plan.ts';
import { type OpenstackDeployment, openstackDeployment } from '../api/openstack-deployment.ts';
import type { Oslc, OslcStatus } from '../api/oslc.ts';
import { oslc } from '../api/oslc.ts';
import { type MoveStatus, type PhaseStatus, phaseKinds } from '../api/phase-kinds.ts';
import { applyDefaults } from '../api/schema/defaults.ts';
import { type RevisionSpec, type ServiceRevision, serviceRevision } from '../api/service-revision.ts';
import { digestJson } from '../base/digest.ts';
import { makeFlow } from '../flow/flow.ts';
import type { CloudObjects, PhaseObject, Seen } from '../status/cloud-objects.ts';

/** The night on which everything in these tests happens. */
export const night = '2026-03-14';

/** A moment of that night: `at('02:10')`. */
export function at(time: string): string {
  return `${night}T${time.length === 5 ? `${time}:00` : time}Z`;
}

const namespace = 'openstack';

/** A record with services by version; what is written of its status is laid over one that has been looked at. */
export function aRecord(
  services: Readonly<Record<string, string>>,
  more: {
    readonly spec?: object;
    readonly status?: Partial<NonNullable<OpenstackDeployment['status']>>;
  } = {},
): Seen<OpenstackDeployment> {
  const written = {
    source: { type: 'local', location: 'packages/{name}/{version}' },
    services: Object.entries(services).map(([name, version]) => ({ name, version })),
    ...more.spec,
  };
  return {
    apiVersion,
    kind: openstackDeployment.kind,
    metadata: { name: 'north', namespace, generation: 2, creationTimestamp: at('00:00') },
    spec: applyDefaults(openstackDeployment.spec.json, written) as OpenstackDeployment['spec'],
    status: { observedGeneration: 2, ...more.status },
  };
}

/** A plan with these steps in one state. */
export function aPlan(
  steps: readonly PlanStep[],
  state: NonNullable<NonNullable<LifecyclePlan['status']>['state']>,
  more: {
    readonly spec?: object;
    readonly plan?: object;
    readonly status?: object;
    readonly name?: string;
  } = {},
): Seen<LifecyclePlan> {
  const name = more.name ?? 'north-2';
  const plan = {
    cloud: 'north',
    recordDigest: digestJson('record'),
    approval: 'manual',
    stages: [{ name: 'controlplane', gate: 'automatic' }],
    steps,
    back: [],
    waiting: [],
    offers: [],
    notes: [],
    impact: steps[0]?.impact ?? { api: 'none', workloads: 'none' },
    estimateSeconds: steps.reduce((sum, { estimateSeconds }) => sum + estimateSeconds, 0),
    ...more.plan,
  };
  const written = { deployment: 'north', recordGeneration: 2, digest: digestJson(plan), plan, ...more.spec };
  return {
    apiVersion,
    kind: lifecyclePlan.kind,
    metadata: { name, namespace, creationTimestamp: at('01:59') },
    spec: applyDefaults(lifecyclePlan.spec.json, written) as LifecyclePlan['spec'],
    status: { state, ...more.status },
  };
}

/** What one move did; each is begun a minute after the one before. */
export type MoveScript =
  | string
  | { readonly id: string; readonly state?: MoveStatus['state']; readonly message?: string };

/** A flow of a step that began these moves: all done, unless they say otherwise. */
export function aFlow(
  step: PlanStep,
  moves: readonly MoveScript[],
  more: {
    readonly status?: Partial<OslcStatus>;
    readonly spec?: object;
    readonly planned?: object;
    readonly began?: string;
    readonly name?: string;
  } = {},
): Seen<Oslc> {
  const began = more.began ?? '02:00';
  const name = more.name ?? `north-2-${step.id.replaceAll(/[^a-z0-9]+/g, '-')}`;
  const spec = {
    serviceName: step.service,
    source: { type: 'plan', location: 'north-2' },
    flowKind: step.flow,
    planned: { deployment: 'north', plan: 'north-2', step, by: 'mara', ...more.planned },
    ...more.spec,
  };
  return {
    apiVersion,
    kind: oslc.kind,
    metadata: { name, namespace, creationTimestamp: at(began) },
    spec: applyDefaults(oslc.spec.json, spec) as Oslc['spec'],
    status: {
      startedAt: at(began),
      moves: moves.map((move, index) => moveStatus(step, name, began, move, index)),
      ...more.status,
    },
  };
}

function moveStatus(
  step: PlanStep,
  flow: string,
  began: string,
  script: MoveScript,
  index: number,
): MoveStatus {
  const { id, state = 'done', message } = typeof script === 'string' ? { id: script } : script;
  const moves = Object.values(makeFlow(step).paths).flatMap(path => path.moves);
  const move = moves.find(one => one.id === id);
  if (!move) throw new TypeError(`the flow has no move ${id}`);
  return {
    id,
    phase: move.phase,
    name: `${flow}-${index}`,
    state,
    ...(message === undefined ? {} : { message }),
    startedAt: minutesAfter(began, index),
    ...(state === 'running' ? {} : { finishedAt: minutesAfter(began, index + 1) }),
  };
}

function minutesAfter(began: string, minutes: number): string {
  const [hours = 0, start = 0] = began.split(':').map(Number);
  const all = hours * 60 + start + minutes;
  const two = (value: number) => String(value).padStart(2, '0');
  return at(`${two(Math.floor(all / 60))}:${two(all % 60)}`);
}

/** The phase object of the last move of a flow. */
export function aPhase(flow: Oslc, status: Partial<PhaseStatus>): Seen<PhaseObject> {
  const move = flow.status?.moves?.at(-1);
  const kind = phaseKinds.find(one => one.phase === move?.phase);
  if (!move || !kind) throw new TypeError('the flow has no move');
  return {
    apiVersion,
    kind: kind.kind,
    metadata: { name: move.name, namespace, creationTimestamp: move.startedAt ?? at('02:00') },
    spec: {
      source: { type: 'plan', location: 'north-2' },
      openstackServiceName: flow.spec.serviceName,
      targetState: 'deployed',
      move: { oslc: flow.metadata.name, id: move.id, task: 'test', side: 'new' },
    },
    status,
  };
}

/** A revision of a service. */
export function aRevision(
  service: string,
  number: number,
  version: string,
  more: Partial<RevisionSpec> = {},
): Seen<ServiceRevision> {
  const part = {
    component: service,
    version,
    packageDigest: digestJson([service, version]),
    inventory: [],
    slices: [number % 2 === 0 ? 'green' : 'blue'],
  };
  const written = {
    deployment: 'north',
    service,
    number,
    version,
    flow: 'upgrade',
    parts: [part],
    by: 'mara',
    ...more,
  };
  return {
    apiVersion,
    kind: serviceRevision.kind,
    metadata: { name: `${service}-${number}`, namespace, creationTimestamp: at(`00:${10 + number}`) },
    spec: applyDefaults(serviceRevision.spec.json, written) as RevisionSpec,
  };
}

/** The objects of a cloud at a moment; what is left out is not there. */
export function aCloud(now: string, objects: Partial<CloudObjects>): CloudObjects {
  return {
    plans: [],
    flows: [],
    phases: [],
    revisions: [],
    now: at(now),
    movesOf: step => makeFlow(step).paths['main']?.moves.map(({ id }) => id) ?? [],
    ...objects,
  };
}
