import { ends } from '../../flow/ends.ts';
import { partsOf, placeOf } from '../../reconcile/informer.ts';
import type { Controller } from '../../reconcile/reconcile.ts';
import type { Again } from '../../reconcile/work-queue.ts';
import type { EngineWorld } from '../engine-world.ts';
import { type FlowObject, flowType, one, type PhaseObject, phaseTypes } from '../our-objects.ts';
import { tellEvent } from '../runtime/events.ts';
import { finish } from '../runtime/finish.ts';
import { runSteps, type StepOutcome } from '../runtime/outcome.ts';
import { type FlowScope, flowScope } from './flow-scope.ts';
import { flowSteps, stateWords } from './flow-steps.ts';
import { layOut } from './hand-made-flow.ts';

/** Carries out flows: one pass looks where a flow is and begins the next move, if any. */
export function flowController(world: EngineWorld): Controller {
  return {
    name: 'flow',
    workers: 8,
    pass: place => pass(world, place),
    watches: [
      {
        type: flowType,
        keysOf: object => [
          placeOf(object.metadata.namespace, object.metadata.name),
          ...queued(world, object as FlowObject),
        ],
      },
      ...phaseTypes.map(type => ({
        type,
        keysOf: (object: PhaseObject) => {
          const flow = object.spec.move?.oslc;
          return flow === undefined ? [] : [placeOf(object.metadata.namespace, flow)];
        },
      })),
    ] as Controller['watches'],
  };
}

/** Flows of the same service that wait for this one. */
function queued(world: EngineWorld, object: FlowObject): string[] {
  const { namespace } = object.metadata;
  return (world.flows.by('afloat-service', `${namespace}/${object.spec.serviceName}`) as FlowObject[])
    .filter(({ status }) => status?.startedAt === undefined)
    .map(({ metadata }) => placeOf(metadata.namespace, metadata.name));
}

async function pass(world: EngineWorld, place: string): Promise<Again> {
  const { namespace, name } = partsOf(place);
  const object = one<FlowObject>(world.flows, namespace, name);
  if (!object || object.metadata.deletionTimestamp !== undefined || object.status?.end !== undefined)
    return undefined;
  const { planned } = object.spec;
  if (!planned) return layOut(world, object);
  const scope = flowScope(world, object, planned);
  const outcome = await runSteps(flowSteps, scope);
  const { status } = scope;
  if (status.end !== undefined) await tellEnd(scope);
  const words = stateWords(scope);
  return finish({
    reconciling: world.reconciling,
    object,
    status: { ...status, ...words, reason: reasonOf(scope, outcome) },
    outcome: outcomeOf(scope, outcome),
    well: { reason: 'Done', message: status.end === undefined ? '' : ends[status.end].says },
    now: scope.now,
  });
}

function reasonOf({ status }: FlowScope, outcome: StepOutcome): string {
  if (status.end !== undefined) return (status.because ?? '').slice(0, 1024);
  return 'message' in outcome ? outcome.message.slice(0, 1024) : '';
}

/** A flow that ended otherwise than it was asked to stalls: nothing follows by itself. */
function outcomeOf({ status }: FlowScope, outcome: StepOutcome): StepOutcome {
  const { end, because } = status;
  if (end === undefined || ends[end].success) return outcome;
  const reason = `${end.charAt(0).toUpperCase()}${end.slice(1)}`;
  return { kind: 'failed', reason, message: `${ends[end].says}. ${because ?? ''}`.trim() };
}

async function tellEnd({ world, object, status, now }: FlowScope): Promise<void> {
  const { end, because = '' } = status;
  if (end === undefined) return;
  const { success, says } = ends[end];
  await tellEvent(
    world.reconciling,
    object,
    { type: success ? 'Normal' : 'Warning', reason: 'FlowEnded', message: `${says}. ${because}`, key: end },
    now,
  );
}
