import type { JsonObject } from '../../../base/json.ts';
import type { ClusterObject } from '../../../cluster/cluster.ts';
import { firstToGo } from '../object/first-to-go.ts';
import { isReady, isTerminating, type Pod } from '../object/pod.ts';
import { podOf } from '../object/pod-template.ts';
import { createPod, deletePod, type Write } from '../run/decision.ts';
import { backOffSeconds } from './back-off.ts';
import { countsByIndex, failureMarks, waitOf } from './failed-indexes.ts';
import {
  indexMarks,
  indexOf,
  isIndexed,
  isSuspended,
  type Job,
  replacesOnlyFailed,
  trackingFinalizer,
} from './job.ts';
import type { Tally } from './tally.ts';
import { untrack } from './tracking.ts';

/** What is done about the Pods of a Job that goes on, and what that makes of the counts. */
export interface Managed {
  readonly writes: readonly Write[];
  readonly active: number;
  readonly removed: readonly Pod[];
  readonly afterSeconds?: number;
}

/** The most Pods that are made or removed in one pass. */
const burst = 500;
/** A name that is generated has five characters more. */
const nameCharacters = 58;

/** As many Pods as may run now: too many are removed, or else missing ones are made, after a failure not at once. */
export function managePods(
  job: Job,
  pods: readonly Pod[],
  { tally, now }: { readonly tally: Tally; readonly now: number },
): Managed {
  const { active } = tally;
  const wanted = wantedActive(job, tally);
  const surplus = removable(job, active, Math.max(0, active.length - wanted), now).slice(0, burst);
  if (surplus.length > 0) {
    const writes = [...surplus.flatMap(untrack), ...surplus.map(deletePod)];
    return { writes, active: active.length - surplus.length, removed: surplus };
  }
  const ending = replacesOnlyFailed(job) ? tally.terminating : 0;
  const missing = Math.min(wanted - ending - active.length, burst);
  const idle = { writes: [], active: active.length, removed: [] };
  if (missing <= 0) return idle;
  const wait = countsByIndex(job) ? 0 : backOffSeconds(job, pods, now);
  if (wait > 0) return { ...idle, afterSeconds: wait };
  if (isIndexed(job)) return makeIndexed(job, pods, { tally, now, missing });
  const made = Array.from({ length: missing }, () => trackedPod(job));
  return { writes: made.map(createPod), active: active.length + made.length, removed: [] };
}

/** The first of the parts that nobody does; where each waits for itself, those that have waited long enough. */
function makeIndexed(
  job: Job,
  pods: readonly Pod[],
  { tally, now, missing }: { readonly tally: Tally; readonly now: number; readonly missing: number },
): Managed {
  const next = pendingIndexes(job, pods, tally).slice(0, missing);
  const waits = next.map(index => waitOf(tally.lastFailures.get(index), now));
  const due = next.filter((_, place) => waits[place] === 0);
  const made = due.map(index => indexedPod(job, index, failureMarks(job, tally.lastFailures.get(index))));
  const later = waits.filter(wait => wait > 0);
  return {
    writes: made.map(createPod),
    active: tally.active.length + made.length,
    removed: [],
    ...(later.length > 0 ? { afterSeconds: Math.min(...later) } : {}),
  };
}

function wantedActive(job: Job, { active, succeeded }: Tally): number {
  const { parallelism = 1, completions } = job.spec;
  if (isSuspended(job)) return 0;
  // Without a number the first success means: no more, but let those that run finish.
  if (completions === undefined) return succeeded > 0 ? active.length : parallelism;
  return Math.max(0, Math.min(completions - succeeded, parallelism));
}

/** The Pods to remove: at least so many, and of an indexed Job all that do what another does, or nothing it has. */
function removable(job: Job, active: readonly Pod[], least: number, now: number): readonly Pod[] {
  const ordered = firstToGo(active, now);
  if (!isIndexed(job)) return ordered.slice(0, least);
  const kept = new Map(ordered.map(pod => [indexOf(pod, job), pod]));
  kept.delete(undefined);
  const left = new Set(kept.values());
  const useless = ordered.filter(pod => !left.has(pod));
  const more = ordered.filter(pod => left.has(pod)).slice(0, Math.max(0, least - useless.length));
  return [...useless, ...more];
}

/** The parts that are neither done nor being done, in order. */
function pendingIndexes(job: Job, pods: readonly Pod[], tally: Tally): number[] {
  const { active, succeededIndexes, failedIndexes } = tally;
  const ending = replacesOnlyFailed(job) ? pods.filter(isTerminating) : [];
  const taken = new Set([...active, ...ending].map(pod => indexOf(pod, job)));
  return Array.from({ length: job.spec.completions ?? 0 }, (_, index) => index).filter(
    index => !taken.has(index) && !succeededIndexes.has(index) && !failedIndexes.has(index),
  );
}

function trackedPod(job: Job): ClusterObject {
  return podOf(job, job.spec.template, { finalizers: [trackingFinalizer] });
}

function indexedPod(job: Job, index: number, failures: Record<string, string>): ClusterObject {
  const { template } = job.spec;
  const { containers, initContainers } = template.spec;
  const ending = `-${index}-`;
  const marks = indexMarks(index);
  const spec = {
    ...template.spec,
    hostname: `${job.metadata.name}-${index}`,
    containers: containers.map(withIndex),
    ...(initContainers ? { initContainers: initContainers.map(withIndex) } : {}),
  };
  return podOf(
    job,
    { ...template, spec },
    {
      generateName: `${job.metadata.name.slice(0, nameCharacters - ending.length)}${ending}`,
      labels: marks,
      annotations: { ...marks, ...failures },
      finalizers: [trackingFinalizer],
    },
  );
}

const indexVariable = {
  name: 'JOB_COMPLETION_INDEX',
  valueFrom: {
    fieldRef: { fieldPath: "metadata.labels['batch.kubernetes.io/job-completion-index']" },
  },
};

function withIndex(container: JsonObject): JsonObject {
  const variables = (container['env'] ?? []) as readonly JsonObject[];
  if (variables.some(({ name }) => name === indexVariable.name)) return container;
  return { ...container, env: [...variables, indexVariable] };
}

/** How many of these were ready. */
export function readyAmong(pods: readonly Pod[]): number {
  return pods.filter(isReady).length;
}
