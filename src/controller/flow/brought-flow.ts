import { managedBy, managedByLabel } from '../../api/labels.ts';
import type { PhaseStatus } from '../../api/phase-kinds.ts';
import { CodedError } from '../../base/coded-error.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import type { ClusterObject } from '../../cluster/cluster.ts';
import { isReason } from '../../cluster/cluster-error.ts';
import { identityOf } from '../../package/object-kinds.ts';
import { putOwned } from '../../phase/act/put-owned.ts';
import type { Notes, Outcome } from '../../phase/phase-run.ts';
import type { EngineWorld } from '../engine-world.ts';
import { accountFor } from '../hand-made.ts';
import { type FlowObject, type PhaseObject, phaseTypes } from '../our-objects.ts';
import { portsAs, refusalIn } from '../phase/carry-out-phase.ts';
import { ownObjects } from '../phase/own-objects.ts';
import { done, type StepOutcome } from '../runtime/outcome.ts';
import { flowDocuments } from './flow-documents.ts';
import { flowScript, isPhase, type ScriptAct } from './flow-script.ts';

/** Where nobody tells when something changed. */
const lookAgainSeconds = 5;

/** So long the tasks of a flow may take in all, where nobody says otherwise: they may wait for each other. */
const longestSeconds = 86_400;

/**
 * One pass over a flow that a chart or a file brings along: what it holds is made, in the name of the flow's account, and owned by the flow;
 * phases are carried out as those that a person writes. A Workflow that only lets them happen one after the other is followed here, and needs
 * no Argo; any other is made, and waited for.
 */
export async function broughtFlow(world: EngineWorld, object: FlowObject): Promise<StepOutcome> {
  const { documents, findings } = await flowDocuments(world, object);
  const others = documents.filter(one => !isPhase(one.object) && !scriptIn(one.object));
  const own = ownObjects(object, others);
  const [wrong] = [...findings, ...own.findings];
  if (wrong) return { kind: 'blocked', reason: wrong.code, message: `${wrong.message}. ${wrong.advice}` };
  const acts: (readonly ScriptAct[])[] = [
    documents.flatMap(one => (isPhase(one.object) ? [{ does: 'make' as const, phase: one.object }] : [])),
    ...documents.flatMap(one => scriptIn(one.object) ?? []),
  ];
  try {
    for (const together of [...acts, lastAwaits(acts)]) {
      const outcome = await actTogether(world, object, together);
      if (outcome.kind !== 'done') return outcome;
    }
    const ports = portsAs(world, object.metadata.namespace ?? '', accountFor(world, object));
    const notes: Notes = { progress: [], backups: [], schemas: [], losses: [] };
    return soon(await putOwned(runOf(world, object), ports, notes, own.objects));
  } catch (error) {
    const refusal = refusalIn(error);
    if (!refusal) throw error;
    return refusal;
  }
}

function scriptIn(object: JsonObject): readonly (readonly ScriptAct[])[] | undefined {
  return object['kind'] === 'Workflow' ? flowScript(object) : undefined;
}

/** Acts of one step: each is done, then all is waited for that they wait for. */
async function actTogether(
  world: EngineWorld,
  flow: FlowObject,
  acts: readonly ScriptAct[],
): Promise<StepOutcome> {
  for (const act of acts) {
    if (act.does === 'make') await makePhase(world, flow, act.phase);
    if (act.does === 'set') await setTarget(world, flow, act);
  }
  for (const act of acts) {
    const outcome = act.does === 'await' ? awaitPhase(world, flow, act) : done;
    if (outcome.kind !== 'done') return outcome;
  }
  return done;
}

/** Phases that no step of a script waits for, or changes, come to what they ask for themselves. */
function lastAwaits(script: readonly (readonly ScriptAct[])[]): readonly ScriptAct[] {
  const acts = script.flat();
  const isSet = (kind: string, name: string) =>
    acts.some(act => act.does === 'set' && act.kind === kind && act.name === name);
  return acts.flatMap(act => {
    if (act.does !== 'make') return [];
    const { kind, name } = identityOf(act.phase);
    const spec = isObject(act.phase['spec']) ? act.phase['spec'] : {};
    const state = String(spec['targetState'] ?? '') || 'deployed';
    return state === 'uninitialized' || isSet(kind, name) ? [] : [{ does: 'await', kind, name, state }];
  });
}

