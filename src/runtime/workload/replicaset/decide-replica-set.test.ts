import { expect, test } from 'vitest';
import { templateFor } from '../contract/workload-world.contract.ts';
import type { Pod } from '../object/pod.ts';
import { decideReplicaSet } from './decide-replica-set.ts';
import type { ReplicaSet } from './replica-set.ts';

const metadata = {
  name: 'web',
  uid: 'u',
  resourceVersion: '1',
  creationTimestamp: '2026-01-01T00:00:00Z',
  generation: 1,
};
const replicaSet: ReplicaSet = {
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata,
  spec: { replicas: 2, selector: { matchLabels: { app: 'web' } }, template: templateFor({ app: 'web' }) },
};
const now = Date.UTC(2026, 0, 1);

test('a Pod that cannot be made is a condition, which goes when all is well', () => {
  const decision = decideReplicaSet({ replicaSet, pods: [], now });
  expect(decision.writes).toHaveLength(2);
  const failed = decision.statusAfterFailure?.('quota') as NonNullable<ReplicaSet['status']>;
  expect(failed.conditions).toEqual([
    {
      type: 'ReplicaFailure',
      status: 'True',
      reason: 'FailedCreate',
      message: 'quota',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    },
  ]);
  const next = decideReplicaSet({ replicaSet: { ...replicaSet, status: failed }, pods: [], now });
  expect(next.status).not.toHaveProperty('conditions');
});

test('at most five hundred Pods are made in a pass', () => {
  const many = { ...replicaSet, spec: { ...replicaSet.spec, replicas: 2000 } };
  expect(decideReplicaSet({ replicaSet: many, pods: [], now }).writes).toHaveLength(500);
});

test('one that is being deleted makes and removes nothing', () => {
  const leaving = { ...replicaSet, metadata: { ...metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
  const pods = ['a', 'b', 'c'].map(name => ({
    ...replicaSet,
    kind: 'Pod',
    metadata: { ...metadata, name, uid: name },
  }));
  expect(decideReplicaSet({ replicaSet: leaving, pods: pods as unknown as Pod[], now }).writes).toEqual([]);
});
