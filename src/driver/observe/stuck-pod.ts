import { howItEnded } from './explain-failure.ts';
import { type Judgement, judged } from './judgement.ts';
import { type ContainerStatus, isAlive, type Pod, statusesOf } from './pod.ts';

/** Reasons of a kubelet for which no image is there. It goes on trying and switches between them, so one word stands for most. */
export const imageReasons: Readonly<Record<string, string>> = {
  ErrImagePull: 'ImagePullBackOff',
  ImagePullBackOff: 'ImagePullBackOff',
  InvalidImageName: 'InvalidImageName',
  ErrImageNeverPull: 'ErrImageNeverPull',
  ImageInspectError: 'ImageInspectError',
  RegistryUnavailable: 'ImagePullBackOff',
  SignatureValidationFailed: 'SignatureValidationFailed',
};

/** Reasons for which a container cannot be made of its image: a variable from a ConfigMap that is not there, no command. */
export const makeReasons: ReadonlySet<string> = new Set([
  'CreateContainerConfigError',
  'CreateContainerError',
]);

/** What a kubelet says while it waits for others, or they for it: a busy node, a cache that is not filled yet. It comes right by itself. */
const passing =
  /timed out waiting for the condition|context deadline exceeded|failed to reserve container name/;

/** How a workload looks after its Pods. */
export interface PodCare {
  /**
   * Ended containers are counted by the workload, which gives up by itself (a Job): then neither a crash loop nor a program that cannot be
   * started is for us to judge.
   */
  readonly countsFailures: boolean;
}

/** Why one of these Pods can never run without a person, or undefined. The first by name, so that the answer stays the same. */
export function stuckPod(pods: readonly Pod[], care: PodCare): Judgement | undefined {
  const sorted = [...pods].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  const makesRoom = pods.some(({ metadata }) => metadata.deletionTimestamp !== undefined);
  for (const pod of sorted.filter(isAlive)) {
    const stuck = stuckContainer(pod, care) ?? (makesRoom ? undefined : unschedulable(pod));
    if (stuck) return stuck;
  }
  return undefined;
}

function stuckContainer(pod: Pod, { countsFailures }: PodCare): Judgement | undefined {
  for (const status of statusesOf(pod)) {
    const stuck = withoutImage(pod, status) ?? notMade(pod, status);
    if (stuck) return stuck;
    if (!countsFailures) {
      const crashed = crashLoop(pod, status) ?? notStarted(pod, status);
      if (crashed) return crashed;
    }
  }
  return undefined;
}

function withoutImage(pod: Pod, status: ContainerStatus): Judgement | undefined {
  const { reason = '', message = '' } = status.state?.waiting ?? {};
  const word = imageReasons[reason];
  if (word === undefined) return undefined;
  const containers = [...(pod.spec.initContainers ?? []), ...(pod.spec.containers ?? [])];
  const image = containers.find(({ name }) => name === status.name)?.image ?? status.image ?? '';
  // What the kubelet says while it waits and while it tries, without what differs between the two.
  const why = message.replace(/^Back-off pulling image "[^"]*"(?:: ErrImagePull)?(?:: )?/, '').trim();
  const text = `${whose(pod, status)} has no image "${image}"${why && `: ${why}`}`;
  return judged('stuck', word, text);
}

function notMade(pod: Pod, status: ContainerStatus): Judgement | undefined {
  const { reason = '', message = '' } = status.state?.waiting ?? {};
  if (!makeReasons.has(reason) || passing.test(message)) return undefined;
  return judged('stuck', reason, `${whose(pod, status)} cannot be made: ${message || reason}`);
}

function notStarted(pod: Pod, status: ContainerStatus): Judgement | undefined {
  const { reason, message } = status.state?.waiting ?? {};
  if (reason !== 'RunContainerError' || passing.test(message ?? '')) return undefined;
  return judged('stuck', reason, `${whose(pod, status)} could not be started: ${message ?? reason}`);
}

/** Not in the kubelet's own words: they hold the time that it waits. */
function crashLoop(pod: Pod, status: ContainerStatus): Judgement | undefined {
  const { state, lastState, name } = status;
  if (state?.waiting?.reason !== 'CrashLoopBackOff') return undefined;
  const end = lastState?.terminated;
  const how = end ? howItEnded(end) : 'ended';
  return {
    ...judged('stuck', 'CrashLoopBackOff', `${whose(pod, status)} ${how}, again and again`),
    ...(end?.reason === 'StartError' ? {} : { culprit: { pod: pod.metadata.name, container: name } }),
  };
}

/**
 * No node takes it. Not so while another Pod of the same workload is ending, which may make room; and not while a volume is awaited, which
 * its provisioner usually brings within seconds (`unboundClaims`).
 */
function unschedulable(pod: Pod): Judgement | undefined {
  const message = unschedulableMessage(pod);
  if (message === undefined || awaitsVolume(message)) return undefined;
  return judged('stuck', 'Unschedulable', `no node takes Pod ${pod.metadata.name}: ${message}`);
}

/** The claims that a Pod waits for before it can have a node. */
export function unboundClaims(pod: Pod): readonly string[] {
  const message = unschedulableMessage(pod);
  if (!isAlive(pod) || message === undefined || !awaitsVolume(message)) return [];
  return (pod.spec.volumes ?? []).flatMap(volume => volume.persistentVolumeClaim?.claimName ?? []);
}

function unschedulableMessage({ status }: Pod): string | undefined {
  const scheduled = status?.conditions?.find(({ type }) => type === 'PodScheduled');
  const isSo = scheduled?.status === 'False' && scheduled.reason === 'Unschedulable';
  return isSo ? (scheduled.message ?? '') : undefined;
}

function awaitsVolume(message: string): boolean {
  return message.includes('unbound immediate PersistentVolumeClaims');
}

function whose(pod: Pod, { name }: ContainerStatus): string {
  return `container ${name} of Pod ${pod.metadata.name}`;
}
