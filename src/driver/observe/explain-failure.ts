import type { Judgement } from './judgement.ts';
import {
  type ContainerStatus,
  hasSucceeded,
  lastEnded,
  type Pod,
  statusesOf,
  type Terminated,
} from './pod.ts';

/** Why something failed, in a sentence, and whose log tells more. */
export type Failure = Pick<Judgement, 'message' | 'culprit' | 'reason'>;

const signals: Readonly<Record<number, string>> = {
  1: 'SIGHUP',
  2: 'SIGINT',
  3: 'SIGQUIT',
  4: 'SIGILL',
  6: 'SIGABRT',
  7: 'SIGBUS',
  8: 'SIGFPE',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  13: 'SIGPIPE',
  14: 'SIGALRM',
  15: 'SIGTERM',
};

/** Programs may leave up to 4096 bytes as their last words; a condition message is to stay readable. */
const mostCharacters = 500;

/** How a run ended, to be said after the name of its container. */
export function howItEnded({ exitCode, signal, reason, message }: Terminated): string {
  const words = message?.trim() ?? '';
  const said = words === '' ? '' : `: ${words.slice(0, mostCharacters)}`;
  if (reason === 'OOMKilled') return `was killed because it used more memory than it may (OOMKilled)${said}`;
  if (reason === 'StartError' || reason === 'ContainerCannotRun') return `could not be started${said}`;
  const number = signal || (exitCode > 128 ? exitCode - 128 : 0);
  const name = signals[number] ?? (signal ? `signal ${signal}` : undefined);
  return `ended with exit code ${exitCode}${name === undefined ? '' : ` (${name})`}${said}`;
}

/** Why a Pod has failed: what the node says of it, or the first of its containers that failed. */
export function explainPod(pod: Pod): Failure | undefined {
  const { name } = pod.metadata;
  const { reason, message } = pod.status ?? {};
  const container = firstFailed(pod);
  const end = container?.state?.terminated;
  const ofContainer = container && end ? `container ${container.name} of Pod ${name} ${howItEnded(end)}` : '';
  const ofNode = reason ? `Pod ${name} failed: ${reason}${message ? `: ${message}` : ''}` : '';
  if (ofNode === '' && ofContainer === '') return undefined;
  return {
    reason: reason ?? end?.reason ?? 'Error',
    message: [ofNode, ofContainer].filter(text => text !== '').join('; '),
    ...(container && end?.reason !== 'StartError'
      ? { culprit: { pod: name, container: container.name } }
      : {}),
  };
}

/** Why the last of these Pods that failed did so. */
export function explainPods(pods: readonly Pod[]): Failure | undefined {
  const failed = lastEnded(pods.filter(({ status }) => status?.phase === 'Failed'));
  return failed && explainPod(failed);
}

/** The container that failed first: those that end after it may only have been told to. */
function firstFailed(pod: Pod): ContainerStatus | undefined {
  const failed = statusesOf(pod).filter(({ state }) => (state?.terminated?.exitCode ?? 0) !== 0);
  const endOf = ({ state }: ContainerStatus) => state?.terminated?.finishedAt ?? '';
  return [...failed].sort((a, b) => (endOf(a) < endOf(b) ? -1 : endOf(a) > endOf(b) ? 1 : 0))[0];
}

/**
 * What the last successful container of these Pods left as its termination message: of the Pod that succeeded last, the container that ended
 * last and left one.
 */
export function resultOf(pods: readonly Pod[]): { readonly result?: string } {
  const last = lastEnded(pods.filter(hasSucceeded));
  const ends = (last?.status?.containerStatuses ?? [])
    .flatMap(({ state }) => state?.terminated ?? [])
    .filter(end => end.exitCode === 0 && end.message !== undefined && end.message !== '');
  const byTime = [...ends].sort((a, b) => ((a.finishedAt ?? '') < (b.finishedAt ?? '') ? -1 : 1));
  const result = byTime.at(-1)?.message;
  return result === undefined ? {} : { result };
}
