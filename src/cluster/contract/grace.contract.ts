import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { StoredObject } from '../cluster.ts';
import { type CaseWorld, refOf, refusal } from './case-world.contract.ts';
import { makePod, podType } from './make-pod.contract.ts';
import type { ContractTopic } from './run-topics.contract.ts';

const finalizers = ['afloat.dev/wait'];

/** On a node that is not there: no kubelet ends it behind the back of the case. */
const onNode = { nodeName: 'nowhere' };

function secondsOf({ metadata }: StoredObject): number {
  return Date.parse(metadata.deletionTimestamp ?? '') / 1000;
}

/** The kubelet's last word. */
function end(world: CaseWorld, pod: StoredObject): Promise<StoredObject> {
  const { uid } = pod.metadata;
  return world.cluster.delete(refOf(pod), { gracePeriodSeconds: 0, preconditions: { uid } });
}

export const graceCases: ContractTopic = {
  topic: 'time to end',
  cases: {
    'a Pod on a node is marked and stays for the time of its spec': async world => {
      const made = await makePod(world, { ...onNode, terminationGracePeriodSeconds: 45 });
      const before = Math.floor(Date.now() / 1000);
      const going = await world.cluster.delete(refOf(made));
      expect(going.metadata).toMatchObject({ uid: made.metadata.uid, deletionGracePeriodSeconds: 45 });
      // The mark says when the time is over, not when it began.
      expect(secondsOf(going)).toBeGreaterThanOrEqual(before + 45);
      expect(await world.now(made)).toEqual(going);
      await end(world, made);
    },
    'the deletion may say another time': async world => {
      const made = await makePod(world, onNode);
      const going = await world.cluster.delete(refOf(made), { gracePeriodSeconds: 90 });
      expect(going.metadata.deletionGracePeriodSeconds).toBe(90);
      await end(world, made);
    },
    'the mark is a new generation, a shorter time is not': async world => {
      const made = await makePod(world, onNode);
      expect(made.metadata.generation).toBe(1);
      expect((await world.cluster.delete(refOf(made))).metadata.generation).toBe(2);
      const shorter = await world.cluster.delete(refOf(made), { gracePeriodSeconds: 5 });
      expect(shorter.metadata.generation).toBe(2);
      await end(world, made);
    },
    'with no time at all it goes at once': async world => {
      const made = await makePod(world, onNode);
      await world.cluster.delete(refOf(made));
      await end(world, made);
      await refusal('NotFound', world.now(made));
    },
    'no time at all without a mark before goes at once too': async world => {
      const made = await makePod(world, onNode);
      expect((await end(world, made)).metadata.uid).toBe(made.metadata.uid);
      await refusal('NotFound', world.now(made));
    },
    'no time at all for another identity is a conflict': async world => {
      const made = await makePod(world, onNode);
      const going = await world.cluster.delete(refOf(made));
      const uid = '00000000-0000-4000-8000-000000000000';
      const asked = world.cluster.delete(refOf(made), { gracePeriodSeconds: 0, preconditions: { uid } });
      await refusal('Conflict', asked);
      expect(await world.now(made)).toEqual(going);
      await end(world, made);
    },
    'a shorter time counts from the first deletion': async world => {
      const made = await makePod(world, onNode);
      const going = await world.cluster.delete(refOf(made), { gracePeriodSeconds: 60 });
      await sleep(1100);
      const shorter = await world.cluster.delete(refOf(made), { gracePeriodSeconds: 20 });
      expect(shorter.metadata.deletionGracePeriodSeconds).toBe(20);
      expect(secondsOf(shorter)).toBe(secondsOf(going) - 40);
      await end(world, made);
    },
    'a longer time, the same and none said change nothing': async world => {
      const made = await makePod(world, onNode);
      const going = await world.cluster.delete(refOf(made), { gracePeriodSeconds: 20 });
      for (const options of [{ gracePeriodSeconds: 60 }, { gracePeriodSeconds: 20 }, {}])
        expect(await world.cluster.delete(refOf(made), options)).toEqual(going);
      expect(await world.now(made)).toEqual(going);
      await end(world, made);
    },
    'less than nothing is a second': async world => {
      const made = await makePod(world, onNode);
      const going = await world.cluster.delete(refOf(made), { gracePeriodSeconds: -5 });
      expect(going.metadata.deletionGracePeriodSeconds).toBe(1);
      await end(world, made);
    },
    'a Pod without a node goes at once, whatever time it is given': async world => {
      const made = await makePod(world, {});
      await world.cluster.delete(refOf(made), { gracePeriodSeconds: 60 });
      await refusal('NotFound', world.now(made));
    },
    'a Pod that has ended goes at once': async world => {
      for (const phase of ['Succeeded', 'Failed']) {
        const made = await makePod(world, onNode);
        await world.cluster.updateStatus({ ...made, status: { phase } });
        await world.cluster.delete(refOf(made), { gracePeriodSeconds: 60 });
        await refusal('NotFound', world.now(made));
      }
    },
    'a Pod that ended after it was marked stays until it is given no time': async world => {
      const made = await makePod(world, onNode);
      const going = await world.cluster.delete(refOf(made));
      await world.cluster.updateStatus({ ...going, status: { phase: 'Succeeded' } });
      await world.cluster.delete(refOf(made));
      expect((await world.now(made)).metadata.deletionGracePeriodSeconds).toBe(30);
      await end(world, made);
      await refusal('NotFound', world.now(made));
    },
    'a finalizer keeps a Pod beyond its time': async world => {
      const made = await makePod(world, onNode, { finalizers });
      await world.cluster.delete(refOf(made));
      const ended = await end(world, made);
      expect(ended.metadata).toMatchObject({ finalizers, deletionGracePeriodSeconds: 0 });
      const value = { metadata: { finalizers: [] } };
      await world.cluster.patch(refOf(made), { type: 'merge', value });
      await refusal('NotFound', world.now(made));
    },
    'a Pod whose last finalizer goes keeps its time': async world => {
      const made = await makePod(world, onNode, { finalizers });
      await world.cluster.delete(refOf(made));
      const value = { metadata: { finalizers: [] } };
      await world.cluster.patch(refOf(made), { type: 'merge', value });
      expect((await world.now(made)).metadata.deletionGracePeriodSeconds).toBe(30);
      await end(world, made);
      await refusal('NotFound', world.now(made));
    },
    'a watch sees the mark, the end of the time, and that it is gone': async world => {
      const made = await makePod(world, onNode);
      const watch = world.watch(podType, made.metadata.resourceVersion);
      await world.cluster.delete(refOf(made));
      await end(world, made);
      await watch.expectSteps(['MODIFIED one', 'MODIFIED one', 'DELETED one']);
      const times = watch.changes.map(({ object }) => object.metadata.deletionGracePeriodSeconds);
      expect(times).toEqual([30, 0, 0]);
    },
    'a watch sees the mark of a Pod that goes at once': async world => {
      const made = await makePod(world, {});
      const watch = world.watch(podType, made.metadata.resourceVersion);
      const deleted = await world.cluster.delete(refOf(made));
      await watch.expectSteps(['MODIFIED one', 'DELETED one']);
      const times = watch.changes.map(({ object }) => object.metadata.deletionGracePeriodSeconds);
      expect(times).toEqual([0, 0]);
      expect(deleted.metadata.deletionTimestamp).toBe(watch.changes[0]?.object.metadata.deletionTimestamp);
    },
    'a dry run marks nothing': async world => {
      const made = await makePod(world, onNode);
      const tried = await world.cluster.delete(refOf(made), { dryRun: true, gracePeriodSeconds: 7 });
      expect(tried.metadata.deletionGracePeriodSeconds).toBe(7);
      expect(await world.now(made)).toEqual(made);
      await end(world, made);
    },
    'kinds that need no time get none': async world => {
      const made = await world.create(world.configMap());
      await world.cluster.delete(refOf(made), { gracePeriodSeconds: 60 });
      await refusal('NotFound', world.now(made));
      const kept = await world.create(world.record('kept', undefined, { finalizers }));
      const going = await world.cluster.delete(refOf(kept), { gracePeriodSeconds: 60 });
      expect(going.metadata.deletionGracePeriodSeconds).toBe(0);
      await world.cluster.patch(refOf(kept), { type: 'merge', value: { metadata: { finalizers: [] } } });
    },
  },
};
