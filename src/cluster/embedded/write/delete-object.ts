import type { DeleteOptions, ObjectRef, StoredObject } from '../../cluster.ts';
import { fieldOf, type KindRules, storeKindOf } from '../kinds/kind-rules.ts';
import { conflict, forbidden, notFound } from '../objects/refusals.ts';
import { placeOf } from '../store/kind-objects.ts';
import type { Transaction, Unversioned } from '../store/transaction.ts';

/** What the runtime of Pods needs beside what the port offers. */
export interface StoreDeleteOptions extends DeleteOptions {
  /** How long the object may take to end; 0 removes it now. Only Pods that run on a node take their time. */
  readonly gracePeriodSeconds?: number;
}

/** The finalizers by which garbage collection keeps an owner. */
export const foregroundFinalizer = 'foregroundDeletion';
export const orphanFinalizer = 'orphan';

/** Without these a cluster is none. */
const lastingNamespaces = ['default', 'kube-system', 'kube-public'];

/** Removes an object, or marks it as deleted where something keeps it. */
export function deleteObject(
  transaction: Transaction,
  rules: KindRules,
  ref: ObjectRef,
  options: StoreDeleteOptions,
): StoredObject {
  const kind = storeKindOf(rules);
  const object = transaction.find(kind, placeOf(rules.isNamespaced ? ref.namespace : undefined, ref.name));
  if (!object) throw notFound(rules, ref.name);
  refuseOthers(rules, object, options);
  if (kind === '/Namespace' && lastingNamespaces.includes(ref.name)) {
    throw forbidden(rules, ref.name, 'this namespace may not be deleted');
  }
  const finalizers = finalizersFor(rules, object, options);
  const seconds = graceOf(kind, object, options);
  if (finalizers.length === 0 && seconds === 0 && kind !== '/Namespace') {
    transaction.remove(kind, object);
    return object;
  }
  const marked = mark(transaction, object, finalizers, seconds);
  return marked === object ? object : transaction.put(kind, marked);
}

function refuseOthers(
  rules: KindRules,
  { metadata }: StoredObject,
  { preconditions }: StoreDeleteOptions,
): void {
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
  options: StoreDeleteOptions,
): readonly string[] {
  const before = metadata.finalizers ?? [];
  const isKept = before.includes(orphanFinalizer) || before.includes(foregroundFinalizer);
  if (options.propagation === undefined && isKept) return before;
  const propagation = options.propagation ?? rules.propagation;
  const others = before.filter(one => one !== orphanFinalizer && one !== foregroundFinalizer);
  if (propagation === 'Orphan') return [...others, orphanFinalizer];
  return propagation === 'Foreground' ? [...others, foregroundFinalizer] : others;
}

/** Only a Pod that runs somewhere is given time. */
function graceOf(kind: string, object: StoredObject, { gracePeriodSeconds }: StoreDeleteOptions): number {
  if (kind !== '/Pod' || !fieldOf(object, 'spec.nodeName')) return 0;
  if (['Succeeded', 'Failed'].includes(String(fieldOf(object, 'status.phase')))) return 0;
  const wanted = gracePeriodSeconds ?? Number(fieldOf(object, 'spec.terminationGracePeriodSeconds') ?? 30);
  // Time that was given is never made longer.
  return Math.min(
    Math.max(0, wanted),
    object.metadata.deletionGracePeriodSeconds ?? Number.POSITIVE_INFINITY,
  );
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
  const end = new Date(transaction.time + seconds * 1000).toISOString();
  const isFirst = metadata.deletionTimestamp === undefined;
  return {
    ...object,
    metadata: {
      ...rest,
      ...(finalizers.length > 0 ? { finalizers } : {}),
      deletionTimestamp:
        isFirst || seconds !== metadata.deletionGracePeriodSeconds
          ? `${end.slice(0, 19)}Z`
          : metadata.deletionTimestamp,
      deletionGracePeriodSeconds: seconds,
      ...(isFirst && metadata.generation !== undefined ? { generation: metadata.generation + 1 } : {}),
    },
    ...(object.apiVersion === 'v1' && object.kind === 'Namespace'
      ? { status: { ...(object['status'] as object), phase: 'Terminating' } }
      : {}),
  } as Unversioned;
}
