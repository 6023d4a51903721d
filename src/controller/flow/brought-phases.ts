import { managedBy, managedByLabel } from '../../api/labels.ts';
import type { PhaseStatus } from '../../api/phase-kinds.ts';
import { CodedError } from '../../base/coded-error.ts';
import { digestJson } from '../../base/digest.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import type { ClusterObject, StoredObject } from '../../cluster/cluster.ts';
import { isReason } from '../../cluster/cluster-error.ts';
import { identityOf } from '../../package/object-kinds.ts';
import { digestAnnotation } from '../../phase/object/prepare-object.ts';
import { sayObject } from '../../phase/object/say-object.ts';
import type { EngineWorld } from '../engine-world.ts';
import { accountFor } from '../hand-made.ts';
import { type FlowObject, type PhaseObject, phaseTypes } from '../our-objects.ts';
import { forget } from '../record/tidy-up.ts';
import { done, type StepOutcome } from '../runtime/outcome.ts';
import type { ScriptAct } from './flow-script.ts';

/** Where nobody tells when something changed. */
const lookAgainSeconds = 5;

/** Acts of one step on phases: each is done, then all is waited for that they wait for. */
export async function actTogether(
  world: EngineWorld,
  flow: FlowObject,
  acts: readonly ScriptAct[],
): Promise<StepOutcome> {
  for (const act of acts) {
    if (act.does === 'await') continue;
    const outcome = await (act.does === 'make'
      ? makePhase(world, flow, act.phase)
      : setTarget(world, flow, act));
    if (outcome.kind !== 'done') return outcome;
  }
  for (const act of acts) {
    const outcome = act.does === 'await' ? awaitPhase(world, flow, act) : done;
    if (outcome.kind !== 'done') return outcome;
  }
  return done;
}

function phaseAt(world: EngineWorld, flow: FlowObject, kind: string, name: string): PhaseObject | undefined {
  const type = phaseTypes.find(one => one.kind === kind);
  return type && (world.reconciling.informer(type).get(flow.metadata.namespace, name) as PhaseObject);
}

/** Whether a flow may write a phase that is there. The operational one has no owner, for it outlives the flow: it goes by its service. */
function isOfFlow(live: StoredObject, flow: FlowObject): boolean {
  const { labels, ownerReferences = [] } = live.metadata;
  if (labels?.[managedByLabel] !== managedBy) return false;
  if (live.kind !== 'OperationalPhase') return ownerReferences.some(({ uid }) => uid === flow.metadata.uid);
  const { move, openstackServiceName } = (live as PhaseObject).spec;
  return move === undefined && openstackServiceName === flow.spec.serviceName;
}

function refuseOthers(live: StoredObject, flow: FlowObject): void {
  if (isOfFlow(live, flow)) return;
  throw new CodedError('ObjectNotOurs', `${sayObject(live)} is there already, and this flow did not make it`);
}

/** Makes a phase, or gives it the content it has in the flow now, with which it is carried out anew. One of somebody else is not touched. */
async function makePhase(world: EngineWorld, flow: FlowObject, document: JsonObject): Promise<StepOutcome> {
  const object = phaseOfFlow(world, flow, document);
  try {
    await world.reconciling.create(object);
    return done;
  } catch (error) {
    if (!isReason(error, 'AlreadyExists')) throw error;
  }
  const { apiVersion, kind, metadata } = object;
  const { namespace = '', name = '' } = metadata;
  const live = await world.cluster.get({ apiVersion, kind, namespace, name });
  refuseOthers(live, flow);
  const digest = metadata.annotations?.[digestAnnotation] ?? '';
  const { annotations = {} } = live.metadata;
  if (annotations[digestAnnotation] === digest) return done;
  const about = { ...live.metadata, annotations: { ...annotations, [digestAnnotation]: digest } };
  return written(world.reconciling.update({ ...live, metadata: about, spec: object['spec'] }));
}

