import { isAvailable, isFinished, isReady, nextAvailability, type Pod, phaseOf } from '../object/pod.ts';
import type { PodTemplate } from '../object/pod-template.ts';
import {
  type ControllerRevision,
  newestRevision,
  templateOf,
  truncateHistory,
} from '../revision/controller-revision.ts';
import type { Decision, Write } from '../run/decision.ts';
import { type Claims, createClaims, isWaitedFor, settleClaims } from './claims.ts';
import { createStatefulPod, deleteStatefulPod, identify } from './stateful-pod.ts';
import {
  isInRange,
  isOrdered,
  ordinalOf,
  replicasOf,
  revisionNameOf,
  type StatefulSet,
  startOf,
} from './stateful-set.ts';
import { statefulSetStatus } from './stateful-set-status.ts';

/** What a StatefulSet is decided from. */
export interface StatefulSetSeen {
  readonly set: StatefulSet;
  /** All Pods that it controls. */
  readonly pods: readonly Pod[];
  readonly revisions: readonly ControllerRevision[];
  /** Revisions of anybody that may have the name of a new one. */
  readonly namesakes: readonly ControllerRevision[];
  readonly claims: Claims;
  readonly now: number;
}

/** A set between two templates: which Pod is made of which. */
interface Plan extends StatefulSetSeen {
  readonly current: { readonly template: PodTemplate; readonly revision: string };
  readonly update: { readonly template: PodTemplate; readonly revision: string };
  /** The Pods by number. */
  readonly byOrdinal: ReadonlyMap<number, Pod>;
}

/** What a part of a pass comes to; `isOver` keeps later parts from beginning. */
interface Step {
  readonly writes: readonly Write[];
  readonly isOver: boolean;
}

/** Pods with stable names: made from the first on, given up from the last on, replaced from the last on. */
export function decideStatefulSet(seen: StatefulSetSeen): Decision {
  const { set, pods, revisions, now } = seen;
  const newest = newestRevision(set, revisions, seen.namesakes);
  const known = revisions.find(({ metadata }) => metadata.name === set.status?.currentRevision);
  const update = { template: set.spec.template, revision: newest.name };
  const current = known
    ? { template: templateOf(known) ?? set.spec.template, revision: known.metadata.name }
    : update;
  const byOrdinal = new Map(pods.map(pod => [ordinalOf(set, pod) ?? -1, pod]));
  byOrdinal.delete(-1);
  const plan: Plan = { ...seen, current, update, byOrdinal };
  const isLeaving = set.metadata.deletionTimestamp !== undefined;
  const steps = isLeaving ? { writes: [], updated: 0 } : walk(plan);
  const status = statefulSetStatus(
    { set, pods: [...byOrdinal.values()], now },
    {
      current: current.revision,
      update: update.revision,
      updated: steps.updated,
      collisionCount: newest.collisionCount,
    },
  );
  const used = new Set([
    current.revision,
    update.revision,
    status.currentRevision,
    ...pods.map(revisionNameOf),
  ]);
  return {
    writes: [...newest.writes, ...steps.writes, ...truncateHistory(set, revisions, used)],
    status,
    afterSeconds: nextAvailability(pods, set.spec.minReadySeconds ?? 0, now),
  };
}

function walk(plan: Plan): { readonly writes: readonly Write[]; readonly updated: number } {
  const filled = fill(plan);
  if (filled.isOver) return { writes: filled.writes, updated: 0 };
  const shrunk = shrink(plan);
  const writes = [...filled.writes, ...shrunk.writes];
  if (shrunk.isOver || plan.set.spec.updateStrategy?.type === 'OnDelete') return { writes, updated: 0 };
  const replaced = replaceOne(plan);
  return { writes: [...writes, ...replaced], updated: replaced.length };
}

/** Makes what is missing. In order means: the next one only when the one before can be counted on. */
function fill(plan: Plan): Step {
  const { set } = plan;
  const writes: Write[] = [];
  for (let ordinal = startOf(set); isInRange(set, ordinal); ordinal++) {
    const step = fillOne(plan, ordinal);
    writes.push(...step.writes);
    if (step.isOver && isOrdered(set)) return { writes, isOver: true };
  }
  // Claims before all Pods: a Pod never begins without them.
  const isClaim = ({ object }: Write) => object.kind === 'PersistentVolumeClaim';
  return { writes: [...writes.filter(isClaim), ...writes.filter(write => !isClaim(write))], isOver: false };
}

