import { CodedError } from '../../base/coded-error.ts';
import type { Cluster, ClusterObject, StoredObject } from '../../cluster/cluster.ts';
import { ClusterError, type FieldCause, isReason } from '../../cluster/cluster-error.ts';
import { refOf } from '../../cluster/find-object.ts';
import { fieldManager } from '../driver.ts';
import { checkSameOrigin } from './identity.ts';
import { nameOf } from './name-of.ts';

/**
 * Brings an object to this content by server-side apply in the name of Afloat; what others wrote in other fields stays. Where a field
 * cannot be changed it throws `ImmutableField` and leaves the object as it is: it is never deleted to get around that.
 */
export async function applyObject(
  cluster: Cluster,
  object: ClusterObject,
  { dryRun = false }: { readonly dryRun?: boolean } = {},
): Promise<StoredObject> {
  const patch = { type: 'apply', value: object, fieldManager, force: true } as const;
  try {
    return await cluster.patch(refOf(object), patch, { dryRun });
  } catch (error) {
    throw immutableField(object, error) ?? error;
  }
}

/**
 * Creates what runs once. One that is there and was written by the same phase is left as it is: the answer to an earlier call may have been
 * lost. Throws `ObjectNotOurs` where somebody else's has the name, and a conflict, which passes, while one is being deleted.
 */
export async function createOnce(cluster: Cluster, object: ClusterObject): Promise<void> {
  try {
    await cluster.create(object, { fieldManager });
  } catch (error) {
    if (!isReason(error, 'AlreadyExists')) throw error;
    // A server that knows it is not there any more is asked once more by the caller: NotFound is not what was asked for.
    const live = await cluster.get(refOf(object)).catch((gone: unknown) => {
      throw isReason(gone, 'NotFound') ? stillGoing(object) : gone;
    });
    checkSameOrigin(live, object);
    if (live.metadata.deletionTimestamp !== undefined) throw stillGoing(object);
  }
}

function stillGoing(object: ClusterObject): ClusterError {
  return new ClusterError('Conflict', `${nameOf(object)} of the same name is still being deleted`);
}

/** The ways in which API servers say that a field stays as it is. */
const immutableWords =
  /immutable|may not change once set|may not be changed|cannot be changed|cannot change|updates to .* are forbidden/i;

function immutableField(object: ClusterObject, error: unknown): CodedError | undefined {
  if (!isReason(error, 'Invalid')) return undefined;
  const causes = error.causes.filter(({ message }) => immutableWords.test(message));
  if (causes.length === 0 && !immutableWords.test(error.message)) return undefined;
  const fields = causes.map(({ field }) => field);
  const named = fields.length > 0 ? fields.join(', ') : 'a field';
  const limits = causes.flatMap(allowedFields).join(' ');
  const message = `${nameOf(object)} is there, and ${named} of it cannot be changed${limits && `: ${limits}`}`;
  return new CodedError('ImmutableField', message, {
    cause: error,
    details: { object: nameOf(object), fields },
  });
}

/** For a StatefulSet or a claim a server names only `spec`, and says which fields of it may change. No value is in that. */
function allowedFields({ message }: FieldCause): string[] {
  const said = /^Forbidden: (.*\b(?:other than|except)\b.*)$/s.exec(message)?.[1];
  return said === undefined ? [] : [(said.split('\n')[0] ?? '').trim()];
}
