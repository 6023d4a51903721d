import type { DeleteOptions, ObjectRef, StoredObject } from '../../cluster.ts';
import { fieldOf, type KindRules, storeKindOf } from '../kinds/kind-rules.ts';
import { conflict, forbidden, notFound } from '../objects/refusals.ts';
import { placeOf } from '../store/kind-objects.ts';
import type { Transaction, Unversioned } from '../store/transaction.ts';

/** The finalizers by which garbage collection keeps an owner. */
export const foregroundFinalizer = 'foregroundDeletion';
export const orphanFinalizer = 'orphan';

/** Under which kind Pods are kept: the one kind that is given time to end. */
const podStoreKind = '/Pod';

/** Without these a cluster is none. */
const lastingNamespaces = ['default', 'kube-system', 'kube-public'];

/** Removes an object, or marks it as deleted where something keeps it. */
export function deleteObject(
  transaction: Transaction,
  rules: KindRules,
  ref: ObjectRef,
  options: DeleteOptions,
): StoredObject {
  const kind = storeKindOf(rules);
  const object = transaction.find(kind, placeOf(rules.isNamespaced ? ref.namespace : undefined, ref.name));
  if (!object) throw notFound(rules, ref.name);
  refuseOthers(rules, object, options);
  if (kind === '/Namespace' && lastingNamespaces.includes(ref.name)) {
    throw forbidden(rules, ref.name, 'this namespace may not be deleted');
  }
  const seconds = kind === podStoreKind ? graceOf(object, options) : 0;
  if (seconds === undefined) return object;
  const finalizers = finalizersFor(rules, object, options);
  const isOver = finalizers.length === 0 && seconds === 0 && kind !== '/Namespace';
  if (isOver && kind !== podStoreKind) {
    transaction.remove(kind, object);
    return object;
  }
  const marked = mark(transaction, object, finalizers, seconds);
  const kept = marked === object ? object : transaction.put(kind, marked);
  // Who watches Pods sees the mark of each, also of one that goes at once.
  if (isOver) transaction.remove(kind, kept);
  return kept;
}

function refuseOthers(rules: KindRules, { metadata }: StoredObject, { preconditions }: DeleteOptions): void {
  const { uid, resourceVersion } = preconditions ?? {};
  if (uid !== undefined && uid !== metadata.uid) {
    const why = `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`;
    throw conflict(rules, metadata.name, why);
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    const why = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`;
    throw conflict(rules, metadata.name, why);
  }
}

/** The finalizers with those of garbage collection as the propagation asks for. */
function finalizersFor(
  rules: KindRules,
  { metadata }: StoredObject,
  options: DeleteOptions,
): readonly string[] {
  const before = metadata.finalizers ?? [];
  const isKept = before.includes(orphanFinalizer) || before.includes(foregroundFinalizer);
  if (options.propagation === undefined && isKept) return before;
  const propagation = options.propagation ?? rules.propagation;
  const others = before.filter(one => one !== orphanFinalizer && one !== foregroundFinalizer);
  if (propagation === 'Orphan') return [...others, orphanFinalizer];
  return propagation === 'Foreground' ? [...others, foregroundFinalizer] : others;
}

/**
 * The seconds a Pod has to end; undefined where it has its time already and this deletion asks for no shorter one. Only a
 * Pod that runs somewhere is given time.
 */
function graceOf(pod: StoredObject, { gracePeriodSeconds }: DeleteOptions): number | undefined {
  const asked = gracePeriodSeconds !== undefined && gracePeriodSeconds < 0 ? 1 : gracePeriodSeconds;
  const given = pod.metadata.deletionGracePeriodSeconds;
  if (given === 0) return 0;
  if (given !== undefined) return asked !== undefined && asked < given ? asked : undefined;
  if (!fieldOf(pod, 'spec.nodeName')) return 0;
  if (['Succeeded', 'Failed'].includes(String(fieldOf(pod, 'status.phase')))) return 0;
  return asked ?? Number(fieldOf(pod, 'spec.terminationGracePeriodSeconds') ?? 30);
}

function mark(
  transaction: Transaction,
  object: StoredObject,
  finalizers: readonly string[],
  seconds: number,
): Unversioned {
  const { metadata } = object;
  const isSame = String(metadata.finalizers ?? []) === String(finalizers);
  if (metadata.deletionTimestamp !== undefined && isSame && metadata.deletionGracePeriodSeconds === seconds)
    return object;
  const { finalizers: _, ...rest } = metadata;
  const isFirst = metadata.deletionTimestamp === undefined;
  return {
    ...object,
    metadata: {
      ...rest,
      ...(finalizers.length > 0 ? { finalizers } : {}),
      deletionTimestamp: endOf(transaction, metadata, seconds),
      deletionGracePeriodSeconds: seconds,
      ...(isFirst && metadata.generation !== undefined ? { generation: metadata.generation + 1 } : {}),
    },
    ...(object.apiVersion === 'v1' && object.kind === 'Namespace'
      ? { status: { ...(object['status'] as object), phase: 'Terminating' } }
      : {}),
  } as Unversioned;
}

/** When the time is over: it counts from the first deletion, also where a later one made it shorter. */
function endOf(
  transaction: Transaction,
  { deletionTimestamp, deletionGracePeriodSeconds = 0 }: StoredObject['metadata'],
  seconds: number,
): string {
  const began =
    deletionTimestamp === undefined
      ? transaction.time
      : Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1000;
  return `${new Date(began + seconds * 1000).toISOString().slice(0, 19)}Z`;
}
