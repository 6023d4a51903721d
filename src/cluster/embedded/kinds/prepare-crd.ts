import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import type { Unversioned } from '../store/transaction.ts';

/** Keeps a definition until the last object of its kind is gone. */
export const crdFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

/** Fills in the names that may be left out; a new definition is established at once. */
export function prepareCrd(crd: Unversioned, before: Unversioned | undefined): Unversioned {
  const spec = isObject(crd['spec']) ? crd['spec'] : {};
  const given = isObject(spec['names']) ? spec['names'] : {};
  const kind = String(given['kind'] ?? '');
  const names: JsonObject = { listKind: `${kind}List`, singular: kind.toLowerCase(), ...given };
  const filled = { ...crd, spec: { ...spec, names } };
  if (before) return { ...filled, status: withStored(before['status'], spec) };
  const finalizers = [...new Set([...(crd.metadata.finalizers ?? []), crdFinalizer])];
  return { ...filled, metadata: { ...crd.metadata, finalizers }, status: established(crd, spec, names) };
}

/** A version that was once stored may still be in the store. */
function withStored(status: unknown, spec: JsonObject): JsonObject {
  const kept = isObject(status) ? status : {};
  const stored = Array.isArray(kept['storedVersions']) ? kept['storedVersions'] : [];
  return { ...kept, storedVersions: [...new Set([...stored, ...storageVersions(spec)])] };
}

function storageVersions(spec: JsonObject): Json[] {
  const versions = Array.isArray(spec['versions']) ? spec['versions'] : [];
  return versions.flatMap(version =>
    isObject(version) && version['storage'] === true ? [version['name'] ?? ''] : [],
  );
}

function established(crd: Unversioned, spec: JsonObject, names: JsonObject): JsonObject {
  const lastTransitionTime = crd.metadata.creationTimestamp;
  return {
    acceptedNames: names,
    conditions: [
      {
        type: 'NamesAccepted',
        status: 'True',
        reason: 'NoConflicts',
        message: 'no conflicts found',
        lastTransitionTime,
      },
      {
        type: 'Established',
        status: 'True',
        reason: 'InitialNamesAccepted',
        message: 'the initial names have been accepted',
        lastTransitionTime,
      },
    ],
    storedVersions: storageVersions(spec),
  };
}
