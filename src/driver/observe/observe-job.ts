import { isObject } from '../../base/json.ts';
import type { StoredObject } from '../../cluster/cluster.ts';
import { findCondition, trueCondition } from './condition.ts';
import { explainPods, resultOf } from './explain-failure.ts';
import { type Judgement, judged, terminating } from './judgement.ts';
import { hasSucceeded, isAlive, type Pod } from './pod.ts';
import { stuckPod } from './stuck-pod.ts';

/**
 * What became of a Job, from it and the Pods it made. It fails with the reason of the Pod that failed last. Failures are counted by the Job
 * itself, so a container that fails again and again is no more than progress until the Job gives up. One of a single Pod is done when the
 * programs of that have ended well: the Job itself says so up to two seconds later.
 */
export function observeJob(job: StoredObject, pods: readonly Pod[]): Judgement {
  return (
    terminating(job) ?? ended(job, pods) ?? stuckPod(pods, { countsFailures: true }) ?? goingOn(job, pods)
  );
}

function ended(job: StoredObject, pods: readonly Pod[]): Judgement | undefined {
  const name = `Job ${job.metadata.name}`;
  if (trueCondition(job, 'Complete') || itsOneHasSucceeded(job, pods))
    return { ...judged('done', 'Complete', `${name} is complete`), ...resultOf(pods) };
  const failed = trueCondition(job, 'Failed');
  if (!failed) return undefined;
  const { reason = 'Failed', message = '' } = failed;
  const why = explainPods(pods);
  const said = `${name} failed: ${reason}${message && `: ${message}`}`;
  return {
    ...judged('failed', reason, why ? `${said}; ${why.message}` : said),
    ...(why?.culprit ? { culprit: why.culprit } : {}),
  };
}

/** Nothing is left to run, and nothing speaks against it. */
function itsOneHasSucceeded(job: StoredObject, pods: readonly Pod[]): boolean {
  const { completions = 1, parallelism = 1 } = (isObject(job['spec']) ? job['spec'] : {}) as {
    readonly completions?: number;
    readonly parallelism?: number;
  };
  const [pod] = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined).filter(hasSucceeded);
  const isFailing = trueCondition(job, 'Failed') ?? trueCondition(job, 'FailureTarget');
  return completions === 1 && parallelism === 1 && pod !== undefined && !isFailing;
}

function goingOn(job: StoredObject, pods: readonly Pod[]): Judgement {
  const name = `Job ${job.metadata.name}`;
  if (findCondition(job, 'Suspended')?.status === 'True')
    return judged('progressing', 'JobSuspended', `${name} is suspended`);
  const failure = explainPods(pods);
  const tries = failure ? `, after a try that failed: ${failure.message}` : '';
  if (pods.some(isAlive)) return judged('progressing', 'Running', `${name} runs${tries}`);
  return judged('progressing', 'Pending', `${name} waits for its next Pod${tries}`);
}

/** It is to run and has no Pod that does. */
export function jobIsShortOfPods(job: StoredObject, pods: readonly Pod[]): boolean {
  const isSuspended = isObject(job['spec']) && job['spec']['suspend'] === true;
  return !isSuspended && !pods.some(isAlive);
}
