import { expect, test } from 'vitest';
import type { StoredObject } from '../../../cluster/cluster.ts';
import { aPod } from '../decide/a-pod.contract.ts';
import type { PodSpec } from '../pod-shape.ts';
import { placePod } from './scheduling.ts';

const node: StoredObject = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'local', uid: 'n', resourceVersion: '1', creationTimestamp: '', labels: { disk: 'ssd' } },
  spec: {},
};

function place(spec: Partial<PodSpec>, on: StoredObject = node) {
  const { nodeName: _, ...unbound } = aPod().spec;
  return placePod({ ...aPod(), spec: { ...unbound, ...spec } }, on, name => name === 'there');
}

const claim = (claimName: string) => ({ volumes: [{ name: 'v', persistentVolumeClaim: { claimName } }] });

test.each<[string, Partial<PodSpec>, object]>([
  ['any Pod', {}, { is: 'here' }],
  ['one whose labels the node has', { nodeSelector: { disk: 'ssd' } }, { is: 'here' }],
  [
    'one whose labels it has not',
    { nodeSelector: { disk: 'hdd' } },
    { is: 'nowhere', reason: 'Unschedulable' },
  ],
  ['one with a gate', { schedulingGates: [{ name: 'g' }] }, { is: 'nowhere', reason: 'SchedulingGated' }],
  ['one of another scheduler', { schedulerName: 'mine' }, { is: 'not ours' }],
  ['one that is placed', { nodeName: 'elsewhere' }, { is: 'not ours' }],
  ['one whose claim is there', claim('there'), { is: 'here' }],
  ['one whose claim is not', claim('missing'), { is: 'nowhere', reason: 'Unschedulable' }],
])('%s', (_, spec, want) => {
  expect(place(spec)).toMatchObject(want);
});

test('a node that takes no Pods', () => {
  expect(place({}, { ...node, spec: { unschedulable: true } })).toMatchObject({ reason: 'Unschedulable' });
});