function phaseAt(world: EngineWorld, flow: FlowObject, kind: string, name: string): PhaseObject | undefined {
  const type = phaseTypes.find(one => one.kind === kind);
  return type && (world.reconciling.informer(type).get(flow.metadata.namespace, name) as PhaseObject);
}

/** Makes a phase unless it is there; one that somebody else made is not touched. The operational one outlives the flow. */
async function makePhase(world: EngineWorld, flow: FlowObject, document: JsonObject): Promise<void> {
  const object = phaseOfFlow(world, flow, document);
  try {
    await world.reconciling.create(object);
    return;
  } catch (error) {
    if (!isReason(error, 'AlreadyExists')) throw error;
  }
  const { kind, metadata } = object;
  const { namespace = '', name = '' } = metadata;
  const live = await world.cluster.get({ apiVersion: object.apiVersion, kind, namespace, name });
  const isOurs =
    live.metadata.labels?.[managedByLabel] === managedBy &&
    (kind === 'OperationalPhase' ||
      live.metadata.ownerReferences?.some(({ uid }) => uid === flow.metadata.uid));
  if (isOurs !== true)
    throw new CodedError('ObjectNotOurs', `${kind} ${name} is there already, and this flow did not make it`);
}

function phaseOfFlow(world: EngineWorld, flow: FlowObject, document: JsonObject): ClusterObject {
  const { apiVersion, kind, metadata } = flow;
  const { name, uid, namespace = '' } = metadata;
  const owner = { apiVersion, kind, name, uid, controller: true };
  const about = isObject(document['metadata']) ? document['metadata'] : {};
  // A chart says what is done, and neither in whose name nor on whose behalf.
  const { move: _move, ...spec } = (document['spec'] ?? {}) as JsonObject;
  return {
    ...document,
    metadata: {
      ...{ name: identityOf(document).name, namespace },
      labels: { ...(isObject(about['labels']) ? about['labels'] : {}), [managedByLabel]: managedBy },
      annotations: isObject(about['annotations']) ? about['annotations'] : {},
      ...(document['kind'] === 'OperationalPhase' ? {} : { ownerReferences: [owner] }),
    },
    spec: { ...spec, serviceAccountName: accountFor(world, flow) },
  } as unknown as ClusterObject;
}

async function setTarget(
  world: EngineWorld,
  flow: FlowObject,
  { kind, name, targetState }: Extract<ScriptAct, { does: 'set' }>,
): Promise<void> {
  const phase = phaseAt(world, flow, kind, name);
  if (!phase || phase.spec.targetState === targetState) return;
  const { apiVersion, metadata } = phase;
  const ref = { apiVersion, kind, name, namespace: metadata.namespace ?? '' };
  await world.reconciling.patch(ref, { type: 'merge', value: { spec: { targetState } } });
}

/** A phase that can go on only when a person does something stops the flow; it goes on with it. */
function awaitPhase(
  world: EngineWorld,
  flow: FlowObject,
  { kind, name, state }: Extract<ScriptAct, { does: 'await' }>,
): StepOutcome {
  const phase = phaseAt(world, flow, kind, name);
  const { actualState, reason = '', observedGeneration } = phase?.status ?? ({} as PhaseStatus);
  const isSeen = phase !== undefined && observedGeneration === phase.metadata.generation;
  if (isSeen && actualState === state) return done;
  if (isSeen && (actualState === 'failed' || actualState === 'error')) {
    const message = `${kind} ${name} is ${actualState}: ${reason}`.slice(0, 1000);
    return { kind: actualState === 'failed' ? 'failed' : 'blocked', reason: 'PhaseFailed', message };
  }
  const message = `Waits for ${kind} ${name} to be ${state}.`;
  return { kind: 'wait', reason: 'InPhase', message, afterSeconds: lookAgainSeconds };
}

function runOf(world: EngineWorld, { status }: FlowObject) {
  const now = world.clock.wall();
  const startedAt = status?.startedAt === undefined ? now : Date.parse(status.startedAt);
  return { now, startedAt, deadlineSeconds: longestSeconds, done: new Set<string>(), mayTake: () => false };
}

/** No watch of the flow tells of what it owns. */
function soon(outcome: Outcome): StepOutcome {
  return outcome.kind === 'wait' ? { ...outcome, afterSeconds: lookAgainSeconds } : outcome;
}
