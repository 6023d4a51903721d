import { expect } from 'vitest';
import type { StoredObject } from '../cluster.ts';
import {
  type CaseWorld,
  configMapType,
  namespaceType,
  recordType,
  refOf,
  refusal,
} from './case-world.contract.ts';
import type { ContractTopic } from './run-topics.contract.ts';

/** A namespace beside the one of the case. */
function makeNamespace(world: CaseWorld, suffix = 'beside'): Promise<StoredObject> {
  const name = `${world.namespace}-${world.id}-${suffix}`;
  return world.create({ ...namespaceType, metadata: { name, labels: { case: world.id } } });
}

export const namespaceCases: ContractTopic = {
  topic: 'namespaces',
  cases: {
    'a namespace is an object without a namespace, and active': async world => {
      const made = await makeNamespace(world);
      expect(made.metadata.namespace).toBeUndefined();
      expect(made).toMatchObject({ status: { phase: 'Active' } });
      const { items } = await world.cluster.list(namespaceType, { labelSelector: `case=${world.id}` });
      expect(items.map(item => item.metadata.name)).toContain(made.metadata.name);
      await world.cluster.delete(refOf(made));
    },
    'a namespace has its name as a label': async world => {
      const made = await makeNamespace(world);
      expect(made.metadata.labels).toMatchObject({ 'kubernetes.io/metadata.name': made.metadata.name });
      await world.cluster.delete(refOf(made));
    },
    'the same name in two namespaces is two objects': async world => {
      const beside = (await makeNamespace(world)).metadata.name;
      const one = await world.create(world.configMap('one', { a: 'here' }));
      const two = await world.create(world.configMap('one', { a: 'there' }, { namespace: beside }));
      expect(two.metadata.uid).not.toBe(one.metadata.uid);
      expect((await world.now(one))['data']).toEqual({ a: 'here' });
      expect((await world.now(two))['data']).toEqual({ a: 'there' });
      const { items } = await world.cluster.list(configMapType, world.mine);
      expect(items).toEqual([one]);
      await world.cluster.delete({ ...namespaceType, name: beside });
    },
    'a watch of one namespace sees nothing of another': async world => {
      const beside = (await makeNamespace(world)).metadata.name;
      const watch = world.watch(configMapType, await world.moment(configMapType));
      await world.create(world.configMap('there', {}, { namespace: beside }));
      await world.create(world.configMap('here'));
      await watch.expectSteps(['ADDED here']);
      await world.cluster.delete({ ...namespaceType, name: beside });
    },
    'a namespace that is deleted takes everything in it along': async world => {
      const made = await makeNamespace(world);
      const namespace = made.metadata.name;
      const record = await world.create(world.record('one', undefined, { namespace }));
      const configMap = await world.create(world.configMap('one', {}, { namespace }));
      const going = await world.cluster.delete(refOf(made));
      expect(going).toMatchObject({ status: { phase: 'Terminating' } });
      await world.gone(record);
      await world.gone(configMap);
      await world.gone(made);
    },
    'nothing new comes into a namespace that is going': async world => {
      const made = await makeNamespace(world);
      const namespace = made.metadata.name;
      const held = await world.create(world.configMap('held', {}, { namespace, finalizers: ['a.org/wait'] }));
      await world.cluster.delete(refOf(made));
      await refusal('Forbidden', world.create(world.configMap('new', {}, { namespace })));
      expect((await world.now(made))['status']).toMatchObject({ phase: 'Terminating' });
      await world.cluster.patch(refOf(held), { type: 'merge', value: { metadata: { finalizers: [] } } });
      await world.gone(made);
    },
    'a namespace that is gone has nothing, and lists are empty': async world => {
      const selection = { namespace: 'no-such-place' };
      expect((await world.cluster.list(recordType, selection)).items).toEqual([]);
      await refusal('NotFound', world.cluster.get({ ...recordType, name: 'one', ...selection }));
    },
    'a name that is no label is refused for a namespace': async world => {
      const wrong = { ...namespaceType, metadata: { name: `${world.namespace}.dots` } };
      await refusal('Invalid', world.create(wrong));
    },
  },
};
