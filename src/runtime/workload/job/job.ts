import type { StoredObject } from '../../../cluster/cluster.ts';
import { type Condition, findCondition, isTrue } from '../object/conditions.ts';
import { type Pod, phaseOf } from '../object/pod.ts';
import type { PodTemplate } from '../object/pod-template.ts';
import type { Selector } from '../object/selector.ts';

/** What a controller looks at in a Job. */
export interface Job extends StoredObject {
  readonly spec: JobSpec;
  readonly status?: JobStatus;
}

export interface JobSpec {
  readonly parallelism?: number;
  readonly completions?: number;
  readonly completionMode?: string;
  readonly backoffLimit?: number;
  readonly backoffLimitPerIndex?: number;
  readonly maxFailedIndexes?: number;
  readonly activeDeadlineSeconds?: number;
  readonly ttlSecondsAfterFinished?: number;
  readonly suspend?: boolean;
  readonly managedBy?: string;
  readonly podReplacementPolicy?: string;
  readonly podFailurePolicy?: { readonly rules: readonly FailureRule[] };
  readonly successPolicy?: { readonly rules: readonly SuccessRule[] };
  readonly selector?: Selector;
  readonly template: PodTemplate;
}

export interface FailureRule {
  readonly action: string;
  readonly onExitCodes?: {
    readonly containerName?: string;
    readonly operator: string;
    readonly values: readonly number[];
  };
  readonly onPodConditions?: readonly { readonly type: string; readonly status?: string }[];
}

export interface SuccessRule {
  readonly succeededIndexes?: string;
  readonly succeededCount?: number;
}

export interface JobStatus {
  readonly active?: number;
  readonly ready?: number;
  readonly terminating?: number;
  readonly succeeded?: number;
  readonly failed?: number;
  readonly startTime?: string;
  readonly completionTime?: string;
  readonly completedIndexes?: string;
  readonly failedIndexes?: string;
  readonly uncountedTerminatedPods?: {
    readonly succeeded?: readonly string[];
    readonly failed?: readonly string[];
  };
  readonly conditions?: readonly Condition[];
}

/** A Pod of a Job stays until it is counted: this finalizer keeps it. */
export const trackingFinalizer = 'batch.kubernetes.io/job-tracking';

const indexAnnotation = 'batch.kubernetes.io/job-completion-index';

export function isIndexed({ spec }: Job): boolean {
  return spec.completionMode === 'Indexed';
}

export function isSuspended({ spec }: Job): boolean {
  return spec.suspend === true;
}

/** The moment it was over, as written down; undefined while it is not. */
export function finishedAt({ status }: Job): string | undefined {
  const ended = ['Complete', 'Failed'].find(type => isTrue(status?.conditions, type));
  return ended === undefined
    ? undefined
    : (findCondition(status?.conditions, ended)?.lastTransitionTime ?? '');
}

export function isTracked({ metadata }: Pod): boolean {
  return metadata.finalizers?.includes(trackingFinalizer) === true;
}

/** A Pod is replaced only when it has ended, and not while it is ending. */
export function replacesOnlyFailed({ spec }: Job): boolean {
  return spec.podReplacementPolicy === 'Failed' || spec.podFailurePolicy !== undefined;
}

/** It has failed; one that was deleted before it could end counts as such, unless its Job waits for the end. */
export function hasFailed(pod: Pod, job: Job): boolean {
  if (phaseOf(pod) === 'Failed') return true;
  if (replacesOnlyFailed(job)) return false;
  return pod.metadata.deletionTimestamp !== undefined && phaseOf(pod) !== 'Succeeded';
}

/** Which part of an indexed Job a Pod does; undefined where it is none that the Job has. */
export function indexOf(pod: Pod, job: Job): number | undefined {
  const text = pod.metadata.annotations?.[indexAnnotation];
  const index = text === undefined || !/^\d+$/.test(text) ? undefined : Number(text);
  return index !== undefined && index < (job.spec.completions ?? 0) ? index : undefined;
}

/** What tells a Pod and others which part it does. */
export function indexMarks(index: number): Record<string, string> {
  return { [indexAnnotation]: String(index) };
}