function phaseOfFlow(world: EngineWorld, flow: FlowObject, document: JsonObject): ClusterObject {
  const { apiVersion, kind, metadata } = flow;
  const { name, uid, namespace = '' } = metadata;
  const owner = { apiVersion, kind, name, uid, controller: true };
  const about = isObject(document['metadata']) ? document['metadata'] : {};
  // A chart says what is done, and neither in whose name nor on whose behalf.
  const { move: _move, ...asked } = (document['spec'] ?? {}) as JsonObject;
  const spec = { ...asked, serviceAccountName: accountFor(world, flow) };
  return {
    ...document,
    metadata: {
      ...{ name: identityOf(document).name, namespace },
      labels: { ...(isObject(about['labels']) ? about['labels'] : {}), [managedByLabel]: managedBy },
      annotations: {
        ...(isObject(about['annotations']) ? about['annotations'] : {}),
        [digestAnnotation]: digestJson(spec),
      },
      ...(document['kind'] === 'OperationalPhase' ? {} : { ownerReferences: [owner] }),
    },
    spec,
  } as unknown as ClusterObject;
}

async function setTarget(
  world: EngineWorld,
  flow: FlowObject,
  act: Extract<ScriptAct, { does: 'set' }>,
): Promise<StepOutcome> {
  const { kind, name, targetState } = act;
  const phase = phaseAt(world, flow, kind, name);
  if (!phase) return missing(act);
  refuseOthers(phase, flow);
  if (phase.spec.targetState === targetState) return done;
  const { namespace = '', resourceVersion } = phase.metadata;
  const ref = { apiVersion: phase.apiVersion, kind, name, namespace };
  const value = { metadata: { resourceVersion }, spec: { targetState } };
  return written(world.reconciling.patch(ref, { type: 'merge', value }));
}

/** A write of the very version that was looked at: who changed it meanwhile is looked at again. */
async function written(write: Promise<unknown>): Promise<StepOutcome> {
  try {
    await write;
    return done;
  } catch (error) {
    if (!isReason(error, 'Conflict', 'NotFound')) throw error;
  }
  const message = 'A phase changed meanwhile, and is looked at again.';
  return { kind: 'wait', reason: 'InPhase', message, afterSeconds: 0 };
}

function missing(phase: { readonly kind: string; readonly name: string }): StepOutcome {
  const message = `${sayPhase(phase)} is not there: the flow speaks of it, and nobody made it.`;
  return { kind: 'blocked', reason: 'PhaseMissing', message };
}

/** A phase as people call it. */
export function sayPhase({ kind, name }: { readonly kind: string; readonly name: string }): string {
  return `${kind} ${name}`;
}

/** A phase that can go on only when a person does something stops the flow; it goes on with it. */
function awaitPhase(
  world: EngineWorld,
  flow: FlowObject,
  act: Extract<ScriptAct, { does: 'await' }>,
): StepOutcome {
  const phase = phaseAt(world, flow, act.kind, act.name);
  if (!phase) return missing(act);
  const { actualState, reason = '', observedGeneration } = phase.status ?? ({} as PhaseStatus);
  const isSeen = observedGeneration === phase.metadata.generation;
  if (isSeen && actualState === act.state) return done;
  if (isSeen && (actualState === 'failed' || actualState === 'error')) {
    const message = `${sayPhase(act)} is ${actualState}: ${reason}`.slice(0, 1000);
    return { kind: actualState === 'failed' ? 'failed' : 'blocked', reason: 'PhaseFailed', message };
  }
  const message = `Waits for ${sayPhase(act)} to be ${act.state}.`;
  return { kind: 'wait', reason: 'InPhase', message, afterSeconds: lookAgainSeconds };
}

/** Takes away the phases that the flow made and no longer brings, with what they made. The operational one outlives whatever made it. */
export async function forgetPhases(
  world: EngineWorld,
  flow: FlowObject,
  acts: readonly ScriptAct[],
): Promise<void> {
  const brought = new Set(acts.map(act => sayPhase(act.does === 'make' ? identityOf(act.phase) : act)));
  const { namespace = '' } = flow.metadata;
  for (const { apiVersion, kind } of phaseTypes) {
    if (kind === 'OperationalPhase') continue;
    for (const live of world.reconciling.informer({ apiVersion, kind }).all()) {
      const { name, namespace: home, deletionTimestamp } = live.metadata;
      const isGone = home !== namespace || deletionTimestamp !== undefined || !isOfFlow(live, flow);
      if (isGone || brought.has(sayPhase({ kind, name }))) continue;
      await forget(world, live);
    }
  }
}
