import { type JsonObject, sameJson } from '../../../base/json.ts';
import type { ClusterObject, StoredObject } from '../../../cluster/cluster.ts';
import { ownerReference } from '../object/owner.ts';
import { namespaceOf, type PodTemplate, templateHash } from '../object/pod-template.ts';
import { revisionType } from '../object/workload-kinds.ts';
import type { Write } from '../run/decision.ts';

/** A template that a workload has or had, kept under a number. */
export interface ControllerRevision extends StoredObject {
  readonly revision: number;
  readonly data?: { readonly spec?: { readonly template?: PodTemplate } };
}

/** The revision of the template as it is now, and what must be written so that it is the newest. */
export interface NewestRevision {
  readonly name: string;
  readonly hash: string;
  readonly writes: readonly Write[];
  readonly collisionCount: number;
}

interface RevisionedOwner extends StoredObject {
  readonly spec: { readonly template: PodTemplate; readonly revisionHistoryLimit?: number };
  readonly status?: { readonly collisionCount?: number };
}

/** Under which label a revision says its hash. */
const hashLabels: Readonly<Record<string, string>> = {
  StatefulSet: 'controller.kubernetes.io/hash',
  DaemonSet: 'controller-revision-hash',
};
/** Names must leave room for the hash. */
const nameCharacters = 223;

/**
 * Finds the revision of the owner's template among its own, or makes one. A template that comes back gets its old revision with
 * a new number. `namesakes` are all revisions that may have the name already, whoever they belong to.
 */
export function newestRevision(
  owner: RevisionedOwner,
  own: readonly ControllerRevision[],
  namesakes: readonly ControllerRevision[],
): NewestRevision {
  const data = dataOf(owner.spec.template);
  const ordered = byNumber(own);
  const last = ordered.at(-1);
  const equal = ordered.findLast(one => sameJson(one.data, data));
  const collisionCount = owner.status?.collisionCount ?? 0;
  const next = (last?.revision ?? 0) + 1;
  if (equal) {
    const hash = equal.metadata.labels?.[hashLabelOf(owner)] ?? '';
    const renumber: Write = { verb: 'patch', object: equal, patch: { revision: next } };
    return { name: equal.metadata.name, hash, writes: equal === last ? [] : [renumber], collisionCount };
  }
  const taken = new Set(namesakes.map(({ metadata }) => metadata.name));
  for (let collisions = collisionCount; ; collisions++) {
    const hash = templateHash(data, collisions);
    const name = `${owner.metadata.name.slice(0, nameCharacters)}-${hash}`;
    if (taken.has(name)) continue;
    const object = revisionOf(owner, { name, hash, data, revision: next });
    return { name, hash, writes: [{ verb: 'create', object }], collisionCount: collisions };
  }
}

/** Removes the oldest revisions that nothing uses and that are beyond the history the owner keeps. */
export function truncateHistory(
  owner: RevisionedOwner,
  own: readonly ControllerRevision[],
  used: ReadonlySet<string | undefined>,
): readonly Write[] {
  const unused = byNumber(own).filter(({ metadata }) => !used.has(metadata.name));
  const surplus = unused.length - (owner.spec.revisionHistoryLimit ?? 10);
  return unused.slice(0, Math.max(0, surplus)).map(object => ({ verb: 'delete', object }));
}

/** The template of a revision as it was written. */
export function templateOf(revision: ControllerRevision | undefined): PodTemplate | undefined {
  const template = revision?.data?.spec?.template as (PodTemplate & { readonly $patch?: string }) | undefined;
  if (!template) return undefined;
  const { $patch: _, ...rest } = template;
  return rest;
}

export function hashLabelOf({ kind }: StoredObject): string {
  return hashLabels[kind] ?? '';
}

/** What Kubernetes keeps: a patch that puts the template in the place of another. */
function dataOf(template: PodTemplate): JsonObject {
  return { spec: { template: { ...template, $patch: 'replace' } } } as unknown as JsonObject;
}

function revisionOf(
  owner: RevisionedOwner,
  with_: {
    readonly name: string;
    readonly hash: string;
    readonly data: JsonObject;
    readonly revision: number;
  },
): ClusterObject {
  const { annotations } = owner.metadata;
  return {
    ...revisionType,
    metadata: {
      name: with_.name,
      ...namespaceOf(owner),
      labels: { ...owner.spec.template.metadata?.labels, [hashLabelOf(owner)]: with_.hash },
      ...(annotations ? { annotations } : {}),
      ownerReferences: [ownerReference(owner)],
    },
    data: with_.data,
    revision: with_.revision,
  };
}

function byNumber(revisions: readonly ControllerRevision[]): readonly ControllerRevision[] {
  return revisions.toSorted(
    (a, b) => a.revision - b.revision || (a.metadata.name < b.metadata.name ? -1 : 1),
  );
}
