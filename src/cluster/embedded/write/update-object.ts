import type { ClusterObject, StoredObject } from '../../cluster.ts';
import { ClusterError } from '../../cluster-error.ts';
import { storeKindOf } from '../kinds/kind-rules.ts';
import { conflict, invalid, notFound, wrong } from '../objects/refusals.ts';
import { createObject, placeOfRequest } from './create-object.ts';
import { isAnyVersion, replaceObject } from './replace-object.ts';
import type { WriteContext } from './write-context.ts';

/** Replaces an object, or its status through that door. */
export function updateObject(context: WriteContext, request: ClusterObject): StoredObject {
  const { transaction, rules, subresource } = context;
  refuseNoStatus(context);
  const { name = '', uid, resourceVersion } = request.metadata;
  const before = transaction.find(storeKindOf(rules), placeOfRequest(context, request.metadata));
  if (!before) {
    if (uid !== undefined)
      throw conflict(rules, name, `Precondition failed: UID in precondition: ${uid}, UID in object meta: `);
    if (rules.createsOnUpdate && !subresource) return createObject(context, withoutVersion(request));
    throw notFound(rules, name);
  }
  if (isAnyVersion(resourceVersion) && !rules.mayUpdateBlindly) {
    throw invalid(rules, name, [wrong('metadata.resourceVersion', 0, 'must be specified for an update')]);
  }
  return replaceObject(context, before, request);
}

function withoutVersion(request: ClusterObject): ClusterObject {
  const { resourceVersion: _, ...metadata } = request.metadata;
  return { ...request, metadata };
}

/** Kinds without a status of its own have no such door. */
export function refuseNoStatus({ rules, subresource }: WriteContext): void {
  if (subresource && !rules.hasStatus) {
    throw new ClusterError('NotFound', 'the server could not find the requested resource');
  }
}
