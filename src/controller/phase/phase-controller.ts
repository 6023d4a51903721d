import type { MoveTask } from '../../api/flow-kinds.ts';
import { phaseLabel, serviceLabel } from '../../api/labels.ts';
import type { StoredObject } from '../../cluster/cluster.ts';
import { partsOf, placeOf } from '../../reconcile/informer.ts';
import { isMoreThanStatus } from '../../reconcile/more-than-status.ts';
import type { Controller, Watched } from '../../reconcile/reconcile.ts';
import type { Again } from '../../reconcile/work-queue.ts';
import type { EngineWorld } from '../engine-world.ts';
import { byService } from '../indexes.ts';
import {
  type FlowObject,
  flowType,
  one,
  type PhaseObject,
  phaseTypes,
  summarySeconds,
} from '../our-objects.ts';
import { carryOutPhase } from './carry-out-phase.ts';
import { claimPhase } from './claim-phase.ts';
import { keepInOrder } from './keep-in-order.ts';
import { keepLossList } from './keep-loss-list.ts';
import { carryOutAlone } from './phase-alone.ts';
import { letGo } from './take-down-phase.ts';
import { workTypes } from './work-types.ts';

/** Carries out phases of all nine kinds with one engine. */
export function phaseController(world: EngineWorld): Controller {
  const itself = (object: StoredObject) => [keyOf(object)];
  const own: Watched[] = phaseTypes.flatMap(type => [
    { type, keysOf: itself, isNews: isMoreThanStatus },
    // What it told last was told by a pass, which asks for the next one where there is more to do.
    {
      type,
      keysOf: itself,
      gatherSeconds: object => (isUnderWay(object as PhaseObject) ? summarySeconds : 0),
    },
  ]);
  const work: Watched[] = [...workTypes, ...world.follows].map(type => ({
    type,
    keysOf: object => concerned(world, object),
  }));
  const flows: Watched = { type: flowType, keysOf: object => ofFlow(world, object as FlowObject) };
  return {
    name: 'phase',
    workers: 16,
    pass: key => pass(world, key),
    watches: [...own, ...work, flows],
  };
}

/** Of a flow, taken on and not over. */
function isUnderWay({ spec, status }: PhaseObject): boolean {
  return spec.move !== undefined && status?.startedAt !== undefined && status.finishedAt === undefined;
}

/** Phases of two kinds may have one name. */
function keyOf({ kind, metadata }: Pick<StoredObject, 'kind' | 'metadata'>): string {
  return `${kind} ${placeOf(metadata.namespace, metadata.name)}`;
}

function find(world: EngineWorld, key: string): PhaseObject | undefined {
  const [kind = '', place = ''] = key.split(' ');
  const { namespace, name } = partsOf(place);
  const type = phaseTypes.find(one => one.kind === kind);
  return type ? one<PhaseObject>(world.reconciling.informer(type), namespace, name) : undefined;
}

async function pass(world: EngineWorld, key: string): Promise<Again> {
  const object = find(world, key);
  if (!object) return undefined;
  const { move, targetState } = object.spec;
  if (object.metadata.deletionTimestamp !== undefined) return letGo(world, object);
  if (!move || targetState === 'uninitialized') return carryOutAlone(world, object);
  if (object.status?.finishedAt !== undefined)
    return move.task === 'list-loss' ? keepLossList(world, object) : keepInOrder(world, object);
  const claimed = await claimPhase(world, object);
  return claimed ? carryOutPhase(world, claimed) : undefined;
}

/** The phases an object of a service is about: the one that owns it, or whose task it is; else those of its service. */
function concerned(world: EngineWorld, { metadata }: StoredObject): string[] {
  const { namespace, labels = {} } = metadata;
  const owners = (metadata.ownerReferences ?? [])
    .filter(({ kind }) => phaseTypes.some(type => type.kind === kind))
    .map(({ kind, name }) => `${kind} ${placeOf(namespace, name)}`);
  if (owners.length > 0) return owners;
  const phase = labels[phaseLabel];
  if (phase !== undefined)
    return phaseTypes
      .map(({ kind }) => `${kind} ${placeOf(namespace, phase)}`)
      .filter(key => find(world, key) !== undefined);
  const service = labels[serviceLabel];
  if (service === undefined) return [];
  return placesOf(world, byService, `${namespace}/${service}`);
}

/**
 * What a person says to a flow (the soak ends, so many may be cut) concerns the phase that runs; that it ended concerns the phase that
 * keeps the service in order from then on, which may be one of another flow.
 */
function ofFlow(world: EngineWorld, { metadata, spec }: FlowObject): string[] {
  return placesOf(world, byService, `${metadata.namespace}/${spec.serviceName}`);
}

/** What a phase goes on doing when it is over: a service is kept in order, a list of losses is made anew. */
const goesOn: ReadonlySet<MoveTask | undefined> = new Set(['settle', 'adjust', 'list-loss']);

/** Phases that are not over, and those that go on. */
function placesOf(world: EngineWorld, index: string, key: string): string[] {
  return world.phases
    .flatMap(informer => informer.by(index, key) as PhaseObject[])
    .filter(({ status, spec }) => status?.finishedAt === undefined || goesOn.has(spec.move?.task))
    .map(keyOf);
}
