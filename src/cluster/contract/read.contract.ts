import { expect } from 'vitest';
import { configMapType, recordType, refOf, refusal, versionOf } from './case-world.contract.ts';
import type { ContractTopic } from './run-topics.contract.ts';

export const readCases: ContractTopic = {
  topic: 'reading',
  cases: {
    'an object is read as it was answered when it was created': async world => {
      const made = await world.create(world.record());
      expect(await world.now(made)).toEqual(made);
    },
    'an object that is not there is not found': async world => {
      await refusal('NotFound', world.cluster.get(world.ref(recordType)));
    },
    'a kind that nobody serves is not found, whatever is asked of it': async world => {
      const type = { apiVersion: recordType.apiVersion, kind: 'Nonsense' };
      await refusal('NotFound', world.cluster.get(world.ref(type)));
      await refusal('NotFound', world.cluster.list(type, { namespace: world.namespace }));
      await refusal('NotFound', world.create(world.object(type, 'one', {})));
    },
    'an API version that nobody serves is not found': async world => {
      await refusal('NotFound', world.cluster.get(world.ref({ apiVersion: 'no.such.group/v1', kind: 'A' })));
    },
    'an object of the same name and another kind is another object': async world => {
      await world.create(world.record());
      await refusal('NotFound', world.cluster.get(world.ref(configMapType)));
    },
    'a list has every object whole, in the order of their names': async world => {
      const b = await world.create(world.record('b'));
      const a = await world.create(world.record('a'));
      const { items } = await world.cluster.list(recordType, world.mine);
      expect(items).toEqual([a, b]);
    },
    'a list of nothing has a moment all the same': async world => {
      const list = await world.cluster.list(recordType, world.mine);
      expect(list.items).toEqual([]);
      expect(BigInt(list.resourceVersion)).toBeGreaterThan(0n);
    },
    'the moment of a list is not before the newest object in it': async world => {
      await world.create(world.record('a'));
      const b = await world.create(world.record('b'));
      const list = await world.cluster.list(recordType, world.mine);
      expect(BigInt(list.resourceVersion)).toBeGreaterThanOrEqual(versionOf(b));
    },
    'a list without a namespace has the objects of all namespaces': async world => {
      const made = await world.create(world.record());
      const { items } = await world.cluster.list(recordType, { labelSelector: `case=${world.id}` });
      expect(items.filter(item => item.metadata.namespace === world.namespace)).toEqual([made]);
    },
    'what is read is a copy: changing it changes nothing': async world => {
      const made = await world.create(world.configMap());
      const read = await world.now(made);
      try {
        (read['data'] as Record<string, string>)['a'] = 'changed';
      } catch {
        // Frozen is as good as a copy.
      }
      expect((await world.cluster.get(refOf(made)))['data']).toEqual({ a: '1' });
    },
  },
};
