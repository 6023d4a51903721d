import { group } from '../../api/group.ts';
import type { MadeObject } from '../../api/phase-kinds.ts';
import { sameJson } from '../../base/json.ts';
import type { StoredObject } from '../../cluster/cluster.ts';
import { isReason } from '../../cluster/cluster-error.ts';
import { type OwnedObject, putOwned } from '../../phase/act/put-owned.ts';
import { removeOwned } from '../../phase/act/remove-owned.ts';
import type { Notes, Outcome } from '../../phase/phase-run.ts';
import type { Again } from '../../reconcile/work-queue.ts';
import type { EngineWorld } from '../engine-world.ts';
import { accountFor } from '../hand-made.ts';
import { type PhaseObject, phaseTypes } from '../our-objects.ts';
import { warnOfUnknown } from '../runtime/warn-of-unknown.ts';
import { aloneDeadline } from './alone-deadline.ts';
import { tellAlone } from './alone-status.ts';
import { portsAs, refusalIn } from './carry-out-phase.ts';
import { claimPhase } from './claim-phase.ts';
import { endJobs } from './end-tasks.ts';
import { aloneLabel, ownObjects } from './own-objects.ts';
import { phaseDocuments } from './phase-documents.ts';
import { phaseFinalizer, refsOf, takeDown } from './take-down-phase.ts';

/** Until something that a person puts right elsewhere (a package that is pushed, rights that are given) is seen. */
const lookAgainSeconds = 10;

/**
 * One pass over a phase that a person wrote by hand: it owns what it brings. It is acted on once for each content of its spec, and what it
 * made goes when it goes.
 */
export async function carryOutAlone(world: EngineWorld, object: PhaseObject): Promise<Again> {
  await warnOfUnknown(world, object);
  const { targetState } = object.spec;
  if (targetState === 'uninitialized')
    return tellAlone(world, object, { outcome: { kind: 'done' }, state: 'uninitialized' });
  if (isOver(object)) return undefined;
  const claimed = await begin(world, object);
  if (!claimed) return { afterSeconds: 0 };
  if (targetState === 'uninstalled' && object.kind !== 'DeletePhase') return takeDown(world, claimed);
  return bring(world, claimed);
}

/** It came to its end, with this very spec: nothing of it is made or run again, whatever was cleaned up since. */
export function isOver({ metadata, status }: PhaseObject): boolean {
  return status?.finishedAt !== undefined && status.observedGeneration === metadata.generation;
}

/** Takes it for this manager, with the mark that it is not forgotten before what it made is gone. Undefined where it changed meanwhile. */
async function begin(world: EngineWorld, object: PhaseObject): Promise<PhaseObject | undefined> {
  const { finalizers = [], name, namespace, resourceVersion } = object.metadata;
  let marked = object;
  if (!finalizers.includes(phaseFinalizer)) {
    const { apiVersion, kind } = object;
    const ref = { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }) };
    const value = { metadata: { resourceVersion, finalizers: [...finalizers, phaseFinalizer] } };
    try {
      marked = (await world.reconciling.patch(ref, { type: 'merge', value })) as PhaseObject;
    } catch (error) {
      if (isReason(error, 'Conflict', 'NotFound')) return undefined;
      throw error;
    }
  }
  return claimPhase(world, afresh(marked));
}

/** A spec that changed after the end is carried out anew: its deadline begins now. */
function afresh(object: PhaseObject): PhaseObject {
  const { status, metadata } = object;
  if (!status || status.startedAt === undefined || status.observedGeneration === metadata.generation)
    return object;
  const { startedAt: _started, finishedAt: _finished, progress: _progress, done: _done, ...rest } = status;
  return { ...object, status: rest };
}

