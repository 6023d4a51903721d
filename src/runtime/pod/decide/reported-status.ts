import type { Container, Pod } from '../pod-shape.ts';
import type { ContainerStatus } from '../pod-status-shape.ts';
import { containerIdOf, type ObservedRun } from './observed-pod.ts';

/** What was last said of a container. */
export function reportedStatus({ status }: Pod, { name }: Container): ContainerStatus | undefined {
  const all = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  return all.find(one => one.name === name);
}

/** The image a run was started from: what was said of this very run, or what the Pod says where nothing was said yet. */
export function imageOfRun(pod: Pod, container: Container, run: ObservedRun | undefined): string {
  const reported = reportedStatus(pod, container);
  const isSame = run !== undefined && reported?.containerID === containerIdOf(run);
  return isSame ? reported.image : (container.image ?? '');
}
