import { expect } from 'vitest';
import type { ClusterObject, StoredObject } from '../cluster.ts';
import { type CaseWorld, configMapType, fieldsOf, refOf, refusal } from './case-world.contract.ts';
import type { ContractTopic } from './run-topics.contract.ts';

const finalizers = ['afloat.dev/wait'];

function setFinalizers(
  world: CaseWorld,
  object: ClusterObject,
  list: readonly string[],
): Promise<StoredObject> {
  const value = { metadata: { finalizers: list } };
  return world.cluster.patch(refOf(object), { type: 'merge', value });
}

export const finalizerCases: ContractTopic = {
  topic: 'finalizers',
  cases: {
    'an object with a finalizer stays and is marked': async world => {
      const made = await world.create(world.record('one', undefined, { finalizers }));
      const answered = await world.cluster.delete(refOf(made));
      expect(answered.metadata).toMatchObject({ finalizers, deletionTimestamp: expect.any(String) });
      const now = await world.now(made);
      expect(now.metadata.deletionTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(now.metadata.deletionGracePeriodSeconds).toBe(0);
      await setFinalizers(world, made, []);
    },
    'the mark is a new generation': async world => {
      const made = await world.create(world.record('one', undefined, { finalizers }));
      expect((await world.cluster.delete(refOf(made))).metadata.generation).toBe(2);
      await setFinalizers(world, made, []);
    },
    'when the last finalizer goes, the object goes': async world => {
      const made = await world.create(world.record('one', undefined, { finalizers: ['a.org/a', 'a.org/b'] }));
      await world.cluster.delete(refOf(made));
      const half = await setFinalizers(world, made, ['a.org/b']);
      expect(half.metadata.finalizers).toEqual(['a.org/b']);
      await setFinalizers(world, made, []);
      await refusal('NotFound', world.now(made));
    },
    'without a deletion the last finalizer may go and the object stays': async world => {
      const made = await world.create(world.configMap('one', {}, { finalizers }));
      const freed = await setFinalizers(world, made, []);
      expect(freed.metadata.finalizers).toBeUndefined();
      expect((await world.now(made)).metadata.uid).toBe(made.metadata.uid);
    },
    'an object that is going cannot get another finalizer': async world => {
      const made = await world.create(world.configMap('one', {}, { finalizers }));
      await world.cluster.delete(refOf(made));
      const error = await refusal('Invalid', setFinalizers(world, made, [...finalizers, 'a.org/more']));
      expect(fieldsOf(error)).toEqual(['metadata.finalizers']);
      await setFinalizers(world, made, []);
    },
    'an object that is going can still be changed': async world => {
      const made = await world.create(world.configMap('one', { a: '1' }, { finalizers }));
      const going = await world.cluster.delete(refOf(made));
      const changed = await world.cluster.update({ ...going, data: { a: '2' } });
      expect(changed['data']).toEqual({ a: '2' });
      expect(changed.metadata.deletionTimestamp).toBe(going.metadata.deletionTimestamp);
      await setFinalizers(world, made, []);
    },
    'an object that is going cannot be kept': async world => {
      const made = await world.create(world.configMap('one', {}, { finalizers }));
      const going = await world.cluster.delete(refOf(made));
      const { deletionTimestamp, deletionGracePeriodSeconds, ...metadata } = going.metadata;
      const kept = await world.cluster.update({ ...going, metadata });
      expect(kept.metadata.deletionTimestamp).toBe(deletionTimestamp);
      expect(deletionGracePeriodSeconds).toBe(0);
      await setFinalizers(world, made, []);
    },
    'a second deletion changes nothing': async world => {
      const made = await world.create(world.configMap('one', {}, { finalizers }));
      const going = await world.cluster.delete(refOf(made));
      const again = await world.cluster.delete(refOf(made));
      expect(again.metadata.deletionTimestamp).toBe(going.metadata.deletionTimestamp);
      expect(again.metadata.resourceVersion).toBe(going.metadata.resourceVersion);
      await setFinalizers(world, made, []);
    },
    'a watch sees the mark, and then that it is gone': async world => {
      const made = await world.create(world.configMap('one', {}, { finalizers }));
      const watch = world.watch(configMapType, made.metadata.resourceVersion);
      await world.cluster.delete(refOf(made));
      await setFinalizers(world, made, []);
      await watch.expectSteps(['MODIFIED one', 'DELETED one']);
      expect(watch.changes[0]?.object.metadata.deletionTimestamp).toBeDefined();
    },
    'the same name is taken until it is gone': async world => {
      const made = await world.create(world.configMap('one', {}, { finalizers }));
      await world.cluster.delete(refOf(made));
      await refusal('AlreadyExists', world.create(world.configMap()));
      await setFinalizers(world, made, []);
      expect((await world.create(world.configMap())).metadata.uid).not.toBe(made.metadata.uid);
    },
    'a finalizer that is no name is refused': async world => {
      const error = await refusal(
        'Invalid',
        world.create(world.record('one', undefined, { finalizers: ['a b'] })),
      );
      expect(fieldsOf(error)).toEqual(['metadata.finalizers']);
    },
  },
};
