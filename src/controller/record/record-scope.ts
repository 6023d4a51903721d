import type { WayStatus } from '../../api/phase-kinds.ts';
import type { ResolvedRecord } from '../../record/record.ts';
import { waysOf } from '../../status/ways.ts';
import type { EngineWorld } from '../engine-world.ts';
import { stateOfService } from '../flow/flow-scope.ts';
import { byRecord, byService } from '../indexes.ts';
import type { ServiceState } from '../observe/service-state.ts';
import {
  byAge,
  type FlowObject,
  type PhaseObject,
  type PlanObject,
  type RecordObject,
  type RevisionObject,
  under,
} from '../our-objects.ts';
import { isKeeper } from '../phase/is-keeper.ts';
import { planHasEnded } from '../plan/plan-controller.ts';
import type { PlannedCloud } from './plan-cloud.ts';

/** What one pass over a record knows. */
export interface RecordScope {
  readonly world: EngineWorld;
  readonly object: RecordObject;
  readonly namespace: string;
  /** Its plans, the newest first. */
  readonly plans: readonly PlanObject[];
  /** Plans that have not ended. */
  readonly open: readonly PlanObject[];
  /** What is known of every service that the record names, or that was ever here. */
  readonly services: readonly ServiceState[];
  /** Who answers clients, way by way, by service. */
  readonly ways: (service: string) => readonly WayStatus[];
  readonly now: number;
  /** Filled in by `resolve`. */
  record?: ResolvedRecord;
  /** Filled in by `plan`, where it is time to plan. */
  planned?: PlannedCloud;
}

/** Gathers what a pass goes by. */
export function recordScope(world: EngineWorld, object: RecordObject): RecordScope {
  const { namespace = '', name } = object.metadata;
  const key = `${namespace}/${name}`;
  const plans = under<PlanObject>(world.plans, byRecord, key).toSorted(byAge).toReversed();
  const names = new Set([
    ...object.spec.services.map(service => service.name),
    ...under<RevisionObject>(world.revisions, byRecord, key).map(({ spec }) => spec.service),
    ...under<FlowObject>(world.flows, byRecord, key).map(({ spec }) => spec.serviceName),
  ]);
  return {
    world,
    object,
    namespace,
    plans,
    open: plans.filter(plan => !planHasEnded(plan)),
    services: [...names].sort().map(service => stateOfService(world, namespace, service)),
    ways: service => waysOf({ phases: keepersOf(world, namespace, service) }, service),
    now: world.clock.wall(),
  };
}

/** The phases that put a service in order: those that keep it say who answers its clients. */
function keepersOf(world: EngineWorld, namespace: string, service: string): readonly PhaseObject[] {
  const key = `${namespace}/${service}`;
  return world.phases.flatMap(informer => under<PhaseObject>(informer, byService, key).filter(isKeeper));
}
