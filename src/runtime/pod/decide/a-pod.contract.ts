import type { ContainerState, OpenPod } from '../../container/containers.ts';
import type { Container, Pod, PodSpec } from '../pod-shape.ts';
import type { PodStatus } from '../pod-status-shape.ts';
import type { ObservedPod, ObservedRun, ProbeResults } from './observed-pod.ts';

/** When everything in these tests happens. */
export const now = Date.UTC(2026, 0, 1, 12);

/** A time so many seconds before. */
export function ago(seconds: number): string {
  return `${new Date(now - seconds * 1000).toISOString().slice(0, 19)}Z`;
}

/** A Pod on this machine with one container called `main`, but for what is said. */
export function aPod(spec: Partial<PodSpec> = {}, status: PodStatus = { phase: 'Pending' }): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'web',
      namespace: 'default',
      uid: 'u1',
      resourceVersion: '1',
      creationTimestamp: ago(60),
      generation: 1,
    },
    spec: { nodeName: 'local', containers: [aContainer('main')], ...spec },
    status,
  };
}

export function aContainer(name: string, more: Partial<Container> = {}): Container {
  return { name, image: 'app', ...more };
}

export const room: OpenPod = { ip: '10.1.0.2', hostIp: '10.1.0.1', folder: '/nowhere' };

export function running(seconds = 30): ContainerState {
  return { is: 'running', pid: 1, startedAt: ago(seconds) };
}

/** Ran for so long and ended so long before now. */
export function ended(exitCode: number, secondsAgo = 1, ranSeconds = 5): ContainerState {
  return { is: 'ended', exitCode, startedAt: ago(secondsAgo + ranSeconds), finishedAt: ago(secondsAgo) };
}

type Runs = Readonly<Record<string, ContainerState | readonly ContainerState[]>>;

/** A Pod with these runs of its containers, oldest first. */
export function observed(
  pod: Pod,
  runs: Runs = {},
  probes: Readonly<Record<string, ProbeResults>> = {},
): ObservedPod {
  const lists = Object.entries(runs).map(([name, states]) => {
    const list = Array.isArray(states) ? (states as readonly ContainerState[]) : [states as ContainerState];
    const own = list.map((state, attempt): ObservedRun => {
      const id = { podUid: pod.metadata.uid, name, attempt };
      return { id, state, probes: attempt === list.length - 1 ? (probes[name] ?? {}) : {} };
    });
    return [name, own] as const;
  });
  return { pod, now, room, runs: new Map(lists) };
}
