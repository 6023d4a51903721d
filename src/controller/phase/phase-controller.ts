import { phaseLabel, serviceLabel } from '../../api/labels.ts';
import type { StoredObject } from '../../cluster/cluster.ts';
import { partsOf, placeOf } from '../../reconcile/informer.ts';
import type { Controller, Watched } from '../../reconcile/reconcile.ts';
import type { Again } from '../../reconcile/work-queue.ts';
import type { EngineWorld } from '../engine-world.ts';
import { byService } from '../indexes.ts';
import { type FlowObject, flowType, type PhaseObject, phaseTypes } from '../our-objects.ts';
import { carryOutPhase } from './carry-out-phase.ts';
import { claimPhase } from './claim-phase.ts';
import { keepInOrder } from './keep-in-order.ts';
import { layOutPhase } from './lay-out-phase.ts';

/** Kinds whose changes may let a phase go on. */
const workTypes = [
  { apiVersion: 'batch/v1', kind: 'Job' },
  { apiVersion: 'batch/v1', kind: 'CronJob' },
  { apiVersion: 'v1', kind: 'Pod' },
  { apiVersion: 'v1', kind: 'Service' },
  { apiVersion: 'v1', kind: 'ConfigMap' },
  { apiVersion: 'apps/v1', kind: 'Deployment' },
  { apiVersion: 'apps/v1', kind: 'StatefulSet' },
  { apiVersion: 'apps/v1', kind: 'DaemonSet' },
];

/** Carries out phases of all nine kinds with one engine. */
export function phaseController(world: EngineWorld): Controller {
  const own: Watched[] = phaseTypes.map(type => ({
    type,
    keysOf: ({ metadata }) => [placeOf(metadata.namespace, metadata.name)],
  }));
  const work: Watched[] = workTypes.map(type => ({ type, keysOf: object => concerned(world, object) }));
  const flows: Watched = { type: flowType, keysOf: object => ofFlow(world, object as FlowObject) };
  return {
    name: 'phase',
    workers: 16,
    pass: place => pass(world, place),
    watches: [...own, ...work, flows],
  };
}

async function pass(world: EngineWorld, place: string): Promise<Again> {
  const { namespace, name } = partsOf(place);
  const found = world.phases.map(informer => informer.get(namespace, name)).find(one => one !== undefined);
  const object = found as PhaseObject | undefined;
  if (!object || object.metadata.deletionTimestamp !== undefined) return undefined;
  const { move, targetState } = object.spec;
  if (!move || targetState === 'uninitialized') return layOutPhase(world, object);
  if (object.status?.finishedAt !== undefined) return keepInOrder(world, object);
  const claimed = await claimPhase(world, object);
  return claimed ? carryOutPhase(world, claimed) : undefined;
}

/** The phases an object of a service is about: its own, where it is a task; else those of its service. */
function concerned(world: EngineWorld, { metadata }: StoredObject): string[] {
  const phase = metadata.labels?.[phaseLabel];
  if (phase !== undefined) return [placeOf(metadata.namespace, phase)];
  const service = metadata.labels?.[serviceLabel];
  if (service === undefined) return [];
  return placesOf(world, byService, `${metadata.namespace}/${service}`);
}

/**
 * What a person says to a flow (the soak ends, so many may be cut) concerns the phase that runs; that it ended concerns the phase that
 * keeps the service in order from then on, which may be one of another flow.
 */
function ofFlow(world: EngineWorld, { metadata, spec }: FlowObject): string[] {
  return placesOf(world, byService, `${metadata.namespace}/${spec.serviceName}`);
}

/** Phases that are not over, and those that keep a service in order. */
function placesOf(world: EngineWorld, index: string, key: string): string[] {
  return world.phases
    .flatMap(informer => informer.by(index, key) as PhaseObject[])
    .filter(
      ({ status, spec }) =>
        status?.finishedAt === undefined || spec.move?.task === 'settle' || spec.move?.task === 'adjust',
    )
    .map(({ metadata }) => placeOf(metadata.namespace, metadata.name));
}