async function bring(world: EngineWorld, object: PhaseObject): Promise<Again> {
  const { namespace = '' } = object.metadata;
  const read = await phaseDocuments(world, object);
  const own = ownObjects(object, read.documents);
  const [wrong] = [...read.findings, ...own.findings];
  if (wrong) {
    const where = wrong.line === undefined ? '' : `${wrong.file}:${wrong.line}: `;
    const message = `${where}${wrong.message}. ${wrong.advice}`;
    const again = await tellAlone(world, object, {
      outcome: { kind: 'blocked', reason: wrong.code, message },
      state: 'error',
    });
    return again ?? { afterSeconds: lookAgainSeconds };
  }
  const now = own.objects.map(madeOf);
  const leftOver = (object.status?.made ?? []).filter(one => !now.some(other => sameJson(one, other)));
  // Taken down in reverse: what is made now goes first.
  const made = [...leftOver, ...now];
  if (!sameJson(made, object.status?.made ?? [])) return writeMade(world, object, made);
  const ports = portsAs(world, namespace, accountFor(world, object));
  const notes: Notes = { progress: [], backups: [], schemas: [], losses: [] };
  const outcome = await refusable(async () => {
    for (const part of read.parts) {
      const [found] = await ports.prepareImages(namespace, part);
      if (found) return { kind: 'failed', reason: found.code, message: `${found.message}. ${found.advice}` };
    }
    const put = await putOwned(runOf(world, object), ports, notes, own.objects);
    if (put.kind === 'failed') await endJobs(ports.cluster, namespace, aloneLabel(object));
    // What an earlier content of the spec brought, and this one does not, goes when this one is there.
    return put.kind === 'done' ? removeOwned(ports, refsOf(object, leftOver)) : put;
  });
  const isDone = outcome.kind === 'done' && leftOver.length > 0;
  return tellAlone(world, object, { outcome, notes, ...(isDone ? { made: now } : {}) });
}

/** What is to be made is written down first: also what a kill leaves half is then known when the phase goes. */
async function writeMade(world: EngineWorld, object: PhaseObject, made: MadeObject[]): Promise<Again> {
  try {
    await world.reconciling.updateStatus({ ...object, status: { ...object.status, made } });
  } catch (error) {
    if (!isReason(error, 'Conflict', 'NotFound')) throw error;
  }
  return { afterSeconds: 0 };
}

function madeOf({ object: { apiVersion, kind, metadata } }: OwnedObject): MadeObject {
  const { name = '', namespace } = metadata;
  return { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }) };
}

async function refusable(work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work();
  } catch (error) {
    const refusal = refusalIn(error);
    if (!refusal) throw error;
    return refusal;
  }
}

function runOf(world: EngineWorld, object: PhaseObject) {
  const now = world.clock.wall();
  const { startedAt } = object.status ?? {};
  const deadlineSeconds = aloneDeadline(object.spec);
  return {
    now,
    startedAt: startedAt === undefined ? now : Date.parse(startedAt),
    ...(deadlineSeconds === undefined ? {} : { deadlineSeconds }),
    done: doneBefore(object),
    mayTake: (live: StoredObject) => isOfSameService(world, object, live),
  };
}

/** What was told to be done. An older Afloat told it only as progress, and what runs once is not run again for that. */
export function doneBefore({ status }: Pick<PhaseObject, 'status'>): ReadonlySet<string> {
  const { done = [], progress = [] } = status ?? {};
  return new Set([...done, ...progress.filter(({ state }) => state === 'done').map(({ name }) => name)]);
}

/** Whether an object belongs to another phase by hand of the same service. */
function isOfSameService(world: EngineWorld, { metadata, spec }: PhaseObject, live: StoredObject): boolean {
  const owner = live.metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (!owner?.apiVersion.startsWith(`${group}/`)) return false;
  const type = phaseTypes.find(({ kind }) => kind === owner.kind);
  const other = type && world.reconciling.informer(type).get(metadata.namespace, owner.name);
  const found = other as PhaseObject | undefined;
  return (
    found?.metadata.uid === owner.uid &&
    found.spec.move === undefined &&
    found.spec.openstackServiceName === spec.openstackServiceName
  );
}
