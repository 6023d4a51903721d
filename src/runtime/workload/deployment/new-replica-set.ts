import { sameJson } from '../../../base/json.ts';
import type { ClusterObject } from '../../../cluster/cluster.ts';
import { sum } from '../object/amounts.ts';
import { byAge, ownerReference } from '../object/owner.ts';
import { namespaceOf, templateHash, withoutLabel } from '../object/pod-template.ts';
import { replicaSetType } from '../object/workload-kinds.ts';
import type { ReplicaSet } from '../replicaset/replica-set.ts';
import { type Deployment, isRolling, maxSurge, replicasOf } from './deployment.ts';
import { revisionAnnotation, revisionHistoryAnnotation, sizeAnnotations } from './replica-set-changes.ts';

export const hashLabel = 'pod-template-hash';
/** Longer histories lose their beginning. */
const historyCharacters = 2000;
const nameCharacters = 253;

/** What is not handed on from a Deployment to its ReplicaSets. */
const ownAnnotations = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  'deprecated.deployment.rollback.to',
  revisionAnnotation,
  revisionHistoryAnnotation,
  ...['deployment.kubernetes.io/desired-replicas', 'deployment.kubernetes.io/max-replicas'],
]);

/** The ReplicaSet that has the template of the Deployment; the oldest where there are more. A template that comes back finds its old one. */
export function findNew(deployment: Deployment, replicaSets: readonly ReplicaSet[]): ReplicaSet | undefined {
  const wanted = withoutLabel(deployment.spec.template, hashLabel);
  return replicaSets
    .toSorted(byAge)
    .find(({ spec }) => sameJson(withoutLabel(spec.template, hashLabel), wanted));
}

/** The name of the ReplicaSet for the template: the same one however often it is asked for. */
export function newName({ metadata, spec, status }: Deployment): {
  readonly name: string;
  readonly hash: string;
} {
  const hash = templateHash(spec.template, status?.collisionCount);
  return { name: `${metadata.name.slice(0, nameCharacters - hash.length - 1)}-${hash}`, hash };
}

/** The ReplicaSet that is to be made for the template, at the size that the others leave room for. */
export function makeNew(
  deployment: Deployment,
  old: readonly ReplicaSet[],
): ClusterObject & { readonly spec: ReplicaSet['spec'] & { readonly replicas: number } } {
  const { template, selector = {}, minReadySeconds } = deployment.spec;
  const { name, hash } = newName(deployment);
  const labels = { ...template.metadata?.labels, [hashLabel]: hash };
  const matchLabels = { ...selector.matchLabels, [hashLabel]: hash };
  return {
    ...replicaSetType,
    metadata: {
      name,
      ...namespaceOf(deployment),
      labels,
      annotations: {
        ...handedOn(deployment),
        ...sizeAnnotations(deployment),
        [revisionAnnotation]: String(lastRevision(old) + 1),
      },
      ownerReferences: [ownerReference(deployment)],
    },
    spec: {
      replicas: sizeOfNew(deployment, sum(old, replicasOf), 0),
      ...(minReadySeconds ? { minReadySeconds } : {}),
      selector: { ...selector, matchLabels },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  };
}

/** How big the new one may be now, when so many Pods are wanted of all and so many of it. */
export function sizeOfNew(deployment: Deployment, total: number, size: number): number {
  const replicas = replicasOf(deployment);
  if (!isRolling(deployment)) return replicas;
  const room = replicas + maxSurge(deployment) - total;
  return room <= 0 ? size : size + Math.min(room, replicas - size);
}

/** The annotations that the new ReplicaSet shall have: what the Deployment says, and its place in the history. */
export function annotationsOfNew(
  deployment: Deployment,
  replicaSet: ReplicaSet,
  old: readonly ReplicaSet[],
): Record<string, string> {
  const annotations = replicaSet.metadata.annotations ?? {};
  const before = annotations[revisionAnnotation];
  const next = lastRevision(old) + 1;
  if (before !== undefined && !(Number(before) < next)) return handedOn(deployment);
  const history =
    before === undefined ? undefined : historyWith(annotations[revisionHistoryAnnotation], before);
  return {
    ...handedOn(deployment),
    [revisionAnnotation]: String(next),
    ...(history === undefined ? {} : { [revisionHistoryAnnotation]: history }),
  };
}

/** The revision of a ReplicaSet; 0 where it says none. */
export function revisionOf({ metadata }: ReplicaSet): number {
  return Number(metadata.annotations?.[revisionAnnotation] ?? 0) || 0;
}

function lastRevision(replicaSets: readonly ReplicaSet[]): number {
  return Math.max(0, ...replicaSets.map(revisionOf));
}

function handedOn({ metadata }: Deployment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(metadata.annotations ?? {}).filter(([key]) => !ownAnnotations.has(key)),
  );
}

function historyWith(history: string | undefined, revision: string): string {
  const revisions = history ? history.split(',') : [];
  while ([...revisions, revision].join(',').length > historyCharacters) revisions.shift();
  return [...revisions, revision].join(',');
}
