import { trueCondition } from './condition.ts';
import { explainPod, resultOf } from './explain-failure.ts';
import { type Judgement, judged, terminating } from './judgement.ts';
import { type Pod, statusesOf } from './pod.ts';
import { stuckPod } from './stuck-pod.ts';

/**
 * What became of a Pod that stands alone. One that runs to an end (restart policy Never or OnFailure) is done when it has succeeded; one that
 * is to run for ever (Always) is done when it is ready.
 */
export function observePod(pod: Pod): Judgement {
  return terminating(pod) ?? ended(pod) ?? stuckPod([pod], { countsFailures: false }) ?? goingOn(pod);
}

function ended(pod: Pod): Judgement | undefined {
  const name = `Pod ${pod.metadata.name}`;
  if (pod.status?.phase === 'Succeeded')
    return { ...judged('done', 'Succeeded', `${name} has succeeded`), ...resultOf([pod]) };
  if (pod.status?.phase !== 'Failed') return undefined;
  return { state: 'failed', ...(explainPod(pod) ?? { reason: 'Failed', message: `${name} has failed` }) };
}

function goingOn(pod: Pod): Judgement {
  const name = `Pod ${pod.metadata.name}`;
  const { restartPolicy = 'Always' } = pod.spec;
  if (restartPolicy === 'Always' && trueCondition(pod, 'Ready'))
    return judged('done', 'Ready', `${name} is ready`);
  if (pod.status?.phase === 'Running') {
    const ready = restartPolicy === 'Always' ? ' and is not ready yet' : '';
    return judged('progressing', 'Running', `${name} runs${ready}`);
  }
  return judged('progressing', 'Pending', `${name} ${whatItAwaits(pod)}`);
}

/** What a Pod that does not run yet waits for: an init container by name, or its start. */
export function whatItAwaits(pod: Pod): string {
  const init = (pod.status?.initContainerStatuses ?? []).find(
    ({ state, ready }) => ready !== true && state?.terminated?.exitCode !== 0,
  );
  if (init && statusesOf(pod).length > 0) return `waits for its init container ${init.name}`;
  return 'is about to start';
}
