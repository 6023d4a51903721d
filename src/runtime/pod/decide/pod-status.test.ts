import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PodSpec } from '../pod-shape.ts';
import type { PodStatus } from '../pod-status-shape.ts';
import { aContainer, ago, aPod, ended, now, observed, room, running } from './a-pod.contract.ts';
import type { Waiting } from './next-steps.ts';
import { type ObservedPod, withLostRun } from './observed-pod.ts';
import { podStatus } from './pod-status.ts';

const usual = { waiting: new Map<string, Waiting>(), isEnding: false, hostIp: room.hostIp };

/** Conditions in short: `True`, or `False Reason`. */
function conditions({ conditions: all = [] }: PodStatus) {
  return Object.fromEntries(
    all.map(({ type, status, reason }) => [type, reason ? `${status} ${reason}` : status]),
  );
}

const [a, b] = [aContainer('a'), aContainer('b')];
const never = { restartPolicy: 'Never' } as const;

describe('phase', () => {
  const beside = aContainer('beside', { restartPolicy: 'Always' });
  test.each<[string, Partial<PodSpec>, Parameters<typeof observed>[1], string]>([
    ['nothing has begun', {}, {}, 'Pending'],
    ['one of two has not begun', { containers: [a, b] }, { a: running() }, 'Pending'],
    [
      'all have begun and one runs',
      { containers: [a, b], ...never },
      { a: running(), b: ended(1) },
      'Running',
    ],
    ['all ended well', never, { main: ended(0) }, 'Succeeded'],
    ['one of them failed', { containers: [a, b], ...never }, { a: ended(0), b: ended(1) }, 'Failed'],
    ['one that runs again', {}, { main: ended(0) }, 'Running'],
    ['an init container runs', { initContainers: [a] }, { a: running() }, 'Pending'],
    ['an init container failed for good', { initContainers: [a], ...never }, { a: ended(1) }, 'Failed'],
    ['an init container is tried again', { initContainers: [a] }, { a: ended(1) }, 'Pending'],
    [
      'a sidecar still runs',
      { initContainers: [beside], ...never },
      { beside: running(), main: ended(0) },
      'Running',
    ],
    [
      'a sidecar was ended',
      { initContainers: [beside], ...never },
      { beside: ended(0), main: ended(0) },
      'Succeeded',
    ],
  ])('%s', (_, spec, runs, want) => {
    expect(podStatus(observed(aPod(spec), runs), usual).phase).toBe(want);
  });

  test('whatever it ended with, a Pod that was deleted has ended', () => {
    const ending = { ...usual, isEnding: true };
    expect(podStatus(observed(aPod(), { main: ended(0) }), ending).phase).toBe('Succeeded');
    expect(podStatus(observed(aPod(), { main: ended(143) }), ending).phase).toBe('Failed');
    expect(podStatus(observed(aPod()), ending).phase).toBe('Failed');
  });

  test('past its deadline it has failed, but not before all of it has ended', () => {
    const pod = aPod({ activeDeadlineSeconds: 10 }, { phase: 'Running', startTime: ago(12) });
    const ending = { ...usual, isEnding: true };
    expect(podStatus(observed(pod, { main: running() }), ending)).toMatchObject({ phase: 'Running' });
    expect(podStatus(observed(pod, { main: ended(0) }), ending)).toMatchObject({
      phase: 'Failed',
      reason: 'DeadlineExceeded',
      message: 'Pod was active on the node longer than the specified deadline',
    });
  });
});

describe('conditions', () => {
  test.each<[string, Partial<PodSpec>, Parameters<typeof observed>[1], object]>([
    [
      'ready',
      {},
      { main: running() },
      {
        PodReadyToStartContainers: 'True',
        Initialized: 'True',
        Ready: 'True',
        ContainersReady: 'True',
        PodScheduled: 'True',
      },
    ],
    [
      'being prepared',
      { initContainers: [a] },
      { a: running() },
      { Initialized: 'False ContainersNotInitialized', Ready: 'False ContainersNotReady' },
    ],
    [
      'completed',
      never,
      { main: ended(0) },
      {
        PodReadyToStartContainers: 'False',
        Initialized: 'True PodCompleted',
        Ready: 'False PodCompleted',
        ContainersReady: 'False PodCompleted',
      },
    ],
    ['failed', never, { main: ended(1) }, { Initialized: 'True', Ready: 'False PodFailed' }],
    [
      'a gate that nobody opened',
      { readinessGates: [{ conditionType: 'traffic' }] },
      { main: running() },
      { Ready: 'False ReadinessGatesNotReady', ContainersReady: 'True' },
    ],
  ])('%s', (_, spec, runs, want) => {
    expect(conditions(podStatus(observed(aPod(spec), runs), usual))).toMatchObject(want);
  });

  test('the message names the containers, and the time is that of the change', () => {
    const status = podStatus(observed(aPod({ containers: [a, b] })), usual);
    const { conditions: before = [] } = status;
    expect(before.find(({ type }) => type === 'Ready')).toEqual({
      type: 'Ready',
      status: 'False',
      reason: 'ContainersNotReady',
      message: 'containers with unready status: [a b]',
      lastTransitionTime: ago(0),
      observedGeneration: 1,
    });
    const later = { ...observed(aPod({ containers: [a, b] }, status), { a: running() }), now: now + 60_000 };
    const ready = podStatus(later, usual).conditions?.find(({ type }) => type === 'Ready');
    expect(ready).toMatchObject({
      message: 'containers with unready status: [b]',
      lastTransitionTime: ago(0),
    });
  });

  test('those of others stay', () => {
    const traffic = { type: 'traffic', status: 'True' as const, reason: 'Open' };
    const pod = aPod(
      { readinessGates: [{ conditionType: 'traffic' }] },
      { phase: 'Running', conditions: [traffic] },
    );
    const status = podStatus(observed(pod, { main: running() }), usual);
    expect(conditions(status)).toMatchObject({ traffic: 'True Open', Ready: 'True' });
  });
});

