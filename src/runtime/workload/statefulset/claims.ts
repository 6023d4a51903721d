import { type JsonObject, sameJson } from '../../../base/json.ts';
import type { OwnerReference, StoredObject } from '../../../cluster/cluster.ts';
import { ownerReference } from '../object/owner.ts';
import type { Pod } from '../object/pod.ts';
import { namespaceOf } from '../object/pod-template.ts';
import { claimType } from '../object/workload-kinds.ts';
import { normal, type Write } from '../run/decision.ts';
import { type ClaimTemplate, isInRange, type StatefulSet } from './stateful-set.ts';

/** The claims that are there, by name. */
export type Claims = ReadonlyMap<string, StoredObject>;

export function claimName(set: StatefulSet, template: ClaimTemplate, ordinal: number): string {
  return `${template.metadata.name}-${set.metadata.name}-${ordinal}`;
}

/** Makes the claims of a number that are not there yet. Those that are there are used as they are: volumes stay. */
export function createClaims(set: StatefulSet, ordinal: number, claims: Claims): readonly Write[] {
  const { volumeClaimTemplates = [], selector } = set.spec;
  return volumeClaimTemplates.flatMap((template): Write[] => {
    const name = claimName(set, template, ordinal);
    if (claims.has(name)) return [];
    const { name: _, labels, ...metadata } = template.metadata;
    const owners = goesWithSet(set, ordinal) ? [ownerReference(set)] : [];
    const object = {
      ...claimType,
      metadata: {
        ...metadata,
        name,
        ...namespaceOf(set),
        labels: { ...labels, ...selector?.matchLabels },
        ...(owners.length > 0 ? { ownerReferences: owners } : {}),
      },
      spec: template.spec,
    };
    const pod = `${set.metadata.name}-${ordinal}`;
    const message = `Create Claim ${name} Pod ${pod} in StatefulSet ${set.metadata.name} success`;
    return [{ verb: 'create', object, tell: () => normal('SuccessfulCreate', message) }];
  });
}

/** Says of the claims of a Pod with whom they go: with the set, with a Pod that is given up, or with nobody. */
export function settleClaims(set: StatefulSet, pod: Pod, ordinal: number, claims: Claims): readonly Write[] {
  return claimsOf(set, ordinal, claims).flatMap((claim): Write[] => {
    const { ownerReferences: before = [] } = claim.metadata;
    const isOurs = (owner: OwnerReference) => isNamed(owner, set) || isNamed(owner, pod);
    const others = before.filter(owner => !isOurs(owner));
    if (others.some(owner => owner.controller) || before.some(owner => isStale(owner, [set, pod]))) return [];
    const wanted = [
      ...others,
      ...(goesWithSet(set, ordinal) ? [ownerReference(set)] : []),
      ...(goesWithPod(set, ordinal) ? [ownerReference(pod)] : []),
    ];
    if (sameJson(before, wanted)) return [];
    const patch = { metadata: { ownerReferences: wanted as unknown as JsonObject[] } };
    return [{ verb: 'patch', object: claim, patch }];
  });
}

/** A claim is about to go, or will with an earlier Pod of that name: the next Pod waits for a fresh one. */
export function isWaitedFor(set: StatefulSet, ordinal: number, claims: Claims): boolean {
  const pod = `${set.metadata.name}-${ordinal}`;
  const goesWithPods = policyOf(set).whenScaled === 'Delete';
  return claimsOf(set, ordinal, claims).some(
    ({ metadata }) =>
      metadata.deletionTimestamp !== undefined ||
      (goesWithPods && metadata.ownerReferences?.some(owner => owner.kind === 'Pod' && owner.name === pod)),
  );
}

function claimsOf(set: StatefulSet, ordinal: number, claims: Claims): readonly StoredObject[] {
  return (set.spec.volumeClaimTemplates ?? []).flatMap(
    template => claims.get(claimName(set, template, ordinal)) ?? [],
  );
}

function policyOf({ spec }: StatefulSet): { readonly whenDeleted: string; readonly whenScaled: string } {
  return { whenDeleted: 'Retain', whenScaled: 'Retain', ...spec.persistentVolumeClaimRetentionPolicy };
}

function goesWithSet(set: StatefulSet, ordinal: number): boolean {
  const { whenDeleted, whenScaled } = policyOf(set);
  return whenDeleted === 'Delete' && (whenScaled !== 'Delete' || isInRange(set, ordinal));
}

function goesWithPod(set: StatefulSet, ordinal: number): boolean {
  return policyOf(set).whenScaled === 'Delete' && !isInRange(set, ordinal);
}

function isNamed(owner: OwnerReference, { apiVersion, kind, metadata }: StoredObject): boolean {
  return owner.apiVersion === apiVersion && owner.kind === kind && owner.name === metadata.name;
}

function isStale(owner: OwnerReference, objects: readonly StoredObject[]): boolean {
  return objects.some(object => isNamed(owner, object) && owner.uid !== object.metadata.uid);
}
