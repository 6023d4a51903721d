import { expect } from 'vitest';
import { configMapType, refOf } from './case-world.contract.ts';
import type { ContractTopic } from './run-topics.contract.ts';

export const watchSelectorCases: ContractTopic = {
  topic: 'watching a selection',
  cases: {
    'an object that begins to match is added, one that ceases to is deleted': async world => {
      const from = await world.moment(configMapType);
      const labelSelector = `case=${world.id},color=red`;
      const watch = world.watch(configMapType, from, { namespace: world.namespace, labelSelector });
      const made = await world.create(world.configMap('one', {}, { labels: { color: 'blue' } }));
      const paint = (color: string) =>
        world.cluster.patch(refOf(made), { type: 'merge', value: { metadata: { labels: { color } } } });
      await paint('red');
      await world.cluster.patch(refOf(made), { type: 'merge', value: { data: { a: '2' } } });
      await paint('green');
      await paint('red');
      await world.cluster.delete(refOf(made));
      await watch.expectSteps(['ADDED one', 'MODIFIED one', 'DELETED one', 'ADDED one', 'DELETED one']);
    },
    'an object that ceased to match is shown with the version of that change': async world => {
      const made = await world.create(world.configMap('one', {}, { labels: { color: 'red' } }));
      const selection = { namespace: world.namespace, labelSelector: `case=${world.id},color=red` };
      const watch = world.watch(configMapType, made.metadata.resourceVersion, selection);
      const value = { metadata: { labels: { color: null } } };
      const changed = await world.cluster.patch(refOf(made), { type: 'merge', value });
      await watch.expectSteps(['DELETED one']);
      expect(watch.changes[0]?.object.metadata).toMatchObject({
        resourceVersion: changed.metadata.resourceVersion,
        labels: { color: 'red' },
      });
    },
    'what never matches is never seen': async world => {
      const from = await world.moment(configMapType);
      const labelSelector = `case=${world.id},seen=yes`;
      const watch = world.watch(configMapType, from, { namespace: world.namespace, labelSelector });
      const other = await world.create(world.configMap('other'));
      await world.cluster.delete(refOf(other));
      await world.create(world.configMap('one', {}, { labels: { seen: 'yes' } }));
      await watch.expectSteps(['ADDED one']);
    },
    'one object is watched by its name': async world => {
      const from = await world.moment(configMapType);
      const fieldSelector = `metadata.name=${world.name('two')}`;
      const watch = world.watch(configMapType, from, { namespace: world.namespace, fieldSelector });
      for (const suffix of ['one', 'two', 'three']) await world.create(world.configMap(suffix));
      await world.cluster.delete(world.ref(configMapType, 'two'));
      await watch.expectSteps(['ADDED two', 'DELETED two']);
    },
    'a watch without a namespace sees all namespaces': async world => {
      const from = await world.moment(configMapType);
      const watch = world.watch(configMapType, from, { labelSelector: `case=${world.id}` });
      await world.create(world.configMap());
      await watch.expectSteps(['ADDED one']);
    },
    'a watch with a selector that is none is a bad request': async world => {
      const watch = world.watch(configMapType, undefined, { labelSelector: 'a in b' });
      expect(await watch.ended).toMatchObject({ reason: 'BadRequest' });
    },
  },
};
