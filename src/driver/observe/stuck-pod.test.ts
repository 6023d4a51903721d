import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { anEvent, aPod, waiting } from './a-stored-object.contract.ts';
import { observePod } from './observe-pod.ts';
import { awaitsMounts, failedClaim, missingVolume } from './stuck-by-events.ts';
import { stuckPod, unboundClaims } from './stuck-pod.ts';

const kept = { countsFailures: false };

const reasons: readonly [reason: string, message: string, want: string, text: string][] = [
  ['ErrImagePull', 'not found', 'ImagePullBackOff', 'has no image "registry/keystone:27": not found'],
  [
    'ImagePullBackOff',
    'Back-off pulling image "registry/keystone:27": ErrImagePull: not found',
    'ImagePullBackOff',
    'has no image "registry/keystone:27": not found',
  ],
  ['InvalidImageName', 'bad reference', 'InvalidImageName', 'has no image'],
  ['ErrImageNeverPull', 'not present', 'ErrImageNeverPull', 'has no image'],
  ['CreateContainerConfigError', 'secret "keys" not found', 'CreateContainerConfigError', 'secret "keys"'],
  ['CreateContainerError', 'no command specified', 'CreateContainerError', 'no command specified'],
  ['RunContainerError', 'exec: not found', 'RunContainerError', 'could not be started: exec: not found'],
];

test.each(reasons)('a container that waits with %s is stuck', (reason, message, want, text) => {
  const stuck = stuckPod([aPod(waiting(reason, message))], kept);
  expect(stuck).toMatchObject({ state: 'stuck', reason: want, message: expect.stringContaining(text) });
});

test.each(['ContainerCreating', 'PodInitializing'])('a container that waits with %s is not stuck', reason => {
  expect(stuckPod([aPod(waiting(reason))], kept)).toBeUndefined();
});

test.each([
  ['CreateContainerConfigError', 'failed to sync configmap cache: timed out waiting for the condition'],
  ['CreateContainerError', 'context deadline exceeded'],
  ['CreateContainerError', 'failed to reserve container name "main": name is reserved for "a1"'],
  ['RunContainerError', 'context deadline exceeded'],
])('a container that waits with %s for a node that is busy is not stuck: %s', (reason, message) => {
  expect(stuckPod([aPod(waiting(reason, message))], kept)).toBeUndefined();
});

test('while a kubelet tries and while it waits, an image that is not there gives the same report', () => {
  const [tries, waits] = reasons.map(([reason, message]) => stuckPod([aPod(waiting(reason, message))], kept));
  expect(tries).toEqual(waits);
});

test('a crash loop says how the last run ended, and nothing that changes with the wait', () => {
  const crash = (wait: string, restartCount: number) =>
    stuckPod(
      [
        aPod(
          waiting('CrashLoopBackOff', `back-off ${wait} restarting failed container=main`, {
            restartCount,
            lastState: { terminated: { exitCode: 137, reason: 'OOMKilled' } },
          }),
        ),
      ],
      kept,
    );
  expect(crash('10s', 2)).toEqual({
    state: 'stuck',
    reason: 'CrashLoopBackOff',
    message:
      'container main of Pod one-x was killed because it used more memory than it may (OOMKilled), again and again',
    culprit: { pod: 'one-x', container: 'main' },
  });
  expect(crash('5m0s', 9)).toEqual(crash('10s', 2));
});

describe('a Pod that no node takes', () => {
  const unschedulable = (message: string): JsonObject => ({
    phase: 'Pending',
    conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }],
  });
  const noRoom = unschedulable('0/3 nodes are available: 3 Insufficient memory.');

  test('is stuck', () => {
    expect(stuckPod([aPod(noRoom)], kept)).toEqual({
      state: 'stuck',
      reason: 'Unschedulable',
      message: 'no node takes Pod one-x: 0/3 nodes are available: 3 Insufficient memory.',
    });
  });
  test('is not while another one of the workload ends, which may make room', () => {
    const leaving = aPod(
      { phase: 'Running' },
      { name: 'one-old', deletionTimestamp: '2026-01-01T00:01:00Z' },
    );
    expect(stuckPod([aPod(noRoom), leaving], kept)).toBeUndefined();
  });
  test('is not while its volume is on its way, and is when nobody brings it', () => {
    const volumes = [{ persistentVolumeClaim: { claimName: 'data' } }];
    const status = unschedulable(
      '0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims.',
    );
    const pod = aPod(status, {}, { volumes });
    expect(stuckPod([pod], kept)).toBeUndefined();
    expect(unboundClaims(pod)).toEqual(['data']);
    expect(failedClaim('data', [anEvent('ExternalProvisioning', 'waiting')])).toBeUndefined();
    const nobody = anEvent('FailedBinding', 'no persistent volumes available and no storage class is set');
    expect(failedClaim('data', [nobody])).toMatchObject({ state: 'stuck', reason: 'FailedBinding' });
  });
  test('is not where a gate keeps it on purpose', () => {
    const conditions = [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }];
    expect(stuckPod([aPod({ phase: 'Pending', conditions })], kept)).toBeUndefined();
  });
});

describe('a Pod whose volume is made of something that is not there', () => {
  const pod = aPod(waiting('ContainerCreating'));
  const failed = anEvent(
    'FailedMount',
    'MountVolume.SetUp failed for volume "v": configmap "none" not found',
  );

  test('is stuck', () => {
    expect(awaitsMounts(pod)).toBe(true);
    expect(missingVolume(pod, [failed])).toMatchObject({ state: 'stuck', reason: 'FailedMount' });
  });
  test('is not when it was mounted later, or when something else failed', () => {
    expect(missingVolume(pod, [failed, anEvent('Pulling', 'Pulling image')])).toBeUndefined();
    expect(missingVolume(pod, [anEvent('FailedMount', 'timed out waiting')])).toBeUndefined();
    expect(awaitsMounts(aPod({ phase: 'Running' }))).toBe(false);
  });
});

describe('a Pod that stands alone', () => {
  const ready: JsonObject = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
  test('is done when ready if it is to run for ever, and not if it is to end', () => {
    expect(observePod(aPod(ready))).toMatchObject({ state: 'done', reason: 'Ready' });
    const once = aPod(ready, {}, { restartPolicy: 'OnFailure' });
    expect(observePod(once)).toMatchObject({ state: 'progressing', reason: 'Running' });
  });
  test('that waits in an init container is in progress, and the container is named', () => {
    const initContainerStatuses = [{ name: 'wait-for-db', ready: false, state: { running: {} } }];
    const pod = aPod({ ...waiting('PodInitializing'), initContainerStatuses });
    expect(observePod(pod)).toEqual({
      state: 'progressing',
      reason: 'Pending',
      message: 'Pod one-x waits for its init container wait-for-db',
    });
  });
  test('that was evicted has failed with that reason', () => {
    const pod = aPod({ phase: 'Failed', reason: 'Evicted', message: 'low on memory' });
    expect(observePod(pod)).toEqual({
      state: 'failed',
      reason: 'Evicted',
      message: 'Pod one-x failed: Evicted: low on memory',
    });
  });
});
