import type { StoredObject } from '../../cluster/cluster.ts';
import { findCondition, trueCondition } from './condition.ts';
import { type Judgement, judged, notObserved, terminating } from './judgement.ts';
import type { Pod } from './pod.ts';
import { countOf, rolledOut, rollingOut, specOf, statusOf } from './rollout.ts';
import { refusalText } from './stuck-by-events.ts';
import { stuckPod } from './stuck-pod.ts';

/**
 * What became of a Deployment. `pods` are those of its newest content: an old one that crashes is being replaced and is no reason to stop.
 * It is done when its newest content was seen, all replicas are of that content and available, and no old one is left. A container without
 * a readiness probe is available as soon as it runs, also one that ends in the next moment: `minReadySeconds` or a probe is the cure.
 */
export function observeDeployment(deployment: StoredObject, pods: readonly Pod[]): Judgement {
  const early =
    terminating(deployment) ?? notObserved(deployment, statusOf(deployment)['observedGeneration']);
  if (early) return early;
  const status = statusOf(deployment);
  const wanted = countOf(specOf(deployment), 'replicas', 1);
  const updated = countOf(status, 'updatedReplicas');
  const available = countOf(status, 'availableReplicas');
  const old = countOf(status, 'replicas') - updated;
  const counts = `${updated} of ${wanted} replicas updated, ${available} available`;
  // Counts lag behind Pods: what crashes in this moment may still be counted as available.
  const trouble = stuckPod(pods, { countsFailures: false });
  const isThrough = updated >= wanted && old <= 0 && available >= updated;
  if (isThrough && !trouble) return rolledOut(deployment, counts);
  return (
    tooLate(deployment, trouble) ??
    refused(deployment) ??
    trouble ??
    paused(deployment) ??
    rollingOut(deployment, old > 0 ? `${counts}, ${old} old ones left` : counts, pods)
  );
}

/** The cluster's own deadline is over. What is wrong with its Pods is said with it. */
function tooLate(deployment: StoredObject, trouble: Judgement | undefined): Judgement | undefined {
  const progressing = findCondition(deployment, 'Progressing');
  const reason = 'ProgressDeadlineExceeded';
  if (progressing?.status !== 'False' || progressing.reason !== reason) return undefined;
  const said = `Deployment ${deployment.metadata.name} made no progress before its deadline`;
  return {
    ...judged('failed', reason, trouble ? `${said}: ${trouble.message}` : said),
    ...(trouble?.culprit ? { culprit: trouble.culprit } : {}),
  };
}

function refused(deployment: StoredObject): Judgement | undefined {
  const failure = trueCondition(deployment, 'ReplicaFailure');
  if (!failure) return undefined;
  const why = refusalText(failure.message ?? '');
  const reason = failure.reason ?? 'ReplicaFailure';
  return judged('stuck', reason, `Deployment ${deployment.metadata.name} gets no Pod: ${why}`);
}

function paused(deployment: StoredObject): Judgement | undefined {
  if (specOf(deployment)['paused'] !== true) return undefined;
  return judged('stuck', 'DeploymentPaused', `Deployment ${deployment.metadata.name} is paused`);
}
