import type { StoredObject } from '../../cluster/cluster.ts';
import { ends } from '../../flow/ends.ts';
import { partsOf, placeOf } from '../../reconcile/informer.ts';
import { isMoreThanStatus } from '../../reconcile/more-than-status.ts';
import type { Controller } from '../../reconcile/reconcile.ts';
import type { Again } from '../../reconcile/work-queue.ts';
import type { OlderWord } from '../../status/older-words.ts';
import type { EngineWorld } from '../engine-world.ts';
import { flowTurns } from '../flow-turns.ts';
import { isHandMade } from '../hand-made.ts';
import {
  type FlowObject,
  flowType,
  one,
  type PhaseObject,
  phaseTypes,
  summarySeconds,
} from '../our-objects.ts';
import { tellEvent } from '../runtime/events.ts';
import { finish } from '../runtime/finish.ts';
import { runSteps, type StepOutcome } from '../runtime/outcome.ts';
import { type FlowScope, flowScope } from './flow-scope.ts';
import { flowSteps, stateWords } from './flow-steps.ts';
import { handMadeFlow } from './hand-made-flow.ts';
import { handOver } from './hand-over.ts';

/** Carries out flows: one pass looks where a flow is and begins the next move, if any. */
export function flowController(world: EngineWorld): Controller {
  return {
    name: 'flow',
    workers: 8,
    pass: place => pass(world, place),
    watches: [
      { type: flowType, keysOf: itself, isNews: isMoreThanStatus },
      // What it told last was told by a pass, which asks for the next one where there is more to do.
      {
        type: flowType,
        keysOf: itself,
        gatherSeconds: (flow: FlowObject) => (isUnderWay(flow) ? summarySeconds : 0),
      },
      { type: flowType, keysOf: object => queued(world, object as FlowObject), isNews: flowTurns },
      ...phaseTypes.map(type => ({
        type,
        keysOf: (object: PhaseObject) => {
          const { move, openstackServiceName: serviceName } = object.spec;
          // One that stands alone may be what a flow by hand begins at, or of a flow that was brought along and waits for it.
          if (!move)
            return [
              ...queued(world, { metadata: object.metadata, spec: { serviceName } }),
              ...ownersOf(object),
            ];
          return [placeOf(object.metadata.namespace, move.oslc)];
        },
        // Until it is over, a phase has only told how far it is.
        gatherSeconds: ({ spec, status }: PhaseObject) =>
          spec.move && status?.finishedAt === undefined ? summarySeconds : 0,
      })),
    ] as Controller['watches'],
  };
}

function itself({ metadata }: StoredObject): string[] {
  return [placeOf(metadata.namespace, metadata.name)];
}

function ownersOf({ metadata }: StoredObject): string[] {
  const { namespace, ownerReferences = [] } = metadata;
  return ownerReferences
    .filter(({ kind }) => kind === flowType.kind)
    .map(({ name }) => placeOf(namespace, name));
}

/** Of a plan, begun and not over. */
function isUnderWay({ spec, status }: FlowObject): boolean {
  return spec.planned !== undefined && status?.startedAt !== undefined && status.end === undefined;
}

/** Flows of the same service that may wait for this one: before they begin, or for its soak to end. */
function queued(
  world: EngineWorld,
  object: { readonly metadata: FlowObject['metadata']; readonly spec: { readonly serviceName: string } },
): string[] {
  const { namespace } = object.metadata;
  return (world.flows.by('afloat-service', `${namespace}/${object.spec.serviceName}`) as FlowObject[])
    .filter(({ metadata, status }) => metadata.name !== object.metadata.name && status?.end === undefined)
    .map(({ metadata }) => placeOf(metadata.namespace, metadata.name));
}

async function pass(world: EngineWorld, place: string): Promise<Again> {
  const { namespace, name } = partsOf(place);
  const object = one<FlowObject>(world.flows, namespace, name);
  if (!object || object.metadata.deletionTimestamp !== undefined) return undefined;
  const { planned } = object.spec;
  if (object.status?.end !== undefined) return isHandMade(object) ? handOver(world, object) : undefined;
  if (!planned) return handMadeFlow(world, object);
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
    ...(isHandMade(object) ? { older: olderWord(scope, words.actualState, outcome) } : {}),
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

/** The older reasons speak of what was asked for; of a flow that is something else than a phase. */
const deeds: Readonly<Record<string, string>> = { install: 'Install', uninstall: 'Uninstall' };

function olderWord(
  { planned, status }: FlowScope,
  state: ReturnType<typeof stateWords>['actualState'],
  outcome: StepOutcome,
): OlderWord {
  const deed = deeds[planned.step.flow] ?? 'Update';
  const message = (status.because ?? '').slice(0, 1024);
  if (state === 'deployed') return { type: 'Deployed', reason: `${deed}Successful`, message };
  if (state === 'uninstalled')
    return { type: 'Deployed', status: 'False', reason: 'UninstallSuccessful', message };
  if (status.end === 'irreconcilable') return { type: 'Irreconcilable', reason: `${deed}Error`, message };
  if (status.end !== undefined) return { type: 'Failed', reason: `${deed}Error`, message };
  const said = 'reason' in outcome ? outcome : { reason: 'InPhase', message: '' };
  const type = state === 'pending' ? 'Pending' : 'Running';
  return { type, reason: said.reason, message: said.message.slice(0, 1024) };
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
