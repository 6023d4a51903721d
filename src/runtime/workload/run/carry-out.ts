import type { JsonObject } from '../../../base/json.ts';
import type { ObjectRef, StoredObject } from '../../../cluster/cluster.ts';
import { isReason } from '../../../cluster/cluster-error.ts';
import type { Reconciling } from '../../../reconcile/reconcile.ts';
import type { Note, Write } from './decision.ts';

/**
 * Carries writes out in their order. Neighbours of one verb and kind go side by side, first one, then two, then four: what
 * fails for all fails once. Throws the first failure, after those beside it have ended.
 */
export async function carryOut(
  reconciling: Reconciling,
  writes: readonly Write[],
  tell: (note: Note) => void,
): Promise<void> {
  for (const group of groups(writes)) {
    for (let done = 0, size = 1; done < group.length; done += size, size *= 2) {
      const batch = group.slice(done, done + size);
      const ends = await Promise.allSettled(batch.map(write => carryOutOne(reconciling, write, tell)));
      const failed = ends.find(end => end.status === 'rejected');
      if (failed) throw failed.reason;
    }
  }
}

function groups(writes: readonly Write[]): Write[][] {
  const found: Write[][] = [];
  for (const write of writes) {
    const last = found.at(-1);
    const isAlike = last?.[0]?.verb === write.verb && last[0].object.kind === write.object.kind;
    if (last && isAlike) last.push(write);
    else found.push([write]);
  }
  return found;
}

async function carryOutOne(
  reconciling: Reconciling,
  write: Write,
  tell: (note: Note) => void,
): Promise<void> {
  try {
    const written = await perform(reconciling, write);
    if (written && write.tell) tell(write.tell(written.metadata.name));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const { name, generateName = '' } = write.object.metadata;
    if (write.tellFailure) tell(write.tellFailure(name ?? generateName, why));
    throw error;
  }
}

function perform(reconciling: Reconciling, write: Write): Promise<StoredObject | undefined> {
  if (write.verb === 'create') return reconciling.create(write.object);
  if (write.verb === 'release') return release(reconciling, write.object, write.finalizer);
  const { uid, resourceVersion } = write.object.metadata;
  if (write.verb === 'delete') {
    const { propagation = 'Background' } = write;
    const asked = reconciling.delete(refOf(write.object), { preconditions: { uid }, propagation });
    return asked.catch(goneAlready);
  }
  const { metadata, ...rest } = write.patch;
  const value = { ...rest, metadata: { ...(metadata as JsonObject | undefined), uid, resourceVersion } };
  return reconciling.patch(refOf(write.object), { type: 'merge', value });
}

/** On what is known now: the object may have been marked or counted since it was decided on. */
function release(
  reconciling: Reconciling,
  object: StoredObject,
  finalizer: string,
): Promise<StoredObject | undefined> {
  const { namespace, name, uid } = object.metadata;
  const known = reconciling.informer(object).get(namespace, name);
  const place = known?.metadata.uid === uid ? (known.metadata.finalizers ?? []).indexOf(finalizer) : -1;
  if (place < 0) return Promise.resolve(undefined);
  const value = [
    { op: 'test', path: '/metadata/uid', value: uid },
    { op: 'test', path: `/metadata/finalizers/${place}`, value: finalizer },
    { op: 'remove', path: `/metadata/finalizers/${place}` },
  ];
  return reconciling.patch(refOf(object), { type: 'json', value }).catch(goneAlready);
}

/** Another object of that name is not the one that was to go. */
function goneAlready(error: unknown): undefined {
  if (!isReason(error, 'NotFound', 'Conflict')) throw error;
}

function refOf({ apiVersion, kind, metadata }: StoredObject): ObjectRef {
  const { name, namespace } = metadata;
  return { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }) };
}