describe('containers', () => {
  const probed = aContainer('main', { readinessProbe: {}, startupProbe: {} });
  const only = (status: PodStatus) => status.containerStatuses?.[0];

  test('one with probes is started and ready when these say so', () => {
    const told = (probes: object) =>
      only(podStatus(observed(aPod({ containers: [probed] }), { main: running() }, { main: probes }), usual));
    expect(told({})).toMatchObject({ started: false, ready: false });
    expect(told({ startup: true })).toMatchObject({ started: true, ready: false });
    expect(told({ startup: true, readiness: true })).toMatchObject({ started: true, ready: true });
  });

  test('one that waits to run again shows how it ended', () => {
    const waiting = new Map([['main', { reason: 'CrashLoopBackOff', message: 'back-off' }]]);
    const status = podStatus(observed(aPod(), { main: [ended(1, 20), ended(2, 1)] }), { ...usual, waiting });
    expect(only(status)).toMatchObject({
      restartCount: 1,
      state: { waiting: { reason: 'CrashLoopBackOff' } },
      lastState: { terminated: { exitCode: 2, reason: 'Error', finishedAt: ago(1) } },
    });
    expect(status.phase).toBe('Running');
  });

  test('one of which no file is left counts as lost, not as never run', () => {
    const reported = only(podStatus(observed(aPod(never), { main: running() }), usual));
    const pod = aPod(never, { phase: 'Running', ...(reported ? { containerStatuses: [reported] } : {}) });
    const lost: ObservedPod = {
      ...observed(pod),
      runs: new Map([['main', withLostRun([], reported, 'u1')]]),
    };
    const status = podStatus(lost, usual);
    expect(status.phase).toBe('Failed');
    expect(only(status)?.state.terminated).toMatchObject({ exitCode: 137, reason: 'ContainerStatusUnknown' });
  });
});

describe('laws', () => {
  const state = fc.constantFrom(undefined, running(), ended(0), ended(1), { is: 'starting' as const });
  const policy = fc.constantFrom('Always' as const, 'OnFailure' as const, 'Never' as const);
  const given = fc.record({ first: state, second: state, init: state, policy, isEnding: fc.boolean() });

  test('said again it says the same, and what has ended stays ended', () => {
    fc.assert(
      fc.property(given, given, (one, other) => {
        const look = (what: typeof one, status?: PodStatus) => {
          const spec = {
            containers: [a, b],
            initContainers: [aContainer('init')],
            restartPolicy: what.policy,
          };
          const runs = { a: what.first, b: what.second, init: what.init };
          const known = Object.fromEntries(Object.entries(runs).filter(([, run]) => run !== undefined));
          const pod = aPod(spec, status ?? { phase: 'Pending' });
          return podStatus(observed(pod, known as Parameters<typeof observed>[1]), {
            ...usual,
            isEnding: what.isEnding,
          });
        };
        const status = look(one);
        expect(look(one, status)).toEqual(status);
        const later = look({ ...other, policy: one.policy }, status);
        if (status.phase === 'Succeeded' || status.phase === 'Failed') expect(later.phase).toBe(status.phase);
      }),
    );
  });

  test('a Pod that has ended is never ready', () => {
    fc.assert(
      fc.property(given, what => {
        const spec = { containers: [a], restartPolicy: what.policy };
        const runs = what.first ? { a: what.first } : {};
        const status = podStatus(observed(aPod(spec), runs), { ...usual, isEnding: what.isEnding });
        const hasEnded = status.phase === 'Succeeded' || status.phase === 'Failed';
        expect(hasEnded && conditions(status)['Ready'] === 'True').toBe(false);
      }),
    );
  });
});
