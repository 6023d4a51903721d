import { group } from '../../api/group.ts';
import { managedBy, managedByLabel } from '../../api/labels.ts';
import type { PhaseStatus } from '../../api/phase-kinds.ts';
import { CodedError } from '../../base/coded-error.ts';
import { digestJson } from '../../base/digest.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import type { ClusterObject, StoredObject } from '../../cluster/cluster.ts';
import { isReason } from '../../cluster/cluster-error.ts';
import { identityOf, supportKinds, taskKinds } from '../../package/object-kinds.ts';
import { type OwnedObject, putOwned } from '../../phase/act/put-owned.ts';
import { digestAnnotation } from '../../phase/object/prepare-object.ts';
import { sayObject } from '../../phase/object/say-object.ts';
import type { Notes } from '../../phase/phase-run.ts';
import type { EngineWorld } from '../engine-world.ts';
import { accountFor } from '../hand-made.ts';
import { type FlowObject, type PhaseObject, phaseTypes } from '../our-objects.ts';
import { portsAs, refusalIn } from '../phase/carry-out-phase.ts';
import { ownObjects } from '../phase/own-objects.ts';
import { done, type StepOutcome } from '../runtime/outcome.ts';
import { flowDocuments } from './flow-documents.ts';
import { faultIn, flowScript, isPhase, lastAwaits, type ScriptAct } from './flow-script.ts';

/** Where nobody tells when something changed. */
const lookAgainSeconds = 5;

/** So long the tasks of a flow may take in all, where nobody says otherwise: they may wait for each other. */
const longestSeconds = 86_400;

/** On a flow: for which generation of it which of its tasks are done, also when they were cleaned up. */
const doneAnnotation = `${group}/done`;

/** What pods of phases may need. */
const beforePhases: ReadonlySet<string> = new Set([...supportKinds, 'PersistentVolumeClaim']);

/**
 * One pass over a flow that a chart or a file brings along: what it holds is made, in the name of the flow's account, and owned by the flow;
 * phases are carried out as those that a person writes. What pods need comes before them, all else after. A Workflow that only lets phases
 * happen one after the other is followed here, and needs no Argo; any other is made, and waited for.
 */
export async function broughtFlow(world: EngineWorld, object: FlowObject): Promise<StepOutcome> {
  const { documents, findings } = await flowDocuments(world, object);
  const others = documents.filter(one => !isPhase(one.object) && !scriptIn(one.object));
  const own = ownObjects(object, others);
  const [wrong] = [...findings, ...own.findings];
  if (wrong) return { kind: 'blocked', reason: wrong.code, message: `${wrong.message}. ${wrong.advice}` };
  const steps: (readonly ScriptAct[])[] = [
    documents.flatMap(one => (isPhase(one.object) ? [{ does: 'make' as const, phase: one.object }] : [])),
    ...documents.flatMap(one => scriptIn(one.object) ?? []),
  ];
  const fault = faultIn(steps.flat(), object.spec.serviceName);
  if (fault !== undefined) return { kind: 'blocked', reason: 'ManifestInvalid', message: `${fault}.` };
  const once = madeOnce(steps);
  const isBefore = (one: OwnedObject) => beforePhases.has(one.object.kind);
  try {
    const support = await putAll(world, object, own.objects.filter(isBefore));
    if (support.kind !== 'done') return support;
    for (const together of [...once, lastAwaits(once.flat())]) {
      const outcome = await actTogether(world, object, together);
      if (outcome.kind !== 'done') return outcome;
    }
    return await putAll(
      world,
      object,
      own.objects.filter(one => !isBefore(one)),
    );
  } catch (error) {
    const refusal = refusalIn(error);
    if (!refusal) throw error;
    return refusal;
  }
}

function scriptIn(object: JsonObject): readonly (readonly ScriptAct[])[] | undefined {
  return object['kind'] === 'Workflow' ? flowScript(object) : undefined;
}

/** A phase that is there beside the script, and is applied in it, is made once: the script sets its target state. */
function madeOnce(steps: readonly (readonly ScriptAct[])[]): readonly (readonly ScriptAct[])[] {
  const made = new Set<string>();
  return steps.map(acts =>
    acts.filter(act => {
      if (act.does !== 'make') return true;
      const { size } = made;
      return made.add(sayPhase(identityOf(act.phase))).size > size;
    }),
  );
}

/** Puts what is no phase. No watch of the flow tells of what it owns. */
async function putAll(
  world: EngineWorld,
  flow: FlowObject,
  objects: readonly OwnedObject[],
): Promise<StepOutcome> {
  const ports = portsAs(world, flow.metadata.namespace ?? '', accountFor(world, flow));
  const notes: Notes = { progress: [], backups: [], schemas: [], losses: [] };
  const outcome = await putOwned(runOf(world, flow), ports, notes, objects);
  if (outcome.kind !== 'failed') await keepDone(world, flow, objects, notes);
  return outcome.kind === 'wait' ? { ...outcome, afterSeconds: lookAgainSeconds } : outcome;
}

/** Acts of one step: each is done, then all is waited for that they wait for. */
async function actTogether(
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

function sayPhase({ kind, name }: { readonly kind: string; readonly name: string }): string {
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

function runOf(world: EngineWorld, flow: FlowObject) {
  const { startedAt } = flow.status ?? {};
  const now = world.clock.wall();
  return {
    now,
    startedAt: startedAt === undefined ? now : Date.parse(startedAt),
    deadlineSeconds: longestSeconds,
    done: new Set(doneIn(flow)),
    mayTake: () => false,
  };
}

/** Tasks that are done for this content of the flow. */
function doneIn({ metadata }: FlowObject): readonly string[] {
  const [generation, ...names] = (metadata.annotations?.[doneAnnotation] ?? '').split(', ');
  return generation === `${metadata.generation}` ? names : [];
}

/** Writes down which tasks are done. What is not done is in the notes, which hold no more than 64. */
async function keepDone(
  world: EngineWorld,
  flow: FlowObject,
  objects: readonly OwnedObject[],
  { progress }: Notes,
): Promise<void> {
  const isUnderWay = (what: string) => progress.some(one => one.name === what && one.state !== 'done');
  const names = objects
    .filter(one => taskKinds.has(one.object.kind))
    .map(one => sayObject(one.object))
    .filter(what => !isUnderWay(what));
  const before = doneIn(flow);
  if (progress.length >= 64 || names.every(what => before.includes(what))) return;
  const { apiVersion, kind, metadata } = flow;
  const ref = { apiVersion, kind, name: metadata.name, namespace: metadata.namespace ?? '' };
  const annotations = { [doneAnnotation]: [metadata.generation, ...names].join(', ') };
  await world.reconciling.patch(ref, { type: 'merge', value: { metadata: { annotations } } });
}
