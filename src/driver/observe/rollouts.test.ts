import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { aPod, aStored, waiting } from './a-stored-object.contract.ts';
import { observeDaemonSet } from './observe-daemon-set.ts';
import { observeDeployment } from './observe-deployment.ts';
import { observeStatefulSet } from './observe-stateful-set.ts';

const crashing = aPod(
  waiting('CrashLoopBackOff', '', { lastState: { terminated: { exitCode: 1, reason: 'Error' } } }),
  { labels: { 'controller-revision-hash': 'one-old' } },
);

describe('a Deployment', () => {
  const through = {
    observedGeneration: 2,
    replicas: 3,
    updatedReplicas: 3,
    readyReplicas: 3,
    availableReplicas: 3,
  };
  const aDeployment = (status: JsonObject, spec: JsonObject = {}) =>
    aStored('Deployment', { spec: { replicas: 3, ...spec }, status }, { generation: 2 });
  const failed = (type: string, status: string, reason: string, message: string) => ({
    conditions: [{ type, status, reason, message }],
  });

  const rows: readonly [sentence: string, status: JsonObject, want: object][] = [
    ['is done when all is updated and available', through, { state: 'done', reason: 'RolledOut' }],
    [
      'is not when its newest content was not seen',
      { ...through, observedGeneration: 1 },
      { state: 'progressing', reason: 'NotObserved' },
    ],
    ['is not when it has no status', {}, { state: 'progressing', reason: 'NotObserved' }],
    ['is not when one replica is old', { ...through, updatedReplicas: 2 }, { state: 'progressing' }],
    [
      'is not when an old replica is left',
      { ...through, replicas: 4 },
      { state: 'progressing', message: expect.stringContaining('1 old ones left') },
    ],
    ['is not when one is not available', { ...through, availableReplicas: 2 }, { state: 'progressing' }],
    [
      'has failed when its own deadline is over',
      {
        ...through,
        availableReplicas: 2,
        ...failed('Progressing', 'False', 'ProgressDeadlineExceeded', 'has timed out progressing.'),
      },
      { state: 'failed', reason: 'ProgressDeadlineExceeded' },
    ],
    [
      'is stuck when its Pods are refused',
      {
        ...through,
        updatedReplicas: 1,
        ...failed(
          'ReplicaFailure',
          'True',
          'FailedCreate',
          'pods "one-6d4b-x2x4z" is forbidden: exceeded quota: small, requested: pods=1',
        ),
      },
      {
        state: 'stuck',
        reason: 'FailedCreate',
        message: 'Deployment one gets no Pod: its Pod is forbidden: exceeded quota: small, requested: pods=1',
      },
    ],
  ];
  test.each(rows)('%s', (_, status, want) => {
    expect(observeDeployment(aDeployment(status), [])).toMatchObject(want);
  });
  test('is not done while a Pod of it crashes, whatever is still counted as available', () => {
    expect(observeDeployment(aDeployment(through), [crashing])).toMatchObject({
      state: 'stuck',
      reason: 'CrashLoopBackOff',
    });
  });
  test('with no replicas is done when none is left', () => {
    expect(observeDeployment(aDeployment({ observedGeneration: 2 }, { replicas: 0 }), []).state).toBe('done');
  });
  test('says with its deadline what is wrong with its Pods', () => {
    const status = {
      ...through,
      availableReplicas: 0,
      ...failed('Progressing', 'False', 'ProgressDeadlineExceeded', ''),
    };
    expect(observeDeployment(aDeployment(status), [crashing])).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('ended with exit code 1'),
      culprit: { pod: 'one-x', container: 'main' },
    });
  });
  test('that is paused in the middle is stuck', () => {
    const deployment = aDeployment({ ...through, updatedReplicas: 1 }, { paused: true });
    expect(observeDeployment(deployment, [])).toMatchObject({ state: 'stuck', reason: 'DeploymentPaused' });
  });
});

describe('a StatefulSet', () => {
  const through = {
    observedGeneration: 1,
    replicas: 3,
    readyReplicas: 3,
    availableReplicas: 3,
    updatedReplicas: 3,
    currentRevision: 'one-new',
    updateRevision: 'one-new',
  };
  const half = { ...through, updatedReplicas: 1, currentRevision: 'one-old' };
  const aSet = (status: JsonObject, spec: JsonObject = {}) =>
    aStored('StatefulSet', { spec: { replicas: 3, ...spec }, status });
  const partition = (of: number) => ({
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: of } },
  });

  const rows: readonly [sentence: string, status: JsonObject, spec: JsonObject, want: string][] = [
    ['is done when all is new and ready', through, {}, 'done'],
    ['is not when some are old', half, {}, 'progressing'],
    ['is when those above its partition are new', half, partition(2), 'done'],
    ['is not when one above its partition is old', half, partition(1), 'progressing'],
    ['is when its partition is above all', { ...half, updatedReplicas: 0 }, partition(9), 'done'],
    ['is whatever is old when old ones stay', half, { updateStrategy: { type: 'OnDelete' } }, 'done'],
    ['is not when one is not ready', { ...through, readyReplicas: 2 }, {}, 'progressing'],
    ['is not when one is not available yet', { ...through, availableReplicas: 2 }, {}, 'progressing'],
    ['is not when one too many is left', { ...through, replicas: 4 }, {}, 'progressing'],
    ['is not when its newest content was not seen', { ...through, observedGeneration: 0 }, {}, 'progressing'],
  ];
  test.each(rows)('%s', (_, status, spec, want) => {
    expect(observeStatefulSet(aSet(status, spec), []).state).toBe(want);
  });
  test('is stuck with an old Pod that crashes, where it goes in order, for then nothing replaces it', () => {
    const broken = { ...half, readyReplicas: 2 };
    expect(observeStatefulSet(aSet(broken), [crashing])).toMatchObject({ state: 'stuck' });
    const parallel = aSet(broken, { podManagementPolicy: 'Parallel' });
    expect(observeStatefulSet(parallel, [crashing])).toMatchObject({ state: 'progressing' });
  });
});

describe('a DaemonSet', () => {
  const through = {
    observedGeneration: 1,
    desiredNumberScheduled: 2,
    updatedNumberScheduled: 2,
    numberAvailable: 2,
  };
  const aSet = (status: JsonObject, spec: JsonObject = {}) => aStored('DaemonSet', { spec, status });
  const rows: readonly [sentence: string, status: JsonObject, spec: JsonObject, want: string][] = [
    ['is done when every node runs the newest', through, {}, 'done'],
    ['is not when one node runs an old one', { ...through, updatedNumberScheduled: 1 }, {}, 'progressing'],
    [
      'is when old ones stay on purpose',
      { ...through, updatedNumberScheduled: 0 },
      { updateStrategy: { type: 'OnDelete' } },
      'done',
    ],
    ['is not when one is not available', { ...through, numberAvailable: 1 }, {}, 'progressing'],
    ['is not before its controller has seen it', { desiredNumberScheduled: 0 }, {}, 'progressing'],
  ];
  test.each(rows)('%s', (_, status, spec, want) => {
    expect(observeDaemonSet(aSet(status, spec), []).state).toBe(want);
  });
  test('is stuck when a Pod of it crashes', () => {
    const status = { ...through, numberAvailable: 1 };
    expect(observeDaemonSet(aSet(status), [crashing])).toMatchObject({ reason: 'CrashLoopBackOff' });
  });
});
