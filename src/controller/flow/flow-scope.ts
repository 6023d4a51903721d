import type { OslcStatus, PlannedFlow } from '../../api/oslc.ts';
import { type Flow, makeFlow } from '../../flow/flow.ts';
import type { EngineWorld } from '../engine-world.ts';
import { byService, phasesOfFlow } from '../indexes.ts';
import { type ServiceState, serviceState } from '../observe/service-state.ts';
import { type FlowObject, type PhaseObject, type RevisionObject, under } from '../our-objects.ts';

/** What one pass over a flow knows. */
export interface FlowScope {
  readonly world: EngineWorld;
  readonly object: FlowObject;
  readonly namespace: string;
  readonly planned: PlannedFlow;
  readonly flow: Flow;
  readonly phases: readonly PhaseObject[];
  readonly state: ServiceState;
  readonly now: number;
  /** The status as it will be written; steps add to it. */
  status: OslcStatus;
}

/** Gathers what a pass goes by. */
export function flowScope(world: EngineWorld, object: FlowObject, planned: PlannedFlow): FlowScope {
  const namespace = object.metadata.namespace ?? '';
  const { conditions: _conditions, ...status } = object.status ?? {};
  return {
    world,
    object,
    namespace,
    planned,
    flow: flowOf(planned),
    phases: phasesOfFlow(world.phases, namespace, object.metadata.name),
    state: stateOfService(world, namespace, object.spec.serviceName),
    now: world.clock.wall(),
    status,
  };
}

/** Of a step that does not change the chart is drawn once. */
const drawn = new WeakMap<PlannedFlow, Flow>();

function flowOf(planned: PlannedFlow): Flow {
  const known = drawn.get(planned) ?? makeFlow(planned.step);
  drawn.set(planned, known);
  return known;
}

/** What is known of a service. */
export function stateOfService(world: EngineWorld, namespace: string, service: string): ServiceState {
  const key = `${namespace}/${service}`;
  return serviceState(service, {
    revisions: under<RevisionObject>(world.revisions, byService, key),
    flows: under<FlowObject>(world.flows, byService, key),
  });
}

/** RFC 3339. */
export function timeText(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
