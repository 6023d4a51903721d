import { isReady, type Pod, phaseOf, readySince } from './pod.ts';

const costAnnotation = 'controller.kubernetes.io/pod-deletion-cost';
const phases = ['Pending', 'Unknown', 'Running'];

/** Pods in the order in which they are given up: the one that is missed least comes first. */
export function firstToGo(pods: readonly Pod[], now: number): readonly Pod[] {
  return pods.toSorted((a, b) => {
    for (const rule of rules) {
      const order = rule(a, now) - rule(b, now);
      if (order !== 0) return order;
    }
    return a.metadata.uid < b.metadata.uid ? -1 : 1;
  });
}

/** The rules of Kubernetes, in order. Of two Pods the one with the smaller number goes. */
const rules: readonly ((pod: Pod, now: number) => number)[] = [
  pod => (pod.spec.nodeName ? 1 : 0), // one that has no place yet
  pod => phases.indexOf(phaseOf(pod)), // one that does not run yet
  pod => (isReady(pod) ? 1 : 0), // one that does not serve
  pod => Number.parseInt(pod.metadata.annotations?.[costAnnotation] ?? '0', 10) || 0, // one that its owner says costs less
  (pod, now) => ageRank(readySince(pod), now), // one that has served for a shorter time
  pod => -restarts(pod), // one that fell over more often
  (pod, now) => ageRank(Date.parse(pod.metadata.creationTimestamp), now), // one that is younger
];

/** Ages are compared by their order of magnitude, so that those of about the same age go by chance. */
function ageRank(since: number | undefined, now: number): number {
  if (since === undefined) return 0;
  return now > since ? Math.floor(Math.log2((now - since) * 1e6)) : -1;
}

function restarts({ status }: Pod): number {
  return Math.max(0, ...(status?.containerStatuses ?? []).map(container => container.restartCount ?? 0));
}
