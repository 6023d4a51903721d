import { expect } from 'vitest';
import { recordType, refOf, refusal } from './case-world.contract.ts';
import type { ContractTopic } from './run-topics.contract.ts';

const otherUid = '00000000-0000-4000-8000-000000000000';

export const deleteCases: ContractTopic = {
  topic: 'deleting',
  cases: {
    'a deleted object is gone, and is answered as it was': async world => {
      const made = await world.create(world.record());
      const deleted = await world.cluster.delete(refOf(made));
      expect(deleted).toMatchObject({
        kind: made.kind,
        spec: made['spec'],
        metadata: { uid: made.metadata.uid },
      });
      await refusal('NotFound', world.now(made));
    },
    'what is not there cannot be deleted': async world => {
      await refusal('NotFound', world.cluster.delete(world.ref(recordType)));
    },
    'a deletion of another identity is a conflict': async world => {
      const made = await world.create(world.record());
      await refusal('Conflict', world.cluster.delete(refOf(made), { preconditions: { uid: otherUid } }));
      expect(await world.now(made)).toEqual(made);
    },
    'a deletion of an old version is a conflict': async world => {
      const made = await world.create(world.configMap());
      const { resourceVersion } = made.metadata;
      const changed = await world.cluster.update({ ...made, data: { a: '2' } });
      const asked = world.cluster.delete(refOf(made), { preconditions: { resourceVersion } });
      await refusal('Conflict', asked);
      expect(await world.now(made)).toEqual(changed);
    },
    'a deletion of this identity and version happens': async world => {
      const made = await world.create(world.configMap());
      const { uid, resourceVersion } = made.metadata;
      await world.cluster.delete(refOf(made), { preconditions: { uid, resourceVersion } });
      await refusal('NotFound', world.now(made));
    },
    'a dry run deletes nothing': async world => {
      const made = await world.create(world.configMap());
      await world.cluster.delete(refOf(made), { dryRun: true });
      expect(await world.now(made)).toEqual(made);
    },
    'what is made again under the same name is another object': async world => {
      const made = await world.create(world.record());
      await world.cluster.delete(refOf(made));
      const again = await world.create(world.record());
      expect(again.metadata.uid).not.toBe(made.metadata.uid);
      expect(again.metadata.generation).toBe(1);
    },
    'of two that delete the same object one is told it is not there': async world => {
      const made = await world.create(world.configMap());
      const ends = await Promise.allSettled([1, 2].map(() => world.cluster.delete(refOf(made))));
      const refused = ends.flatMap(end => (end.status === 'rejected' ? [end.reason.reason] : []));
      expect(refused).toEqual(['NotFound']);
    },
  },
};