function fillOne(plan: Plan, ordinal: number): Step {
  const { set, claims, now } = plan;
  const pod = plan.byOrdinal.get(ordinal);
  if (!pod) {
    if (isWaitedFor(set, ordinal, claims)) return { writes: [], isOver: true };
    const create = createStatefulPod(set, ordinal, sourceOf(plan, ordinal));
    return { writes: [...createClaims(set, ordinal, claims), create], isOver: true };
  }
  const isEnding = pod.metadata.deletionTimestamp !== undefined;
  if (isFinished(pod)) return { writes: isEnding ? [] : [deleteStatefulPod(set, pod)], isOver: true };
  const missing = phaseOf(pod) === 'Pending' ? createClaims(set, ordinal, claims) : [];
  const isSteady = !isEnding && serves(pod) && isAvailable(pod, set.spec.minReadySeconds ?? 0, now);
  if (!isSteady && isOrdered(set)) return { writes: missing, isOver: true };
  return {
    writes: [...missing, ...identify(set, pod, ordinal), ...settleClaims(set, pod, ordinal, claims)],
    isOver: false,
  };
}

/** Gives up what is beyond the size, the last first. In order means: nothing goes while something else does not serve. */
function shrink(plan: Plan): Step {
  const { set, claims } = plan;
  const surplus = [...plan.byOrdinal]
    .filter(([ordinal]) => !isInRange(set, ordinal))
    .sort(([a], [b]) => b - a);
  const writes: Write[] = surplus.flatMap(([ordinal, pod]) => [...settleClaims(set, pod, ordinal, claims)]);
  const unhealthy = firstUnavailable(
    plan,
    surplus.map(([, pod]) => pod),
  );
  for (const [, pod] of surplus) {
    const isEnding = pod.metadata.deletionTimestamp !== undefined;
    if (!isOrdered(set)) {
      if (!isEnding) writes.push(deleteStatefulPod(set, pod));
      continue;
    }
    if (!isEnding && (pod === unhealthy || !isUnavailable(plan, pod)))
      writes.push(deleteStatefulPod(set, pod));
    return { writes, isOver: true };
  }
  return { writes, isOver: false };
}

function firstUnavailable(plan: Plan, surplus: readonly Pod[]): Pod | undefined {
  const { set } = plan;
  const kept = Array.from({ length: replicasOf(set) }, (_, index) =>
    plan.byOrdinal.get(startOf(set) + index),
  );
  return [...kept, ...surplus.toReversed()].find(pod => pod && isUnavailable(plan, pod));
}

/** Replaces one Pod of another template: from the last down to the partition, each when those above it serve. */
function replaceOne(plan: Plan): readonly Write[] {
  const { set, update } = plan;
  for (let index = replicasOf(set) - 1; index >= partitionOf(set); index--) {
    const pod = plan.byOrdinal.get(startOf(set) + index);
    if (!pod) return [];
    const isEnding = pod.metadata.deletionTimestamp !== undefined;
    if (revisionNameOf(pod) !== update.revision && !isEnding) return [deleteStatefulPod(set, pod)];
    if (isUnavailable(plan, pod)) return [];
  }
  return [];
}

/** What a missing Pod is made of: below the partition still the old template. */
function sourceOf({ set, current, update }: Plan, ordinal: number): Plan['current'] {
  return ordinal < startOf(set) + partitionOf(set) ? current : update;
}

function partitionOf({ spec }: StatefulSet): number {
  return spec.updateStrategy?.rollingUpdate?.partition ?? 0;
}

function isUnavailable({ set, now }: Plan, pod: Pod): boolean {
  return (
    !isAvailable(pod, set.spec.minReadySeconds ?? 0, now) || pod.metadata.deletionTimestamp !== undefined
  );
}

function serves(pod: Pod): boolean {
  return phaseOf(pod) === 'Running' && isReady(pod);
}
