import { expect } from 'vitest';
import type { Metadata, OwnerReference, StoredObject } from '../cluster.ts';
import {
  type CaseWorld,
  configMapType,
  eventually,
  fieldsOf,
  refOf,
  refusal,
} from './case-world.contract.ts';
import type { ContractTopic } from './run-topics.contract.ts';

function ownedBy(owner: StoredObject, more: Partial<OwnerReference> = {}): OwnerReference {
  const { name, uid } = owner.metadata;
  return { apiVersion: owner.apiVersion, kind: owner.kind, name, uid, ...more };
}

function makeOwned(
  world: CaseWorld,
  suffix: string,
  owners: readonly OwnerReference[],
  metadata: Metadata = {},
): Promise<StoredObject> {
  return world.create(world.configMap(suffix, {}, { ...metadata, ownerReferences: owners }));
}

export const garbageCases: ContractTopic = {
  topic: 'owners and garbage',
  cases: {
    'in the background the owner goes at once and what it owns after it': async world => {
      const owner = await world.create(world.phase('owner'));
      const owned = await makeOwned(world, 'owned', [ownedBy(owner)]);
      await world.cluster.delete(refOf(owner), { propagation: 'Background' });
      await refusal('NotFound', world.now(owner));
      await world.gone(owned);
    },
    'without a word it is the background': async world => {
      const owner = await world.create(world.phase('owner'));
      const owned = await makeOwned(world, 'owned', [ownedBy(owner)]);
      await world.cluster.delete(refOf(owner));
      await refusal('NotFound', world.now(owner));
      await world.gone(owned);
    },
    'in the foreground the owner waits for what blocks it': async world => {
      const owner = await world.create(world.phase('owner'));
      const finalizers = ['afloat.dev/wait'];
      const owned = await makeOwned(world, 'owned', [ownedBy(owner, { blockOwnerDeletion: true })], {
        finalizers,
      });
      const going = await world.cluster.delete(refOf(owner), { propagation: 'Foreground' });
      expect(going.metadata.finalizers).toContain('foregroundDeletion');
      await eventually('the owned object is marked', async () => {
        return (await world.now(owned)).metadata.deletionTimestamp !== undefined;
      });
      expect((await world.now(owner)).metadata.deletionTimestamp).toBeDefined();
      const value = { metadata: { finalizers: [] } };
      await world.cluster.patch(refOf(owned), { type: 'merge', value });
      await world.gone(owned);
      await world.gone(owner);
    },
    'in the foreground what owns nothing goes': async world => {
      const owner = await world.create(world.phase('owner'));
      await world.cluster.delete(refOf(owner), { propagation: 'Foreground' });
      await world.gone(owner);
    },
    'orphans stay and are nobody’s': async world => {
      const owner = await world.create(world.phase('owner'));
      const owned = await makeOwned(world, 'owned', [ownedBy(owner)]);
      const going = await world.cluster.delete(refOf(owner), { propagation: 'Orphan' });
      expect(going.metadata.uid).toBe(owner.metadata.uid);
      await world.gone(owner);
      const now = await world.now(owned);
      expect(now.metadata.ownerReferences).toBeUndefined();
      expect(now.metadata.deletionTimestamp).toBeUndefined();
    },
    'an object with two owners goes with the last of them': async world => {
      const [one, two] = [await world.create(world.phase('a')), await world.create(world.phase('b'))];
      const owned = await makeOwned(world, 'owned', [ownedBy(one), ownedBy(two)]);
      await world.cluster.delete(refOf(one));
      await eventually('the owner that is gone is taken off', async () => {
        return (await world.now(owned)).metadata.ownerReferences?.length === 1;
      });
      await world.cluster.delete(refOf(two));
      await world.gone(owned);
    },
    'what the owned owns goes too': async world => {
      const owner = await world.create(world.phase('owner'));
      const owned = await makeOwned(world, 'owned', [ownedBy(owner)]);
      const grandchild = await makeOwned(world, 'grandchild', [ownedBy(owned)]);
      await world.cluster.delete(refOf(owner));
      await world.gone(grandchild);
      await world.gone(owned);
    },
    'an object whose owner never was goes': async world => {
      const uid = '00000000-0000-4000-8000-000000000000';
      const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'nobody', uid };
      await world.gone(await makeOwned(world, 'owned', [owner]));
    },
    'an owner of the same name and another identity is no owner': async world => {
      const old = await world.create(world.configMap('owner'));
      await world.cluster.delete(refOf(old));
      await world.create(world.configMap('owner'));
      await world.gone(await makeOwned(world, 'owned', [ownedBy(old)]));
    },
    'an owned object with a finalizer is marked and stays until it is freed': async world => {
      const owner = await world.create(world.phase('owner'));
      const owned = await makeOwned(world, 'owned', [ownedBy(owner)], { finalizers: ['afloat.dev/wait'] });
      await world.cluster.delete(refOf(owner));
      await eventually(
        'the mark',
        async () => (await world.now(owned)).metadata.deletionTimestamp !== undefined,
      );
      await world.cluster.patch(refOf(owned), { type: 'merge', value: { metadata: { finalizers: [] } } });
      await world.gone(owned);
    },
    'what has no owner is left alone': async world => {
      const owner = await world.create(world.phase('owner'));
      const owned = await makeOwned(world, 'owned', [ownedBy(owner)]);
      const beside = await world.create(world.configMap('beside'));
      await world.cluster.delete(refOf(owner));
      await world.gone(owned);
      expect(await world.now(beside)).toEqual(beside);
    },
    'an owner reference without an identity is refused': async world => {
      const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: '' };
      const error = await refusal('Invalid', makeOwned(world, 'owned', [owner]));
      expect(fieldsOf(error)).toEqual(['metadata.ownerReferences.uid']);
    },
    'two owners that control are refused': async world => {
      const owner = await world.create(world.configMap('a'));
      const other = await world.create(world.configMap('b'));
      const owners = [ownedBy(owner, { controller: true }), ownedBy(other, { controller: true })];
      const error = await refusal('Invalid', makeOwned(world, 'owned', owners));
      expect(fieldsOf(error)).toEqual(['metadata.ownerReferences']);
    },
    'what is owned is found by a watch when it goes': async world => {
      const owner = await world.create(world.phase('owner'));
      const owned = await makeOwned(world, 'owned', [ownedBy(owner)]);
      const watch = world.watch(configMapType, owned.metadata.resourceVersion);
      await world.cluster.delete(refOf(owner));
      await eventually('the deletion is seen', async () => watch.steps.includes('DELETED owned'));
    },
  },
};
