import { type Finding, finding } from '../../api/finding.ts';
import { kinds } from '../../api/kinds.ts';
import { managedBy, managedByLabel, phaseLabel } from '../../api/labels.ts';
import { digestJson } from '../../base/digest.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import type { ClusterObject } from '../../cluster/cluster.ts';
import { compareForInstall, identityKey, identityOf, isClusterKind } from '../../package/object-kinds.ts';
import type { OwnedObject } from '../../phase/act/put-owned.ts';
import { digestAnnotation, withLabels } from '../../phase/object/prepare-object.ts';
import type { FlowObject, PhaseObject } from '../our-objects.ts';

/** A phase that a person wrote by hand, or a flow that brings objects along. */
type OwnerObject = Pick<PhaseObject | FlowObject, 'apiVersion' | 'kind' | 'metadata'>;

/** One document of a phase that a person wrote by hand. */
export interface PhaseDocument {
  readonly object: JsonObject;
  /** Where it stands, for messages. */
  readonly file: string;
  readonly onlyIfMissing: boolean;
}

/** What the label of a phase that stands alone says: phases of two kinds may have one name, and a name may be too long for a label. */
export function aloneLabel({ kind, metadata }: Pick<OwnerObject, 'kind' | 'metadata'>): string {
  const cut = metadata.name.slice(0, 46).replace(/[^a-z0-9]+$/i, '');
  return `${cut}-${digestJson([kind, metadata.name]).slice(7, 17)}`;
}

/**
 * The objects that a phase owns, in Helm's order of installation: each with the phase as its only owner, a name and a namespace of the
 * phase where it has none. What lies in another namespace, or in none, can have no owner; it is known by its label, and goes with the phase
 * all the same.
 */
export function ownObjects(
  phase: OwnerObject,
  documents: readonly PhaseDocument[],
): { readonly objects: readonly OwnedObject[]; readonly findings: readonly Finding[] } {
  const label = aloneLabel(phase);
  const objects = documents
    .map(({ object, onlyIfMissing }) => ({ object: ownObject(phase, label, object), onlyIfMissing }))
    .sort((a, b) => compareForInstall(jsonOf(a.object), jsonOf(b.object)));
  const keys = objects.map(({ object }) => identityKey(jsonOf(object)));
  const findings = objects
    .filter((_, index) => keys.indexOf(keys[index] ?? '') !== index)
    .map(({ object }) => {
      const message = `two documents are ${object.kind} ${object.metadata.name}`;
      return finding('ManifestInvalid', message, {}, 'Give each a name of its own.');
    });
  return { objects, findings };
}

function ownObject(phase: OwnerObject, label: string, document: JsonObject): ClusterObject {
  const { apiVersion, kind, metadata: about } = phase;
  const { name, namespace } = identityOf(document);
  const home = about.namespace ?? '';
  const place = isClusterKind(String(document['kind'])) ? undefined : namespace === '' ? home : namespace;
  const { generateName: _generate, namespace: _namespace, ...metadata } = metadataOf(document);
  const owner = { apiVersion, kind, name: about.name, uid: about.uid, controller: true };
  const labelled = withLabels(
    { ...document, metadata },
    { [managedByLabel]: managedBy, [phaseLabel]: label },
  );
  const written: JsonObject = {
    ...labelled,
    metadata: {
      ...metadataOf(labelled),
      name: name === '' ? `${about.name}-${shortNameOf(kind)}` : name,
      ...(place === undefined ? {} : { namespace: place }),
      ...(place === home ? { ownerReferences: [owner] } : {}),
    },
  };
  return withDigest(written) as unknown as ClusterObject;
}

/** The owner is left out: it is another one when the same phase is written anew, and the content is the same. */
function withDigest(object: JsonObject): JsonObject {
  const { ownerReferences: _owners, ...about } = metadataOf(object);
  const annotations = isObject(about['annotations']) ? about['annotations'] : {};
  const digest = digestJson({ ...object, metadata: about });
  return {
    ...object,
    metadata: { ...metadataOf(object), annotations: { ...annotations, [digestAnnotation]: digest } },
  };
}

function shortNameOf(kind: string): string {
  return kinds.find(one => one.kind === kind)?.shortName ?? 'phase';
}

function metadataOf(object: JsonObject): JsonObject {
  return isObject(object['metadata']) ? object['metadata'] : {};
}

function jsonOf(object: ClusterObject): JsonObject {
  return object as unknown as JsonObject;
}
